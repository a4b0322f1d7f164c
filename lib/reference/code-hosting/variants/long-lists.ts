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
    environment: (environment) => ({ ...environment, PROBE_MAX_PAGES: '12' }),
  },
]
