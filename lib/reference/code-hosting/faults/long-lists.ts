import type { Fault } from '../fault.ts'
import type { Paging } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'
const variant = 'account-of-many-repositories'

/** Leaves `next` out of such pages. */
function nextMissing(isMissing: (paging: Paging) => boolean): RuleChange {
  return replaceRule('linkRelations', (documented) => (paging, context) => {
    const entries = documented(paging, context)
    return isMissing(paging) ? entries.filter(({ relation }) => relation !== 'next') : entries
  })
}

/** Faults that only a list of many pages shows. */
export const longListFaults: readonly Fault[] = [
  {
    name: 'next-link-missing-far-from-the-ends',
    variant,
    requirements: [`${section}/walk`],
    change: nextMissing(({ page, limit }) => limit === 25 && page === 15),
  },
  {
    name: 'next-link-missing-near-the-end-without-limit',
    variant,
    requirements: [`${section}/walk`],
    change: nextMissing(({ page, limit, lastPage }) => limit === 20 && page === lastPage - 3),
  },
  {
    name: 'total-count-of-more-than-there-are',
    variant,
    requirements: [`${section}/total-count`, `${section}/walk`],
    change: replaceRule(
      'totalCount',
      () =>
        ({ total }) =>
          String(total + 3),
    ),
  },
  {
    name: 'item-twice-far-from-the-ends',
    variant,
    requirements: [`${section}/total-count`, `${section}/walk`],
    change: replaceRule('pageItems', (documented) => (items, paging, context) => {
      const shown = documented(items, paging, context)
      if (paging.limit !== 25 || paging.page !== 15) return shown
      return [...shown.slice(1), ...documented(items, { ...paging, page: 14 }, context).slice(0, 1)]
    }),
  },
  {
    name: 'public-only-ignored-far-from-the-ends',
    variant,
    requirements: ['code-hosting/scopes/public-only-listing'],
    change: replaceRule('publicOnlyHides', (documented) => (repository, scopes, context) => {
      return context.endpoint !== 'user-repositories' && documented(repository, scopes, context)
    }),
  },
]
