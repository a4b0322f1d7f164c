import type { Fault } from '../fault.ts'
import { sentOn } from '../page-headers.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** Faults in how many items and pages a list is said to have. */
export const pageCountFaults: readonly Fault[] = [
  {
    name: 'total-count-of-the-page',
    requirements: [`${section}/total-count`, `${section}/walk`],
    change: replaceRule('totalCount', () => (_paging, shown) => String(shown)),
  },
  {
    name: 'total-count-of-pages',
    requirements: [`${section}/total-count`, `${section}/walk`],
    change: replaceRule('totalCount', () => (paging) => String(paging.lastPage)),
  },
  {
    name: 'total-count-one-less-on-last-page',
    requirements: [`${section}/total-count`],
    change: replaceRule(
      'totalCount',
      () => (paging) => String(paging.total - (paging.page === paging.lastPage ? 1 : 0)),
    ),
  },
  {
    name: 'total-count-on-first-page-alone',
    requirements: [`${section}/total-count`],
    change: sentOn(['X-Total-Count'], ({ page }) => page === 1),
  },
  {
    name: 'total-count-with-hidden-repositories',
    requirements: [`${section}/total-count`],
    change: replaceRule('totalCount', (documented) => (paging, shown, context) => {
      const login = context.caller?.account.login
      if (login === undefined) return documented(paging, shown, context)
      return String(context.deployment.store.repositoriesOf(login).length)
    }),
  },
  {
    name: 'page-behind-the-last-one',
    requirements: [
      `${section}/has-more-header`,
      `${section}/link-relations`,
      `${section}/link-targets`,
      `${section}/link-when-several-pages`,
    ],
    change: replaceRule(
      'lastPage',
      (documented) => (total, limit, context) => documented(total, limit, context) + 1,
    ),
  },
  {
    name: 'page-behind-a-full-last-one',
    requirements: [
      `${section}/has-more-header`,
      `${section}/link-relations`,
      `${section}/link-when-several-pages`,
    ],
    change: replaceRule('lastPage', () => (total, limit) => Math.floor(total / limit) + 1),
  },
]
