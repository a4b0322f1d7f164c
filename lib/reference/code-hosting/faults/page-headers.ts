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
} from '../rules.ts'

const withoutExposedHeaders = sent(({ headers }) => {
  headers.delete('Access-Control-Expose-Headers')
})

const none = () => undefined

/** Faults in what the headers of a page say, but for its `Link`. */
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
    'per-page-header-below-its-items-on-page-zero': where(asking('page', '0'), {
      perPage: () => '1',
    }),
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
    'has-more-as-digit-on-page-zero': where(asking('page', '0'), { hasMore: () => '1' }),
    'has-more-ends-one-page-early': {
      hasMore: ({ page, lastPage }) => String(page < lastPage - 1),
    },
    'has-more-on-every-full-page': { hasMore: ({ limit }, shown) => String(shown === limit) },
    'has-more-missing-past-the-end': where(pastTheEnd, { hasMore: none }),
  },
  'has-more-header + past-the-end': {
    'has-more-always-true': { hasMore: () => 'true' },
    'has-more-true-past-the-end': { hasMore: ({ page, lastPage }) => String(page !== lastPage) },
  },
  'has-more-header + past-the-end + short-page-is-not-the-end': {
    'has-more-as-digit': { hasMore: ({ page, lastPage }) => (page < lastPage ? '1' : '0') },
    'has-more-capitalised': {
      hasMore: ({ page, lastPage }) => (page < lastPage ? 'True' : 'False'),
    },
  },
  'page-header + per-page-header + has-more-header + total-count': {
    'headers-on-first-page-alone': where(behindTheFirst, {
      totalCount: none,
      currentPage: none,
      perPage: none,
      hasMore: none,
    }),
  },
  'exposed-headers': {
    'exposed-headers-incomplete': altered('exposedHeaders', (names) =>
      names.filter((name) => name !== 'X-HasMore'),
    ),
    'exposed-headers-missing': withoutExposedHeaders,
    'exposed-headers-on-first-page-alone': where(behindTheFirst, withoutExposedHeaders),
    'exposed-headers-missing-on-last-page': where(atTheEnd, withoutExposedHeaders),
    'exposed-header-misspelled': altered('exposedHeaders', (names) =>
      names.map((name) => (name === 'X-PerPage' ? 'X-Per-Page' : name)),
    ),
  },
  'total-count + walk': {
    'total-count-of-the-page': { totalCount: (_paging, shown) => String(shown) },
    'total-count-of-pages': { totalCount: ({ lastPage }) => String(lastPage) },
    'total-count-of-more-than-there-are': within('account-of-many-repositories', {
      totalCount: ({ total }) => String(total + 3),
    }),
  },
  'total-count': {
    'total-count-of-fewer-than-are-seen': within('account-of-too-many-repositories-inconclusive', {
      totalCount: () => '50',
    }),
    'total-count-that-differs-from-page-to-page': within(
      'account-of-too-many-repositories-inconclusive',
      where(behindTheFirst, { totalCount: ({ total }) => String(total + 1) }),
    ),
    'total-count-one-less-on-last-page': where(atTheEnd, {
      totalCount: ({ total }) => String(total - 1),
    }),
    'total-count-on-first-page-alone': where(behindTheFirst, { totalCount: none }),
    'total-count-with-hidden-repositories': {
      totalCount: ({ total }, _shown, { caller, deployment }) =>
        String(
          caller === undefined
            ? total
            : deployment.store.repositoriesOf(caller.account.login).length,
        ),
    },
  },
  'has-more-header + link-relations + link-targets + link-when-several-pages': {
    'page-behind-the-last-one': altered('lastPage', (page) => page + 1),
  },
  'has-more-header + link-relations + link-when-several-pages': {
    'page-behind-a-full-last-one': { lastPage: (total, limit) => Math.floor(total / limit) + 1 },
  },
})
