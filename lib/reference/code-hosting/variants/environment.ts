import { type Environment, variantsOf, withoutVariables, withVariables } from '../../service.ts'
import { type Deployment, issueToken, newTokenValue } from '../deployment.ts'
import { type Configuration, logins } from '../population.ts'
import type { Rules } from '../rules.ts'

const scopes = 'code-hosting/scopes'
const sharedName = 'shared-diary'
const nowhere = `${logins.main}/nowhere`
const unusualName = "tess.o'neil+grüße@mail.example"
const unusualPassword = 'Grüße: "100 %" <&>\\ 🔑 +/='

/** What the operator configures is wrong or out of date, which says nothing of the service. */
const misconfigured = (values: Environment) => ({
  verdict: 'inconclusive' as const,
  environment: withVariables(values),
})

function givenToken(deployment: Deployment): Environment {
  const token = issueToken(deployment, { login: logins.main, name: 'given', scopes: ['all'] })
  return { CODE_HOSTING_TOKEN: token.value }
}

const namesInOtherCase = /^CODE_HOSTING_((OTHER_)?USERNAME|(PUBLIC|PRIVATE)_REPOSITORY)$/

/** What the operator configures: less than there is, in another way, or wrong. */
export const environmentVariants = variantsOf<Rules, Deployment, Configuration>({
  'no-admin-account': {
    tolerances: ['code-hosting/tokens/documented-scopes/admin-scopes-for-site-admins'],
    environment: withoutVariables(/^CODE_HOSTING_ADMIN_/),
  },
  'no-other-account': { environment: withoutVariables(/^CODE_HOSTING_OTHER_/) },
  'no-two-factor-account': { environment: withoutVariables(/^CODE_HOSTING_OTP_/) },
  'no-public-repository': { environment: withoutVariables(/^CODE_HOSTING_PUBLIC_REPOSITORY$/) },
  'no-private-repository': { environment: withoutVariables(/^CODE_HOSTING_PRIVATE_REPOSITORY$/) },
  'no-supplied-requests': {
    environment: withoutVariables(/^CODE_HOSTING_(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/),
  },
  'no-token-deletion-path': { environment: withoutVariables(/^CODE_HOSTING_TOKEN_DELETE_PATH$/) },
  'main-account-alone': {
    environment: withoutVariables(
      /^CODE_HOSTING_(OTHER_|OTP_|ADMIN_|P\w+_REPOSITORY|ARCHIVED_|CONFLICT|NO_|TOKEN_)/,
    ),
  },
  'no-accounts': {
    environment: ({ CODE_HOSTING_BASE_URL = '' }) => ({ CODE_HOSTING_BASE_URL }),
  },
  'given-token': {
    environment: ({ CODE_HOSTING_PASSWORD: _, ...environment }, deployment) => ({
      ...environment,
      ...givenToken(deployment),
    }),
  },
  'given-token-alone': {
    environment: ({ CODE_HOSTING_BASE_URL = '' }, deployment) => ({
      CODE_HOSTING_BASE_URL,
      ...givenToken(deployment),
    }),
  },
  'names-and-passwords-of-many-characters': {
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
  'private-repository-of-somebody-else': {
    becoming: {
      [`${scopes}/public-only-hides-private`]: 'pass',
      [`${scopes}/public-only-listing`]: 'skipped',
    },
    change: (rules) => ({
      maySee: (repository, caller, context) =>
        rules.maySee(repository, caller, context) ||
        (repository.name === sharedName && caller.account.login === logins.main),
    }),
    environment: (environment, { store }) => {
      const owner = logins.siteAdmin
      const description = `Shared with ${logins.main}`
      store.addRepository({ owner, name: sharedName, private: true, archived: false, description })
      return { ...environment, CODE_HOSTING_PRIVATE_REPOSITORY: `${owner}/${sharedName}` }
    },
  },
  'public-repository-of-somebody-else': {
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
  'names-in-other-case': {
    tolerances: [
      'code-hosting/resources/user/login-in-any-case',
      'code-hosting/resources/repository/full-name-in-any-case',
    ],
    environment: (environment) =>
      Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          namesInOtherCase.test(name) ? value.toUpperCase() : value,
        ]),
      ),
  },
  'nothing-may-be-made': {
    becoming: { 'code-hosting/tokens/value-shown-once': 'skipped' },
    environment: withVariables({ PROBE_READ_ONLY: 'true' }),
  },
  'password-mistold-inconclusive': misconfigured({ CODE_HOSTING_PASSWORD: 'changed last week' }),
  'main-account-mistold-inconclusive': misconfigured({ CODE_HOSTING_USERNAME: 'nobody' }),
  'other-account-mistold-inconclusive': {
    verdict: 'inconclusive',
    environment: ({ CODE_HOSTING_USERNAME: _, CODE_HOSTING_PASSWORD: __, ...environment }) => ({
      ...environment,
      CODE_HOSTING_OTHER_USERNAME: 'nobody',
    }),
  },
  'other-passwords-mistold-inconclusive': misconfigured({
    CODE_HOSTING_OTHER_PASSWORD: 'changed last week',
    CODE_HOSTING_ADMIN_PASSWORD: 'changed last month',
  }),
  'given-token-mistold-inconclusive': {
    verdict: 'inconclusive',
    environment: ({ CODE_HOSTING_PASSWORD: _, ...environment }) => ({
      ...environment,
      CODE_HOSTING_TOKEN: newTokenValue(),
    }),
  },
  'public-repository-mistold-inconclusive': misconfigured({
    CODE_HOSTING_PUBLIC_REPOSITORY: nowhere,
  }),
  'private-repository-mistold-inconclusive': misconfigured({
    CODE_HOSTING_PRIVATE_REPOSITORY: nowhere,
  }),
  'supplied-requests-mistold-inconclusive': misconfigured({
    CODE_HOSTING_NO_CONTENT: 'GET /api/v1/user',
  }),
})
