import { newTokenValue } from '../deployment.ts'
import { logins } from '../population.ts'
import type { Environment, Variant } from '../variant.ts'

const nowhere = `${logins.main}/nowhere`

function told(changes: Environment): Pick<Variant, 'environment'> {
  return { environment: (environment) => ({ ...environment, ...changes }) }
}

/** What the operator tells is wrong or out of date, which says nothing of the service. */
export const mistoldVariants: readonly Variant[] = [
  {
    name: 'password-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({ CODE_HOSTING_PASSWORD: 'changed last week' }),
  },
  {
    name: 'main-account-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({ CODE_HOSTING_USERNAME: 'nobody' }),
  },
  {
    name: 'other-account-mistold-inconclusive',
    verdict: 'inconclusive',
    environment: ({ CODE_HOSTING_USERNAME: _, CODE_HOSTING_PASSWORD: __, ...environment }) => ({
      ...environment,
      CODE_HOSTING_OTHER_USERNAME: 'nobody',
    }),
  },
  {
    name: 'other-passwords-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({
      CODE_HOSTING_OTHER_PASSWORD: 'changed last week',
      CODE_HOSTING_ADMIN_PASSWORD: 'changed last month',
    }),
  },
  {
    name: 'given-token-mistold-inconclusive',
    verdict: 'inconclusive',
    environment: ({ CODE_HOSTING_PASSWORD: _, ...environment }) => ({
      ...environment,
      CODE_HOSTING_TOKEN: newTokenValue(),
    }),
  },
  {
    name: 'public-repository-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({ CODE_HOSTING_PUBLIC_REPOSITORY: nowhere }),
  },
  {
    name: 'private-repository-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({ CODE_HOSTING_PRIVATE_REPOSITORY: nowhere }),
  },
  {
    name: 'supplied-requests-mistold-inconclusive',
    verdict: 'inconclusive',
    ...told({ CODE_HOSTING_NO_CONTENT: 'GET /api/v1/user' }),
  },
  {
    name: 'nothing-may-be-made',
    becoming: { 'code-hosting/tokens/value-shown-once': 'skipped' },
    ...told({ PROBE_READ_ONLY: 'true' }),
  },
]
