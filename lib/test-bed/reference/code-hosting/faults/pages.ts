import { fail, HttpError } from '../../http.ts'
import {
  alter,
  alterParts,
  faultsOf,
  hasQuery,
  isLastPage,
  isLaterPage,
  isPage,
  isPastEnd,
  onlyIf,
  type RuleChange,
  within,
} from '../changes.ts'
import type { Paging, RequestContext, ServerSettings } from '../server.ts'

/** Replaces page sizes by requested limit; undefined keeps the documented size. */
const sized = (sizeOf: (value: number | undefined, maximum: number) => Size | undefined) =>
  alter('effectiveLimit', (limit, requested, settings) => {
    const value = requested === null ? undefined : Number(requested)
    return sizeOf(value, settings.maxResponseItems)?.(settings) ?? limit
  })

export type Size = (settings: ServerSettings) => number

const sizedWhere = (isMatch: (value: number, maximum: number) => boolean, size: Size) =>
  sized((value, maximum) => (value !== undefined && isMatch(value, maximum) ? size : undefined))
const sizedWithoutLimit = (size: Size) => sized((value) => (value === undefined ? size : undefined))

export const maximum: Size = ({ maxResponseItems }) => maxResponseItems
export const defaultSize: Size = ({ defaultPagingNum }) => defaultPagingNum
/** Exceeds the number of repositories of any account. */
const all: Size = () => 1000
const one: Size = () => 1

const limitIgnored = sized(() => defaultSize)

const isZero = (value: number) => value === 0
const isNegative = (value: number) => value < 0
const isAbove = (value: number, maximum: number) => value > maximum

const rejectLimit = (status: number, isMatch: (value: number, maximum: number) => boolean) =>
  sizedWhere(isMatch, () => fail(new HttpError(status, 'limit: out of range')))

const rejectPage = (status: number, isRefused: (value: number) => boolean) =>
  alter('effectivePage', (page, requested) =>
    requested !== null && isRefused(Number(requested))
      ? fail(new HttpError(status, `page: ${requested} is out of range`))
      : page,
  )

const itemsOf =
  (other: (paging: Paging, context: RequestContext) => Partial<Paging>): RuleChange =>
  (rules) => ({
    pageItems: (items, paging, context) =>
      rules.pageItems(items, { ...paging, ...other(paging, context) }, context),
  })

const losing = alter('pageItems', (_shown, items, { page, limit }) => {
  const start = (page - 1) * (limit + 1)
  return items.slice(start, start + limit)
})

const countingFromTheEnd = itemsOf(({ page, lastPage }, { url }) => {
  const value = Number(url.searchParams.get('page'))
  return { page: value < 0 ? Math.max(1, lastPage + 1 + value) : page }
})

const namingTheSecond = { currentPage: () => '2' }

const withoutPage = hasQuery('page', null)
const agreement = 'settings/agree-with-pagination'
const requestedLimit = ['limit-honoured', 'limit-lowered']

const withoutExposedHeaders = alterParts(
  ({ headers }) => void headers.delete('Access-Control-Expose-Headers'),
)
const exposed = (change: (name: string) => string) =>
  alter('exposedHeaders', (names) => names.map(change).filter(Boolean))

const none = () => undefined
const withoutHeaders = { totalCount: none, currentPage: none, perPage: none, hasMore: none }
const onPageZero = hasQuery('page', '0')
const counted = (by: number) => alter('totalCount', (_total, { total }) => String(total + by))
const oneMoreOnLaterPages = onlyIf(isLaterPage, counted(1))
const inTooMany = 'account-of-too-many-repositories-inconclusive'

const pagination = faultsOf('pagination')

const lossRequirements = [
  'walk',
  'total-count',
  'limit-honoured',
  'limit-not-positive',
  'default-limit',
]

