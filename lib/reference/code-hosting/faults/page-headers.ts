import {
  altered,
  asking,
  atTheEnd,
  behindTheFirst,
  faultsOf,
  pastTheEnd,
  sent,
  where,
  within,
} from '../changes.ts'

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

export const pageHeaderFaults = faultsOf('pagination', {
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
  },
  'has-more-header + link-relations + link-when-several-pages': {
    'page-behind-a-full-last-one': { lastPage: (total, limit) => Math.floor(total / limit) + 1 },
  },
})
