import { issueToken } from '../deployment.ts'
import { logins } from '../population.ts'
import { replaceRule } from '../rules.ts'
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

const scopes = 'code-hosting/scopes'
const shared = 'shared-diary'

const unusualName = "tess.o'neil+grüße@mail.example"
const unusualPassword = 'Grüße: "100 %" <&>\\ 🔑 +/='

/** What the operator tells: less than there is, or in another way. */
export const untoldVariants: readonly Variant[] = [
  {
    name: 'no-admin-account',
    tolerances: ['code-hosting/tokens/documented-scopes/admin-scopes-for-site-admins'],
    environment: (environment) => without(environment, /^CODE_HOSTING_ADMIN_/),
  },
  ...Object.entries({
    'no-other-account': /^CODE_HOSTING_OTHER_/,
    'no-two-factor-account': /^CODE_HOSTING_OTP_/,
    'no-public-repository': /^CODE_HOSTING_PUBLIC_REPOSITORY$/,
    'no-private-repository': /^CODE_HOSTING_PRIVATE_REPOSITORY$/,
    'no-supplied-requests': /^CODE_HOSTING_(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/,
    'no-token-deletion-path': /^CODE_HOSTING_TOKEN_DELETE_PATH$/,
    'main-account-alone':
      /^CODE_HOSTING_(OTHER_|OTP_|ADMIN_|P\w+_REPOSITORY|ARCHIVED_|CONFLICT|NO_|TOKEN_)/,
  }).map(([name, untold]) => ({
    name,
    environment: (environment: Environment) => without(environment, untold),
  })),
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
    name: 'given-token-alone',
    environment: ({ CODE_HOSTING_BASE_URL = '' }, deployment) => ({
      CODE_HOSTING_BASE_URL,
      CODE_HOSTING_TOKEN: issueToken(deployment, {
        login: logins.main,
        name: 'given',
        scopes: ['all'],
      }).value,
    }),
  },
  {
    name: 'names-and-passwords-of-many-characters',
    environment: (environment, { store }) => {
      Object.assign(store.account(logins.main) ?? {}, { password: unusualPassword })
      Object.assign(store.account(logins.twoFactor) ?? {}, { login: unusualName })
      return {
        ...environment,
        CODE_HOSTING_PASSWORD: unusualPassword,
        CODE_HOSTING_OTP_USERNAME: unusualName,
      }
    },
  },
  {
    name: 'private-repository-of-somebody-else',
    becoming: {
      [`${scopes}/public-only-hides-private`]: 'pass',
      [`${scopes}/public-only-listing`]: 'skipped',
    },
    change: replaceRule(
      'maySee',
      (documented) => (repository, caller, context) =>
        documented(repository, caller, context) ||
        (repository.name === shared && caller.account.login === logins.main),
    ),
    environment: (environment, { store }) => {
      const owner = logins.siteAdmin
      const description = `Shared with ${logins.main}`
      store.addRepository({ owner, name: shared, private: true, archived: false, description })
      return { ...environment, CODE_HOSTING_PRIVATE_REPOSITORY: `${owner}/${shared}` }
    },
  },
  {
    name: 'public-repository-of-somebody-else',
    becoming: {
      [`${scopes}/public-only-shows-public`]: 'pass',
      [`${scopes}/public-only-listing`]: 'pass',
    },
    environment: (environment, { store }) => {
      const [repository] = store.repositoriesOf(logins.other)
      return {
        ...environment,
        CODE_HOSTING_PUBLIC_REPOSITORY: `${repository?.owner}/${repository?.name}`,
      }
    },
  },
  {
    name: 'names-in-other-case',
    tolerances: [
      'code-hosting/resources/user/login-in-any-case',
      'code-hosting/resources/repository/full-name-in-any-case',
    ],
    environment: (environment) =>
      upperCase(environment, [
        'CODE_HOSTING_USERNAME',
        'CODE_HOSTING_OTHER_USERNAME',
        'CODE_HOSTING_PUBLIC_REPOSITORY',
        'CODE_HOSTING_PRIVATE_REPOSITORY',
      ]),
  },
]
