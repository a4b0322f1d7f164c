import { HttpError, refuse } from '../../http.ts'
import {
  altered,
  asking,
  atTheEnd,
  behindTheFirst,
  faultsOf,
  pages,
  pastTheEnd,
  type RuleChange,
  sent,
  where,
  within,
} from '../changes.ts'
import type { Paging, RequestContext, Settings } from '../deployment.ts'

/** Page sizes of its own, by the limit that is asked for; without one the documented size counts. */
const sized = (sizeOf: (asked: number | undefined, maximum: number) => Size | undefined) =>
  altered('effectiveLimit', (limit, requested, settings) => {
    const asked = requested === null ? undefined : Number(requested)
    return sizeOf(asked, settings.maxResponseItems)?.(settings) ?? limit
  })

type Size = (settings: Settings) => number

const sizedWhere = (isSuch: (asked: number, maximum: number) => boolean, size: Size) =>
  sized((asked, maximum) => (asked !== undefined && isSuch(asked, maximum) ? size : undefined))
const sizedWithoutLimit = (size: Size) => sized((asked) => (asked === undefined ? size : undefined))

const maximum: Size = ({ maxResponseItems }) => maxResponseItems
const usual: Size = ({ defaultPagingNum }) => defaultPagingNum
/** More than any account of the reference owns. */
const all: Size = () => 1000
const one: Size = () => 1

const limitIgnored = sized(() => usual)

const isZero = (asked: number) => asked === 0
const isNegative = (asked: number) => asked < 0
const isAbove = (asked: number, maximum: number) => asked > maximum

const limitRefused = (status: number, isSuch: (asked: number, maximum: number) => boolean) =>
  sizedWhere(isSuch, () => refuse(new HttpError(status, 'limit: out of range')))

const pageRefused = (status: number, isRefused: (asked: number) => boolean) =>
  altered('effectivePage', (page, requested) =>
    requested !== null && isRefused(Number(requested))
      ? refuse(new HttpError(status, `page: ${requested} is out of range`))
      : page,
  )

const itemsOf =
  (other: (paging: Paging, context: RequestContext) => Partial<Paging>): RuleChange =>
  (rules) => ({
    pageItems: (items, paging, context) =>
      rules.pageItems(items, { ...paging, ...other(paging, context) }, context),
  })

const losing = altered('pageItems', (_shown, items, { page, limit }) => {
  const start = (page - 1) * (limit + 1)
  return items.slice(start, start + limit)
})

const countingFromTheEnd = itemsOf(({ page, lastPage }, { url }) => {
  const asked = Number(url.searchParams.get('page'))
  return { page: asked < 0 ? Math.max(1, lastPage + 1 + asked) : page }
})

const namingTheSecond = { currentPage: () => '2' }

const withoutPage = asking('page', null)
const agreement = 'settings/agree-with-pagination'

const withoutExposedHeaders = sent(
  ({ headers }) => void headers.delete('Access-Control-Expose-Headers'),
)
const exposed = (change: (name: string) => string) =>
  altered('exposedHeaders', (names) => names.map(change).filter(Boolean))

const none = () => undefined
const withoutHeaders = { totalCount: none, currentPage: none, perPage: none, hasMore: none }
const onPageZero = asking('page', '0')
const counted = (by: number) => altered('totalCount', (_total, { total }) => String(total + by))
const oneMoreBehindTheFirst = where(behindTheFirst, counted(1))
const inTooMany = 'account-of-too-many-repositories-inconclusive'

