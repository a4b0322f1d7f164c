import { type Environment, noTolerance } from '../../service.ts'
import { type Deployment, newTokenValue } from '../deployment.ts'
import { logins } from '../population.ts'
import { altered, variantsOf } from '../rules.ts'

const sharedName = 'shared-diary'
const nowhere = `${logins.main}/nowhere`
const unusualName = "tess.o'neil+grüße@mail.example"
const unusualPassword = 'Grüße: "100 %" <&>\\ 🔑 +/='

/** What the operator configures is wrong or out of date, which says nothing of the service. */
const misconfigured = (environment: Environment) => ({
  verdict: 'inconclusive' as const,
  environment,
})

function givenToken({ store }: Deployment): Environment {
  const { value } = store.addToken({ login: logins.main, name: 'given', scopes: ['all'] })
  return { CODE_HOSTING_TOKEN: value }
}

const namesInOtherCase = /^CODE_HOSTING_((OTHER_)?USERNAME|(PUBLIC|PRIVATE)_REPOSITORY)$/

/** What the operator configures: less than there is, in another way, or wrong. */
export const environmentVariants = variantsOf({
  'tokens/documented-scopes/admin-scopes-for-site-admins': {
    'no-admin-account': { environment: /^CODE_HOSTING_ADMIN_/ },
  },
  'resources/user/login-in-any-case + resources/repository/full-name-in-any-case': {
    'names-in-other-case': {
      environment: (environment) =>
        Object.fromEntries(
          Object.entries(environment).map(([name, value]) => [
            name,
            namesInOtherCase.test(name) ? value.toUpperCase() : value,
          ]),
        ),
    },
  },
  [noTolerance]: {
    'no-public-repository': { environment: /^CODE_HOSTING_PUBLIC_REPOSITORY$/ },
    'no-supplied-requests': { environment: /^CODE_HOSTING_(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/ },
    'no-token-deletion-path': { environment: /^CODE_HOSTING_TOKEN_DELETE_PATH$/ },
    'main-account-alone': {
      environment:
        /^CODE_HOSTING_(OTHER_|OTP_|ADMIN_|P\w+_REPOSITORY|ARCHIVED_|CONFLICT|NO_|TOKEN_)/,
    },
    'no-accounts': { environment: /^CODE_HOSTING_(?!BASE_URL$)/ },
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
        'scopes/public-only-hides-private': 'pass',
        'scopes/public-only-listing': 'skipped',
      },
      change: altered(
        'maySee',
        (maySee, { name }, { account }) =>
          maySee || (name === sharedName && account.login === logins.main),
      ),
      environment: (environment, { store }) => {
        const owner = logins.siteAdmin
        const description = `Shared with ${logins.main}`
        store.addRepository({
          owner,
          name: sharedName,
          private: true,
          archived: false,
          description,
        })
        return { ...environment, CODE_HOSTING_PRIVATE_REPOSITORY: `${owner}/${sharedName}` }
      },
    },
    'public-repository-of-somebody-else': {
      becoming: { 'scopes/public-only-shows-public': 'pass', 'scopes/public-only-listing': 'pass' },
      environment: { CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.other}/compass-1` },
    },
    'nothing-may-be-made': {
      becoming: { 'tokens/value-shown-once': 'skipped' },
      environment: { PROBE_READ_ONLY: 'true' },
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
  },
})
