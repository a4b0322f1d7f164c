import { Refusal, refuse } from '../../endpoints.ts'
import {
  altered,
  asking,
  behindTheFirst,
  faultsOf,
  pages,
  pastTheEnd,
  type RuleChange,
  type Rules,
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

/** That page size where the limit is such a one, or where none is asked for. */
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
  sizedWhere(isSuch, () => refuse(new Refusal(status, 'limit: out of range')))

const pageRefused = (status: number, isRefused: (asked: number) => boolean) =>
  altered('effectivePage', (page, requested) =>
    requested !== null && isRefused(Number(requested))
      ? refuse(new Refusal(status, `page: ${requested} is out of range`))
      : page,
  )

/** Takes the items of another page, or of a page of another size. */
const itemsOf =
  (other: (paging: Paging, context: RequestContext) => Partial<Paging>): RuleChange =>
  (rules) => ({
    pageItems: (items, paging, context) =>
      rules.pageItems(items, { ...paging, ...other(paging, context) }, context),
  })

const losing: Partial<Rules> = {
  pageItems: (items, { page, limit }) => {
    const start = (page - 1) * (limit + 1)
    return items.slice(start, start + limit)
  },
}

const countingFromTheEnd = itemsOf(({ page, lastPage }, { url }) => {
  const asked = Number(url.searchParams.get('page'))
  return { page: asked < 0 ? Math.max(1, lastPage + 1 + asked) : page }
})

const namingTheSecond: Partial<Rules> = { currentPage: () => '2' }

const withoutPage = asking('page', null)
const agreement = 'settings/agree-with-pagination'

export const pageItemFaults = faultsOf('pagination', {
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
      becoming: { 'pagination/short-page-is-not-the-end': 'skipped' },
      change: sized((asked = 0, maximum) => (asked > maximum ? () => asked : undefined)),
    },
    'limit-lowered-to-one-less': sizedWhere(isAbove, (settings) => maximum(settings) - 1),
    'limit-lowered-to-one-more': sizedWhere(isAbove, (settings) => maximum(settings) + 1),
    'limit-above-maximum-gives-default': sizedWhere(isAbove, usual),
  },
  'limit-lowered': {
    'limit-above-maximum-refused': limitRefused(422, isAbove),
    'limit-far-above-maximum-refused': limitRefused(400, (asked, most) => asked > 2 * most),
  },
  [`limit-lowered + per-page-header + ${agreement}`]: {
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
    'item-lost-between-pages': losing,
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
  walk: { 'item-lost-between-pages-of-few': within('small-account', losing) },
  'past-the-end': {
    'last-page-again-past-the-end': itemsOf((at) => ({ page: Math.min(at.page, at.lastPage) })),
    'page-past-the-end-missing': where(pastTheEnd, {
      pageItems: (_items, { page }) => refuse(new Refusal(404, `page ${page} does not exist`)),
    }),
  },
})
