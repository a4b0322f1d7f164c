import { logins } from '../population.ts'
import { replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

/** 22 pages of the default maximum, and 27 without a limit. */
const population = { mainRepositories: 530 }

/** Accounts that were used for years. */
export const longListVariants: readonly Variant[] = [
  { name: 'account-of-many-repositories', population },
  {
    name: 'account-of-many-repositories-without-total-count',
    population,
    change: replaceRule('totalCount', () => () => undefined),
  },
  {
    name: 'account-of-too-many-repositories-inconclusive',
    population: { mainRepositories: 10_000 },
    verdict: 'inconclusive',
    becoming: {
      'code-hosting/scopes/public-only-listing': 'inconclusive',
      'code-hosting/scopes/public-only-shows-public': 'inconclusive',
    },
    environment: (environment) => ({
      ...environment,
      PROBE_MAX_PAGES: '12',
      CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.main}/chart-5003`,
    }),
  },
  {
    name: 'private-repository-first-of-too-many-inconclusive',
    population: { mainRepositories: 2_000 },
    verdict: 'inconclusive',
    becoming: { 'code-hosting/scopes/public-only-listing': 'inconclusive' },
    environment: (environment, { store: { repositories } }) => {
      const index = repositories.findIndex((repository) => repository.private)
      repositories.unshift(...repositories.splice(index, 1))
      return { ...environment, PROBE_MAX_PAGES: '12' }
    },
  },
]