export const pageFaults = [
  pagination(['default-limit', agreement], {
    'default-limit-is-maximum': sizedWithoutLimit(maximum),
    'default-limit-one-more': sizedWithoutLimit((settings) => defaultSize(settings) + 1),
  }),
  pagination('default-limit', {
    'default-limit-is-maximum-of-a-list-that-never-settles': within(
      'list-that-never-settles-inconclusive',
      sizedWithoutLimit(maximum),
    ),
  }),
  pagination(['default-limit', 'first-page-default', agreement], {
    'everything-without-page-and-limit': onlyIf(withoutPage, sizedWithoutLimit(all)),
  }),
  pagination(['default-limit', 'limit-not-positive', ...requestedLimit, agreement], {
    'everything-on-one-page': sized(() => all),
  }),
  pagination('limit-not-positive', {
    'limit-zero-gives-maximum': sizedWhere(isZero, maximum),
    'limit-zero-rejected': rejectLimit(400, isZero),
    'negative-limit-gives-one': sizedWhere(isNegative, one),
    'negative-limit-rejected': rejectLimit(422, isNegative),
  }),
  pagination('limit-honoured', {
    'limit-of-one-gives-default': sizedWhere((value) => value === 1, defaultSize),
  }),
  // Links on pages of the maximum size lead to pages of another size.
  pagination(['limit-honoured', 'walk'], {
    'limit-of-maximum-gives-one-less': sizedWhere(
      (value, maximum) => value === maximum,
      (settings) => maximum(settings) - 1,
    ),
  }),
  pagination([...requestedLimit, agreement], {
    'limit-ignored': limitIgnored,
  }),
  pagination(['limit-lowered', agreement], {
    'limit-not-lowered': {
      expectedVerdicts: { 'pagination/short-page-is-not-the-end': 'skipped' },
      change: sized((value = 0, maximum) =>
        value > maximum ? () => Math.min(value, Number.MAX_SAFE_INTEGER) : undefined,
      ),
    },
    'limit-lowered-to-one-less': sizedWhere(isAbove, (settings) => maximum(settings) - 1),
    'limit-lowered-to-one-more': sizedWhere(isAbove, (settings) => maximum(settings) + 1),
    'limit-above-maximum-gives-default': sizedWhere(isAbove, defaultSize),
  }),
  pagination('limit-lowered', {
    'limit-above-maximum-rejected': rejectLimit(422, isAbove),
    'limit-far-above-maximum-rejected': rejectLimit(400, (value, most) => value > 2 * most),
  }),
  pagination(['limit-lowered', 'per-page-header', 'walk', agreement], {
    'limit-lowered-only-in-headers': itemsOf(({ limit }, { url, server }) => {
      const value = Number(url.searchParams.get('limit'))
      return { limit: value > maximum(server.settings) ? value : limit }
    }),
  }),
  pagination(['first-page-default', agreement], {
    'limit-ignored-without-page': onlyIf(withoutPage, limitIgnored),
  }),
  pagination('first-page-default', {
    'second-page-by-default': (rules) => ({
      effectivePage: (requested, context) => rules.effectivePage(requested ?? '2', context),
    }),
    'first-item-left-out-without-page': onlyIf(withoutPage, {
      pageItems: (items, { limit }) => items.slice(1, limit + 1),
    }),
    'page-header-names-the-second-page-without-page': onlyIf(withoutPage, namingTheSecond),
  }),
  pagination(['page-below-one', 'page-header'], {
    'page-zero-is-empty': onlyIf(hasQuery('page', '0'), { effectivePage: () => 0 }),
  }),
  pagination('page-below-one', {
    'page-zero-rejected': rejectPage(400, isZero),
    'negative-page-missing': rejectPage(404, isNegative),
    'negative-page-counts-from-the-end': countingFromTheEnd,
    'negative-page-counts-from-the-end-of-few': within('small-account', countingFromTheEnd),
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
    'item-twice-far-from-the-ends': within(
      'account-of-many-repositories',
      onlyIf(
        isPage(({ page, limit }) => limit === 25 && page === 15),
        alter('pageItems', (shown, items) => [...shown.slice(1), items[13 * 25]]),
      ),
    ),
  }),
  pagination([...lossRequirements, 'has-more-header', 'link-targets', 'past-the-end'], {
    'item-lost-between-pages': losing,
  }),
  pagination(['walk', 'limit-honoured'], {
    'item-lost-between-pages-of-few': within('small-account', losing),
  }),
  pagination('past-the-end', {
    'last-page-again-past-the-end': itemsOf((at) => ({ page: Math.min(at.page, at.lastPage) })),
  }),
  pagination('page-header', {
    'page-header-missing': { currentPage: none },
    'page-header-counts-from-zero': { currentPage: ({ page }) => String(page - 1) },
    'page-header-always-one': { currentPage: () => '1' },
    'page-header-missing-past-the-end': onlyIf(isPastEnd, { currentPage: none }),
  }),
  pagination('link-targets', {
    'page-header-always-one-after-links': within(
      'link-by-cursor',
      onlyIf(hasQuery('after'), { currentPage: () => '1' }),
    ),
  }),
  pagination(['page-header', 'page-below-one'], {
    'page-header-repeats-request': alter(
      'currentPage',
      (page, _paging, { url }) => url.searchParams.get('page') ?? page,
    ),
  }),
  pagination('per-page-header', {
    'per-page-header-counts-items': {
      perPage: ({ page, limit, total }) =>
        String(Math.max(0, Math.min(limit, total - (page - 1) * limit))),
    },
    'per-page-header-of-another-size-after-the-first-page': onlyIf(isLaterPage, {
      perPage: ({ limit }) => String(limit + 1),
    }),
    'per-page-header-missing-without-limit': onlyIf(hasQuery('limit', null), { perPage: none }),
    'per-page-header-missing-past-the-end': onlyIf(isPastEnd, { perPage: none }),
    'per-page-header-below-its-items-on-page-zero': onlyIf(onPageZero, { perPage: () => '1' }),
  }),
  pagination(['per-page-header', 'limit-lowered', 'limit-not-positive'], {
    'per-page-header-repeats-request': alter(
      'perPage',
      (limit, _paging, { url }) => url.searchParams.get('limit') ?? limit,
    ),
  }),
  pagination(['per-page-header', 'limit-lowered'], {
    'per-page-header-repeats-a-limit-that-is-lowered': {
      perPage: ({ limit }, { url }) =>
        String(Math.max(limit, Number(url.searchParams.get('limit')) || limit)),
    },
  }),
  pagination('has-more-header', {
    'has-more-as-digit-on-page-zero': onlyIf(onPageZero, { hasMore: () => '1' }),
    'has-more-ends-one-page-early': { hasMore: (at) => String(at.page < at.lastPage - 1) },
    'has-more-on-every-full-page': { hasMore: ({ limit }, shown) => String(shown === limit) },
    'has-more-missing-past-the-end': onlyIf(isPastEnd, { hasMore: none }),
  }),
  pagination(['has-more-header', 'past-the-end'], {
    'has-more-always-true': { hasMore: () => 'true' },
    'has-more-true-past-the-end': { hasMore: ({ page, lastPage }) => String(page !== lastPage) },
  }),
  pagination(['has-more-header', 'past-the-end', 'short-page-is-not-the-end'], {
    'has-more-as-digit': { hasMore: ({ page, lastPage }) => (page < lastPage ? '1' : '0') },
    'has-more-capitalised': { hasMore: (at) => (at.page < at.lastPage ? 'True' : 'False') },
  }),
  pagination(['page-header', 'per-page-header', 'has-more-header', 'total-count'], {
    'headers-only-on-first-page': onlyIf(isLaterPage, withoutHeaders),
  }),
  pagination('exposed-headers', {
    'exposed-headers-incomplete': exposed((name) => name.replace('X-HasMore', '')),
    'exposed-headers-missing': withoutExposedHeaders,
    'exposed-headers-only-on-first-page': onlyIf(isLaterPage, withoutExposedHeaders),
    'exposed-headers-missing-on-last-page': onlyIf(isLastPage, withoutExposedHeaders),
    'exposed-headers-missing-on-single-page': onlyIf(
      isPage(({ lastPage }) => lastPage === 1),
      withoutExposedHeaders,
    ),
    'exposed-headers-missing-without-total-count': within('no-total-count', withoutExposedHeaders),
    'exposed-header-misspelled': exposed((name) => name.replace('X-PerPage', 'X-Per-Page')),
  }),
  pagination(['total-count', 'walk'], {
    'total-count-of-the-page': { totalCount: (_paging, shown) => String(shown) },
    'total-count-of-pages': { totalCount: ({ lastPage }) => String(lastPage) },
    'total-count-of-more-than-there-are': within('account-of-many-repositories', counted(3)),
  }),
  pagination('total-count', {
    'total-count-of-fewer-than-are-seen': within(inTooMany, { totalCount: () => '50' }),
    'total-count-that-differs-from-page-to-page': within(inTooMany, oneMoreOnLaterPages),
    'total-count-one-less-on-last-page': onlyIf(isLastPage, counted(-1)),
    'total-count-only-on-first-page': onlyIf(isLaterPage, { totalCount: none }),
    'total-count-with-hidden-repositories': alter(
      'totalCount',
      (total, _paging, _shown, { caller, server }) =>
        caller ? String(server.store.repositoriesOf(caller.account.login).length) : total,
    ),
  }),
  pagination(['has-more-header', 'link-relations', 'link-targets', 'link-when-several-pages'], {
    'page-after-the-last-one': alter('lastPage', (page) => page + 1),
    'page-after-a-full-last-one': { lastPage: (total, limit) => Math.floor(total / limit) + 1 },
  }),
].flat()
