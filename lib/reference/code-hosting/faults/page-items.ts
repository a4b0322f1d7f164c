import { refuse } from '../../endpoints.ts'
import type { Settings } from '../deployment.ts'
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
} from '../rules.ts'

/** More than any account of the reference owns. */
const everything = 1000

/**
 * Page sizes of its own, by the limit that is asked for (`undefined` when none is); where it gives
 * none, the documented size counts.
 */
function sized(
  other: (asked: number | undefined, settings: Settings) => number | undefined,
): RuleChange {
  return altered(
    'effectiveLimit',
    (limit, requested, settings) =>
      other(requested === null ? undefined : Number(requested), settings) ?? limit,
  )
}

/** An error in place of the page where the limit is one of these. */
function limitRefused(
  status: number,
  isRefused: (asked: number, settings: Settings) => boolean,
): RuleChange {
  return sized((asked, settings) => {
    if (asked === undefined || !isRefused(asked, settings)) return undefined
    return refuse({ status, message: `limit: ${asked} is out of range` })
  })
}

/** Page sizes for limits that ask for more than the maximum. */
function aboveMaximum(size: (asked: number, settings: Settings) => number): RuleChange {
  return sized((asked, settings) =>
    asked !== undefined && asked > settings.maxResponseItems ? size(asked, settings) : undefined,
  )
}

/** An error in place of the page where its number is one of these. */
function pageRefused(status: number, isRefused: (asked: number) => boolean): RuleChange {
  return altered('effectivePage', (page, requested) =>
    requested !== null && isRefused(Number(requested))
      ? refuse({ status, message: `page: ${requested} is out of range` })
      : page,
  )
}

const losing: Partial<Rules> = {
  pageItems: (items, { page, limit }) => {
    const start = (page - 1) * (limit + 1)
    return items.slice(start, start + limit)
  },
}

const countingFromTheEnd: RuleChange = (rules) => ({
  pageItems: (items, paging, context) => {
    const asked = Number(context.url.searchParams.get('page'))
    if (asked >= 0) return rules.pageItems(items, paging, context)
    const page = Math.max(1, paging.lastPage + 1 + asked)
    return rules.pageItems(items, { ...paging, page }, context)
  },
})

const agreement = 'settings/agree-with-pagination'

/** Faults in how many items a page has, in which page is given, and in what is on it. */
export const pageItemFaults = faultsOf('pagination', {
  [`default-limit + ${agreement}`]: {
    'default-limit-is-maximum': sized((asked, settings) =>
      asked === undefined ? settings.maxResponseItems : undefined,
    ),
    'default-limit-one-more': sized((asked, settings) =>
      asked === undefined ? settings.defaultPagingNum + 1 : undefined,
    ),
  },
  [`default-limit + first-page-default + ${agreement}`]: {
    'everything-without-page-and-limit': where(
      asking('page', null),
      sized((asked) => (asked === undefined ? everything : undefined)),
    ),
  },
  [`default-limit + limit-not-positive + limit-honoured + limit-lowered + ${agreement}`]: {
    'everything-on-one-page': sized(() => everything),
  },
  'limit-not-positive': {
    'limit-zero-gives-maximum': sized((asked, settings) =>
      asked === 0 ? settings.maxResponseItems : undefined,
    ),
    'limit-zero-refused': limitRefused(400, (asked) => asked === 0),
    'negative-limit-gives-one': sized((asked = 0) => (asked < 0 ? 1 : undefined)),
    'negative-limit-refused': limitRefused(422, (asked) => asked < 0),
  },
  'limit-honoured': {
    'limit-of-one-gives-default': sized((asked, settings) =>
      asked === 1 ? settings.defaultPagingNum : undefined,
    ),
    'limit-of-maximum-gives-one-less': sized((asked, settings) =>
      asked === settings.maxResponseItems ? asked - 1 : undefined,
    ),
  },
  [`limit-honoured + limit-lowered + ${agreement}`]: {
    'limit-ignored': sized((_asked, settings) => settings.defaultPagingNum),
    'limit-ignored-without-page': where(
      asking('page', null),
      sized((_asked, settings) => settings.defaultPagingNum),
    ),
  },
  [`limit-lowered + ${agreement}`]: {
    'limit-not-lowered': {
      becoming: { 'pagination/short-page-is-not-the-end': 'skipped' },
      change: aboveMaximum((asked) => asked),
    },
    'limit-lowered-to-one-less': aboveMaximum((_, settings) => settings.maxResponseItems - 1),
    'limit-lowered-to-one-more': aboveMaximum((_, settings) => settings.maxResponseItems + 1),
    'limit-above-maximum-gives-default': aboveMaximum((_, settings) => settings.defaultPagingNum),
  },
  'limit-lowered': {
    'limit-above-maximum-refused': limitRefused(
      422,
      (asked, settings) => asked > settings.maxResponseItems,
    ),
    'limit-far-above-maximum-refused': limitRefused(
      400,
      (asked, settings) => asked > 2 * settings.maxResponseItems,
    ),
  },
  [`limit-lowered + per-page-header + ${agreement}`]: {
    'limit-lowered-in-headers-alone': (rules) => ({
      pageItems: (items, paging, context) => {
        const asked = Number(context.url.searchParams.get('limit'))
        const limit = asked <= context.deployment.settings.maxResponseItems ? paging.limit : asked
        return rules.pageItems(items, { ...paging, limit }, context)
      },
    }),
  },
  'first-page-default': {
    'second-page-by-default': (rules) => ({
      effectivePage: (requested, context) => rules.effectivePage(requested ?? '2', context),
    }),
    'first-item-left-out-without-page': where(asking('page', null), {
      pageItems: (items, { limit }) => items.slice(1, limit + 1),
    }),
    'page-header-names-the-second-page-without-page': where(asking('page', null), {
      currentPage: () => '2',
    }),
  },
  'page-below-one + page-header': {
    'page-zero-is-empty': where(asking('page', '0'), { effectivePage: () => 0 }),
  },
  'page-below-one': {
    'page-zero-refused': pageRefused(400, (asked) => asked === 0),
    'negative-page-missing': pageRefused(404, (asked) => asked < 0),
    'negative-page-counts-from-the-end': countingFromTheEnd,
    'negative-page-counts-from-the-end-of-few': within('small-account', countingFromTheEnd),
  },
  'walk + total-count': {
    'first-item-of-a-page-twice': altered('pageItems', (shown, items, { page, limit }) => {
      const last = items[(page - 1) * limit - 1]
      return page > 1 && last !== undefined && shown.length > 0 ? [last, ...shown.slice(1)] : shown
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
        (rules) => ({
          pageItems: (items, paging, context) => [
            ...rules.pageItems(items, paging, context).slice(1),
            ...rules.pageItems(items, { ...paging, page: 14 }, context).slice(0, 1),
          ],
        }),
      ),
    ),
  },
  walk: {
    'item-lost-between-pages-of-few': within('small-account', losing),
  },
  'past-the-end': {
    'last-page-again-past-the-end': where(pastTheEnd, {
      pageItems: (items, { limit, lastPage }) => items.slice((lastPage - 1) * limit),
    }),
    'page-past-the-end-missing': where(pastTheEnd, {
      pageItems: (_items, { page }) =>
        refuse({ status: 404, message: `page ${page} does not exist` }),
    }),
  },
})
