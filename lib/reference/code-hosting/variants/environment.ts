import { type Environment, noTolerance } from '../../service.ts'
import { altered, variantsOf } from '../changes.ts'
import { type Deployment, newTokenValue } from '../deployment.ts'
import { logins } from '../population.ts'

const sharedName = 'shared-diary'
const noDeletion = 'GET /api/v1/user'
const nowhere = `${logins.main}/nowhere`
const unusualName = "tess.o'neil+grüße@mail.example"
const unusualPassword = 'Grüße: "100 %" <&>\\ 🔑 +/='

type Tell = (environment: Environment, deployment: Deployment) => Environment

/** What the operator configures is wrong or out of date, which says nothing of the service. */
const mistold = (environment: Environment | Tell) =>
  ({ verdict: 'inconclusive', environment }) as const

const givenToken = ({ store }: Deployment) =>
  store.addToken({ login: logins.main, name: 'given', scopes: ['all'] }).value

const namesInOtherCase = /^CODE_HOSTING_((OTHER_)?USERNAME|(PUBLIC|PRIVATE)_REPOSITORY)$/

export const environmentVariants = variantsOf({
  'tokens/documented-scopes/admin-scopes-for-site-admins': {
    'no-admin-account': { environment: /^CODE_HOSTING_ADMIN_/ },
  },
  'resources/user/login-in-any-case + resources/repository/full-name-in-any-case': {
    'names-in-other-case': {
      environment: (environment) => {
        const names = Object.keys(environment).filter((name) => namesInOtherCase.test(name))
        const others = names.map((name) => [name, environment[name]?.toUpperCase()])
        return { ...environment, ...Object.fromEntries(others) }
      },
    },
  },
  [noTolerance]: {
    'no-public-repository': { environment: /^CODE_HOSTING_PUBLIC_REPOSITORY$/ },
    'no-supplied-requests': { environment: /^CODE_HOSTING_(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT)$/ },
    'no-token-deletion-path': { environment: /^CODE_HOSTING_TOKEN_DELETE_PATH$/ },
    'main-account-alone': {
      environment: /_HOSTING_(OTHER|OTP|ADMIN|P\w+_REPOSITORY|ARCHIVED|CONFLICT|NO|TOKEN)(_|$)/,
    },
    'no-accounts': { environment: /^CODE_HOSTING_(?!BASE_URL$)/ },
    'given-token': {
      environment: ({ CODE_HOSTING_PASSWORD: _, ...environment }, deployment) => ({
        ...environment,
        CODE_HOSTING_TOKEN: givenToken(deployment),
      }),
    },
    'given-token-alone': {
      environment: ({ CODE_HOSTING_BASE_URL = '' }, deployment) => ({
        CODE_HOSTING_BASE_URL,
        CODE_HOSTING_TOKEN: givenToken(deployment),
      }),
    },
    'names-and-passwords-of-many-characters': {
      environment: (environment, { store }) => {
        Object.assign(store.account(logins.main) ?? {}, { password: unusualPassword })
        Object.assign(store.account(logins.twoFactor) ?? {}, { login: unusualName })
        const CODE_HOSTING_PASSWORD = unusualPassword
        return { ...environment, CODE_HOSTING_PASSWORD, CODE_HOSTING_OTP_USERNAME: unusualName }
      },
    },
    'private-repository-of-somebody-else': {
      becoming: {
        'scopes/public-only-hides-private': 'pass',
        'scopes/public-only-listing': 'skipped',
      },
      change: altered(
        'maySee',
        (maySee, { name }, caller) =>
          maySee || (name === sharedName && caller.account.login === logins.main),
      ),
      environment: (environment, { store }) => {
        const shared = { owner: logins.siteAdmin, name: sharedName, private: true }
        store.addRepository({ ...shared, description: `Shared with ${logins.main}` })
        return { ...environment, CODE_HOSTING_PRIVATE_REPOSITORY: `${shared.owner}/${sharedName}` }
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
    'password-mistold-inconclusive': mistold({ CODE_HOSTING_PASSWORD: 'changed last week' }),
    'main-account-mistold-inconclusive': mistold({ CODE_HOSTING_USERNAME: 'nobody' }),
    'other-account-mistold-inconclusive': mistold(
      ({ CODE_HOSTING_USERNAME: _, CODE_HOSTING_PASSWORD: __, ...environment }) => ({
        ...environment,
        CODE_HOSTING_OTHER_USERNAME: 'nobody',
      }),
    ),
    'other-passwords-mistold-inconclusive': mistold({
      CODE_HOSTING_OTHER_PASSWORD: 'changed last week',
      CODE_HOSTING_ADMIN_PASSWORD: 'changed last month',
    }),
    'given-token-mistold-inconclusive': mistold(({ CODE_HOSTING_PASSWORD: _, ...environment }) => ({
      ...environment,
      CODE_HOSTING_TOKEN: newTokenValue(),
    })),
    'public-repository-mistold-inconclusive': mistold({ CODE_HOSTING_PUBLIC_REPOSITORY: nowhere }),
    'private-repository-mistold-inconclusive': mistold({
      CODE_HOSTING_PRIVATE_REPOSITORY: nowhere,
    }),
    'supplied-requests-mistold-inconclusive': mistold({ CODE_HOSTING_NO_CONTENT: noDeletion }),
  },
})
