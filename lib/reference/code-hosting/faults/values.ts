// Pages that are wrong only at some limits, page numbers and lists, such as full last pages and empty lists.

import {
  alter,
  alterParts,
  faultsOf,
  isPage,
  on,
  onlyIf,
  type RuleChange,
  within,
} from '../changes.ts'
import { logins, type Paging, type ServerSettings } from '../server.ts'
import { forLimit, inSamples } from './boundaries.ts'
import { isFullAtTheEnd } from './links.ts'
import { defaultSize, maximum, type Size } from './pages.ts'

type Limited = Parameters<typeof onlyIf>[1]
type LimitPredicate = (limit: number, settings: ServerSettings) => boolean

const sizedAt = (isMatch: LimitPredicate, size: Size) =>
  forLimit((limit, settings) => isMatch(Number(limit), settings), {
    effectiveLimit: (_requested, settings) => size(settings),
  })

const onPages = (isMatch: (paging: Paging) => boolean, change: Limited) =>
  onlyIf(isPage(isMatch), change)

/** Repeats the last item of the first page on the second one. */
const repeatedAt = (isMatch: LimitPredicate) =>
  alter('pageItems', (shown, items, { page, limit }, { server }) =>
    page === 2 && isMatch(limit, server.settings) ? [items[limit - 1], ...shown.slice(1)] : shown,
  )

/** Shows the first matching repository of this account in the middle of the pages of other accounts. */
const inTheMiddle = (owner: string, isPrivate: boolean): RuleChange =>
  on(
    'user-repositories',
    alter('pageItems', (shown, _items, _paging, { caller, server }) => {
      const repositories = server.store.repositoriesOf(owner)
      const foreign = repositories.find((repository) => repository.private === isPrivate)
      if (!foreign || caller?.account.login === owner || shown.length < 3) return shown
      return shown.with(shown.length >> 1, foreign)
    }),
  )

const isFullLastPage = (at: Paging) => at.page === at.lastPage && isFullAtTheEnd(at)

const isTwo = (limit: number) => limit === 2
const isBelowMaximum: LimitPredicate = (limit, settings) => limit === maximum(settings) - 1
const isAboveDefault: LimitPredicate = (limit, settings) => limit === defaultSize(settings) + 1

const onEmptyLists = (change: Limited) =>
  within(
    'other-accounts-without-repositories',
    on(
      'user-repositories',
      onPages(({ total }) => total === 0, change),
    ),
  )

const none = () => undefined

const pagination = faultsOf('pagination')

export const valueFaults = [
  pagination('limit-honoured', {
    'limit-of-two-gives-three': sizedAt(isTwo, () => 3),
    'limit-one-above-default-gives-default': sizedAt(isAboveDefault, defaultSize),
    'limit-one-below-default-gives-default': sizedAt(
      (limit, settings) => limit === defaultSize(settings) - 1,
      defaultSize,
    ),
  }),
  pagination('limit-lowered', {
    // The check of the settings requests one more than the maximum.
    'limit-two-above-maximum-honoured': sizedAt(
      (limit, settings) => limit === maximum(settings) + 2,
      (settings) => maximum(settings) + 2,
    ),
    'limit-twice-the-maximum-honoured': sizedAt(
      (limit, settings) => limit === 2 * maximum(settings),
      (settings) => 2 * maximum(settings),
    ),
  }),
  pagination(['limit-honoured', 'link-targets'], {
    'item-repeated-at-limit-two': repeatedAt(isTwo),
    'item-repeated-one-below-maximum': repeatedAt(isBelowMaximum),
    'item-repeated-one-above-default': repeatedAt(isAboveDefault),
    'last-full-page-one-item-short': inSamples(
      onPages(
        ({ page, limit, total }) => page === Math.floor(total / limit),
        alter('pageItems', (shown) => shown.slice(0, -1)),
      ),
    ),
    'repository-of-another-account-in-the-middle-of-small-pages': inSamples(
      inTheMiddle(logins.other, false),
    ),
  }),
  faultsOf('resources')('hidden-repository-listing', {
    'private-repository-of-another-account-in-the-middle-of-a-page': inTheMiddle(logins.main, true),
  }),
  pagination('has-more-header', {
    'has-more-true-on-a-full-last-page': onPages(isFullLastPage, { hasMore: () => 'true' }),
    'has-more-false-before-a-full-last-page': onPages(
      (at) => at.page === at.lastPage - 1 && isFullAtTheEnd(at),
      { hasMore: () => 'false' },
    ),
    'has-more-true-on-empty-lists': onEmptyLists({ hasMore: () => 'true' }),
  }),
  pagination('page-header', {
    'page-header-one-less-from-the-fourth-page': onPages(({ page }) => page >= 4, {
      currentPage: ({ page }) => String(page - 1),
    }),
    'page-header-zero-on-empty-lists': onEmptyLists({ currentPage: () => '0' }),
  }),
  pagination('per-page-header', {
    'per-page-header-one-more-on-a-full-last-page': onPages(isFullLastPage, {
      perPage: ({ limit }) => String(limit + 1),
    }),
    'per-page-header-zero-on-empty-lists': onEmptyLists({ perPage: () => '0' }),
  }),
  pagination('total-count', {
    'total-count-one-more-on-a-full-last-page': onPages(isFullLastPage, {
      totalCount: ({ total }) => String(total + 1),
    }),
    'total-count-missing-on-empty-lists': onEmptyLists({ totalCount: none }),
    'total-count-one-on-empty-lists': onEmptyLists({ totalCount: () => '1' }),
  }),
  pagination('link-when-several-pages', {
    'link-on-empty-lists': onEmptyLists([
      { linkNeeded: () => true },
      { linkRelations: () => [{ relation: 'last', page: 1 }] },
    ]),
  }),
  pagination('exposed-headers', {
    'exposed-headers-missing-on-empty-lists': onEmptyLists(
      alterParts(({ headers }) => void headers.delete('Access-Control-Expose-Headers')),
    ),
  }),
].flat()
