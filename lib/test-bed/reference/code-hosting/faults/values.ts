// Pages that are wrong only at some limits and page numbers, such as full last pages, and empty lists.

import { alter, faultsOf, isPage, on, onlyIf, within } from '../changes.ts'
import { logins, type Paging } from '../server.ts'
import { further, leading, missing } from './links.ts'
import { defaultSize, maximum, type Size } from './pages.ts'

type Limited = Parameters<typeof onlyIf>[1]
const list = 'user-repositories'
const onPages = (isMatch: (paging: Paging) => boolean, change: Limited) =>
  on(list, onlyIf(isPage(isMatch), change))

const two: Size = () => 2
const aboveDefault: Size = (settings) => defaultSize(settings) + 1
const belowMaximum: Size = (settings) => maximum(settings) - 1
const twiceMaximum: Size = (settings) => maximum(settings) * 2

const sizedAt = (requested: Size, size: Size) =>
  alter('effectiveLimit', (limit, text, settings) =>
    Number(text) === requested(settings) ? size(settings) : limit,
  )

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
const ofTheOther = onPages(({ limit }) => limit < 20, inTheMiddle(logins.other, false))
const privateOfMain = on(list, inTheMiddle(logins.main, true))

const isFull = ({ total, limit }: Paging) => total % limit === 0
const onFullLast = (at: Paging) => at.page === at.lastPage && isFull(at)
const onEmptyLists = (change: Limited) =>
  within(
    'other-accounts-without-repositories',
    onPages(({ total }) => total === 0, change),
  )

const more = { hasMore: () => 'true' }
const oneMore = { totalCount: ({ total }: Paging) => String(total + 1) }
const larger = { perPage: ({ limit }: Paging) => String(limit + 1) }

const pagination = faultsOf('pagination')

export const valueFaults = [
  pagination('limit-honoured', {
    'limit-of-two-gives-three': sizedAt(two, () => 3),
    'limit-one-above-default-gives-default': sizedAt(aboveDefault, defaultSize),
  }),
  pagination('limit-lowered', {
    'limit-twice-the-maximum-honoured': sizedAt(twiceMaximum, twiceMaximum),
  }),
  pagination('limit-honoured', {
    'item-repeated-at-limit-two': repeatedAt(two),
    'item-repeated-one-below-maximum': repeatedAt(belowMaximum),
    'item-repeated-one-above-default': repeatedAt(aboveDefault),
    'repository-of-another-account-on-small-pages': ofTheOther,
  }),
  pagination('resources/hidden-repository-listing', {
    'private-repository-of-another-account-on-a-page': privateOfMain,
  }),
  pagination('has-more-header', {
    'has-more-true-on-a-full-last-page': onPages(onFullLast, more),
  }),
  pagination(['has-more-header', 'past-the-end'], {
    'has-more-true-on-empty-lists': onEmptyLists(more),
  }),
  pagination('per-page-header', {
    'per-page-header-one-more-on-a-full-last-page': onPages(onFullLast, larger),
  }),
  pagination('total-count', {
    'total-count-one-more-on-a-full-last-page': onPages(onFullLast, oneMore),
    'total-count-one-more-on-empty-lists': onEmptyLists(oneMore),
    'total-count-missing-on-empty-lists': onEmptyLists({ totalCount: () => undefined }),
  }),
  pagination('link-relations', {
    'next-link-on-a-full-last-page': further('next', 1, onFullLast),
    'previous-link-missing-from-the-fourth-page': missing('prev', ({ page }) => page >= 4),
    'first-link-missing-from-the-third-page': missing('first', ({ page }) => page >= 3),
  }),
  pagination('link-targets', {
    'last-link-one-page-late-if-full': leading('last', (page, at) => page + Number(isFull(at))),
    'previous-link-to-the-second-page': leading('prev', (page) => Math.min(page, 2)),
  }),
].flat()
