// Pages with other items than the rule.

import { alter, at, onlyIf, pagination } from '../changes.ts'
import { isPage } from '../requests.ts'
import { aboveDefault, belowMaximum, type Size, two } from './limits.ts'

const losing = alter('pageItems', (_shown, items, { page, limit }) => {
  const start = (page - 1) * (limit + 1)
  return items.slice(start, start + limit)
})

const firstPageAgain = alter('pageItems', (shown, items, { page, limit }, { url }) => {
  const isHonoured = url.searchParams.get('limit') === String(limit)
  return page > 1 && isHonoured ? items.slice(0, limit) : shown
})

/** Repeats the last item of the first page on the second one. */
const repeatedAt = (size: Size) =>
  alter('pageItems', (shown, items, { page, limit }, { server: { settings } }) =>
    page === 2 && limit === size(settings) ? [items[limit - 1], ...shown.slice(1)] : shown,
  )

const whole = ['walk', 'total-count', 'limit-honoured', 'limit-not-positive', 'default-limit']

export const pageItemFaults = [
  pagination('limit-honoured', {
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
  pagination(['limit-honoured', 'walk'], {
    'item-lost-between-pages-of-few in small-account': losing,
  }),
  pagination([...whole, 'has-more-header', 'link-targets', 'past-the-end'], {
    'item-lost-between-pages': losing,
  }),
].flat()
