// Pages with other items than the rule.

import { alter, at, on, onlyIf, pagination } from '../changes.ts'
import { isLaterPage, isPage, list } from '../requests.ts'
import { logins } from '../server.ts'
import { aboveDefault, belowMaximum, type Size, two } from './limits.ts'

const losing = alter('pageItems', (_shown, items, { page, limit }) => {
  const start = (page - 1) * (limit + 1)
  return items.slice(start, start + limit)
})

const firstPageAgain = alter('pageItems', (shown, items, { page, limit }, { url }) => {
  const isHonoured = url.searchParams.get('limit') === String(limit)
  return page === 2 && isHonoured ? items.slice(0, limit) : shown
})

/** Repeats the last item of the first page on the second one. */
const repeatedAt = (size: Size) =>
  alter('pageItems', (shown, items, { page, limit }, { server: { settings } }) =>
    page === 2 && limit === size(settings) ? [items[limit - 1], ...shown.slice(1)] : shown,
  )

/** Shows a repository of this account in the middle of the lists of others. */
const inTheMiddle = (owner: string, isPrivate: boolean) =>
  alter('pageItems', (shown, items, { page, limit, total }, { caller, server }) => {
    const other = server.store.repositoriesOf(owner).find((one) => one.private === isPrivate)
    const place = (total >> 1) - (page - 1) * limit
    const isOwn = caller?.account.login === owner
    return isOwn || items.length < 3 || !(place in shown) ? shown : shown.with(place, other)
  })

const whole = ['walk', 'total-count', 'limit-honoured', 'limit-not-positive', 'default-limit']

export const pageItemFaults = [
  pagination('limit-honoured', {
    ...at('second-page-is-the-first', ['with-sudo'], firstPageAgain),
    'item-repeated-at-limit-two': repeatedAt(two),
    'item-repeated-one-below-maximum': repeatedAt(belowMaximum),
    'item-repeated-one-above-default': repeatedAt(aboveDefault),
    'item-lost-after-the-first-page-of-small-limits': onlyIf(
      isPage(({ page, limit }) => page > 1 && limit > 2 && limit < 20),
      alter('pageItems', (_shown, items, { page, limit }) =>
        items.slice((page - 1) * limit + 1, page * limit + 1),
      ),
    ),
  }),
  pagination(['limit-honoured', 'past-the-end'], {
    ...at('second-page-is-the-first', ['with-basic'], firstPageAgain),
  }),
  pagination('resources/hidden-repository-listing', {
    'private-repository-of-another-account-on-a-page': on(list, inTheMiddle(logins.main, true)),
  }),
  pagination(['limit-honoured', 'walk'], {
    'item-lost-between-pages-of-few in small-account': losing,
  }),
  pagination(['walk', 'total-count'], {
    'first-item-of-a-page-twice': alter('pageItems', (shown, items, { page, limit }) => {
      const previous = items.slice(0, (page - 1) * limit).slice(-1)
      return shown.length > 0 && previous.length > 0 ? [...previous, ...shown.slice(1)] : shown
    }),
    'order-reversed-after-first-page': onlyIf(isLaterPage, {
      pageItems: (items, { page, limit }) =>
        items.toReversed().slice((page - 1) * limit, page * limit),
    }),
    'item-twice-far-from-the-ends in account-of-many-repositories': onlyIf(
      isPage(({ page, limit }) => limit === 25 && page === 15),
      alter('pageItems', (shown, items) => [...shown.slice(1), items[13 * 25]]),
    ),
  }),
  pagination([...whole, 'has-more-header', 'link-targets', 'past-the-end'], {
    'item-lost-between-pages': losing,
  }),
].flat()