export const pageFaults = faultsOf('pagination', {
  [`default-limit + ${agreement}`]: {
    'default-limit-is-maximum': sizedWithoutLimit(maximum),
    'default-limit-one-more': sizedWithoutLimit((settings) => usual(settings) + 1),
  },
  [`default-limit + first-page-default + ${agreement}`]: {
    'everything-without-page-and-limit': where(withoutPage, sizedWithoutLimit(all)),
  },
  [`default-limit + limit-not-positive + limit-honoured + limit-lowered + ${agreement}`]: {
    'everything-on-one-page': sized(() => all),
  },
  'limit-not-positive': {
    'limit-zero-gives-maximum': sizedWhere(isZero, maximum),
    'limit-zero-refused': limitRefused(400, isZero),
    'negative-limit-gives-one': sizedWhere(isNegative, one),
    'negative-limit-refused': limitRefused(422, isNegative),
  },
  'limit-honoured': {
    'limit-of-one-gives-default': sizedWhere((asked) => asked === 1, usual),
  },
  // Links lead from pages of the maximum to others.
  'limit-honoured + link-targets + walk': {
    'limit-of-maximum-gives-one-less': sizedWhere(
      (asked, maximum) => asked === maximum,
      (settings) => maximum(settings) - 1,
    ),
  },
  [`limit-honoured + limit-lowered + ${agreement}`]: {
    'limit-ignored': limitIgnored,
    'limit-ignored-without-page': where(withoutPage, limitIgnored),
  },
  [`limit-lowered + ${agreement}`]: {
    'limit-not-lowered': {
      expectedVerdicts: { 'pagination/short-page-is-not-the-end': 'skipped' },
      change: sized((asked = 0, maximum) =>
        asked > maximum ? () => Math.min(asked, Number.MAX_SAFE_INTEGER) : undefined,
      ),
    },
    'limit-lowered-to-one-less': sizedWhere(isAbove, (settings) => maximum(settings) - 1),
    'limit-lowered-to-one-more': sizedWhere(isAbove, (settings) => maximum(settings) + 1),
    'limit-above-maximum-gives-default': sizedWhere(isAbove, usual),
  },
  'limit-lowered': {
    'limit-above-maximum-refused': limitRefused(422, isAbove),
    'limit-far-above-maximum-refused': limitRefused(400, (asked, most) => asked > 2 * most),
  },
  [`limit-lowered + per-page-header + walk + ${agreement}`]: {
    'limit-lowered-in-headers-alone': itemsOf(({ limit }, { url, deployment }) => {
      const asked = Number(url.searchParams.get('limit'))
      return { limit: asked > maximum(deployment.settings) ? asked : limit }
    }),
  },
  'first-page-default': {
    'second-page-by-default': (rules) => ({
      effectivePage: (requested, context) => rules.effectivePage(requested ?? '2', context),
    }),
    'first-item-left-out-without-page': where(withoutPage, {
      pageItems: (items, { limit }) => items.slice(1, limit + 1),
    }),
    'page-header-names-the-second-page-without-page': where(withoutPage, namingTheSecond),
  },
  'page-below-one + page-header': {
    'page-zero-is-empty': where(asking('page', '0'), { effectivePage: () => 0 }),
  },
  'page-below-one': {
    'page-zero-refused': pageRefused(400, isZero),
    'negative-page-missing': pageRefused(404, isNegative),
    'negative-page-counts-from-the-end': countingFromTheEnd,
    'negative-page-counts-from-the-end-of-few': within('small-account', countingFromTheEnd),
  },
  'walk + total-count': {
    'first-item-of-a-page-twice': altered('pageItems', (shown, items, { page, limit }) => {
      const previous = items.slice(0, (page - 1) * limit).slice(-1)
      return shown.length > 0 && previous.length > 0 ? [...previous, ...shown.slice(1)] : shown
    }),
    'order-turned-after-first-page': where(behindTheFirst, {
      pageItems: (items, { page, limit }) =>
        items.toReversed().slice((page - 1) * limit, page * limit),
    }),
    'item-twice-far-from-the-ends': within(
      'account-of-many-repositories',
      where(
        pages(({ page, limit }) => limit === 25 && page === 15),
        altered('pageItems', (shown, items) => [...shown.slice(1), items[13 * 25]]),
      ),
    ),
  },
  'walk + total-count + limit-honoured + limit-not-positive + link-targets': {
    'item-lost-between-pages': losing,
  },
  'walk + link-targets': { 'item-lost-between-pages-of-few': within('small-account', losing) },
  'past-the-end': {
    'last-page-again-past-the-end': itemsOf((at) => ({ page: Math.min(at.page, at.lastPage) })),
  },
  'page-header': {
    'page-header-missing': { currentPage: none },
    'page-header-counts-from-zero': { currentPage: ({ page }) => String(page - 1) },
    'page-header-always-one': { currentPage: () => '1' },
    'page-header-missing-past-the-end': where(pastTheEnd, { currentPage: none }),
  },
  'link-targets': {
    'page-header-always-one-behind-links': within(
      'link-by-cursor',
      where(asking('after'), { currentPage: () => '1' }),
    ),
  },
  'page-header + page-below-one': {
    'page-header-repeats-request': altered(
      'currentPage',
      (page, _paging, { url }) => url.searchParams.get('page') ?? page,
    ),
  },
  'per-page-header': {
    'per-page-header-counts-items': {
      perPage: ({ page, limit, total }) =>
        String(Math.max(0, Math.min(limit, total - (page - 1) * limit))),
    },
    'per-page-header-of-another-size-behind-the-first-page': where(behindTheFirst, {
      perPage: ({ limit }) => String(limit + 1),
    }),
    'per-page-header-missing-without-limit': where(asking('limit', null), { perPage: none }),
    'per-page-header-missing-past-the-end': where(pastTheEnd, { perPage: none }),
    'per-page-header-below-its-items-on-page-zero': where(onPageZero, { perPage: () => '1' }),
  },
  'per-page-header + limit-lowered + limit-not-positive': {
    'per-page-header-repeats-request': altered(
      'perPage',
      (limit, _paging, { url }) => url.searchParams.get('limit') ?? limit,
    ),
  },
  'per-page-header + limit-lowered': {
    'per-page-header-repeats-a-limit-that-is-lowered': {
      perPage: ({ limit }, { url }) =>
        String(Math.max(limit, Number(url.searchParams.get('limit')) || limit)),
    },
  },
  'has-more-header': {
    'has-more-as-digit-on-page-zero': where(onPageZero, { hasMore: () => '1' }),
    'has-more-ends-one-page-early': { hasMore: (at) => String(at.page < at.lastPage - 1) },
    'has-more-on-every-full-page': { hasMore: ({ limit }, shown) => String(shown === limit) },
    'has-more-missing-past-the-end': where(pastTheEnd, { hasMore: none }),
  },
  'has-more-header + past-the-end': {
    'has-more-always-true': { hasMore: () => 'true' },
    'has-more-true-past-the-end': { hasMore: ({ page, lastPage }) => String(page !== lastPage) },
  },
  'has-more-header + past-the-end + short-page-is-not-the-end': {
    'has-more-as-digit': { hasMore: ({ page, lastPage }) => (page < lastPage ? '1' : '0') },
    'has-more-capitalised': { hasMore: (at) => (at.page < at.lastPage ? 'True' : 'False') },
  },
  'page-header + per-page-header + has-more-header + total-count': {
    'headers-on-first-page-alone': where(behindTheFirst, withoutHeaders),
  },
  'exposed-headers': {
    'exposed-headers-incomplete': exposed((name) => name.replace('X-HasMore', '')),
    'exposed-headers-missing': withoutExposedHeaders,
    'exposed-headers-on-first-page-alone': where(behindTheFirst, withoutExposedHeaders),
    'exposed-headers-missing-on-last-page': where(atTheEnd, withoutExposedHeaders),
    'exposed-headers-missing-on-single-page': where(
      pages(({ lastPage }) => lastPage === 1),
      withoutExposedHeaders,
    ),
    'exposed-headers-missing-without-total-count': within('no-total-count', withoutExposedHeaders),
    'exposed-header-misspelled': exposed((name) => name.replace('X-PerPage', 'X-Per-Page')),
  },
  'total-count + walk': {
    'total-count-of-the-page': { totalCount: (_paging, shown) => String(shown) },
    'total-count-of-pages': { totalCount: ({ lastPage }) => String(lastPage) },
    'total-count-of-more-than-there-are': within('account-of-many-repositories', counted(3)),
  },
  'total-count': {
    'total-count-of-fewer-than-are-seen': within(inTooMany, { totalCount: () => '50' }),
    'total-count-that-differs-from-page-to-page': within(inTooMany, oneMoreBehindTheFirst),
    'total-count-one-less-on-last-page': where(atTheEnd, counted(-1)),
    'total-count-on-first-page-alone': where(behindTheFirst, { totalCount: none }),
    'total-count-with-hidden-repositories': altered(
      'totalCount',
      (total, _paging, _shown, { caller, deployment }) =>
        caller ? String(deployment.store.repositoriesOf(caller.account.login).length) : total,
    ),
  },
  'has-more-header + link-relations + link-targets + link-when-several-pages': {
    'page-behind-the-last-one': altered('lastPage', (page) => page + 1),
    'page-behind-a-full-last-one': { lastPage: (total, limit) => Math.floor(total / limit) + 1 },
  },
})
