import { issueToken } from '../deployment.ts'
import { logins } from '../population.ts'
import type { Environment, Variant } from '../variant.ts'

function without(environment: Environment, pattern: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !pattern.test(name)))
}

function upperCase(environment: Environment, names: readonly string[]): Environment {
  const changed = { ...environment }
  for (const name of names) {
    const value = changed[name]
    if (value !== undefined) changed[name] = value.toUpperCase()
  }
  return changed
}

/** Other settings, other data, and less that the operator tells. */
export const configurationVariants: readonly Variant[] = [
  { name: 'legacy-disabled', settings: { allowLegacyTokenScheme: false } },
  { name: 'query-disabled', settings: { disableQueryAuthToken: true } },
  {
    name: 'other-settings',
    settings: {
      maxResponseItems: 10,
      defaultPagingNum: 7,
      defaultGitTreesPerPage: 500,
      defaultMaxBlobSize: 1_048_576,
      defaultMaxResponseSize: 20_971_520,
    },
  },
  { name: 'small-account', population: { mainRepositories: 5 } },
  { name: 'single-repository', population: { mainRepositories: 1 } },
  { name: 'no-repositories', population: { mainRepositories: 0 } },
  { name: 'base-path', basePath: '/git' },
  {
    name: 'no-other-account',
    environment: (environment) => without(environment, /^CODE_HOSTING_OTHER_/),
  },
  {
    name: 'no-accounts',
    environment: ({ CODE_HOSTING_BASE_URL = '' }) => ({ CODE_HOSTING_BASE_URL }),
  },
  {
    name: 'given-token',
    environment: (environment, deployment) => {
      const token = issueToken(deployment, {
        login: logins.main,
        name: 'given',
        scopes: ['all'],
      })
      return {
        ...without(environment, /^CODE_HOSTING_PASSWORD$/),
        CODE_HOSTING_TOKEN: token.value,
      }
    },
  },
  {
    name: 'names-in-other-case',
    environment: (environment) =>
      upperCase(environment, [
        'CODE_HOSTING_USERNAME',
        'CODE_HOSTING_OTHER_USERNAME',
        'CODE_HOSTING_PUBLIC_REPOSITORY',
        'CODE_HOSTING_PRIVATE_REPOSITORY',
      ]),
  },
]
