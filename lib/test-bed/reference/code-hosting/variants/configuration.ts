import { responseParts } from '../../http.ts'
import { tolerance } from '../../rule-tables.ts'
import { alter, on, type RuleChange, respondOnce, uses } from '../changes.ts'
import { type CodeHostingServer, categoryRequests, logins, type RequestContext } from '../server.ts'
import { requestRepeated } from './links.ts'

const ofPageSizes = [
  'pagination/default-limit',
  'pagination/limit-not-positive',
  'settings/agree-with-pagination',
]
const pathOfBaseUrl = tolerance('path-of-the-base-url', 'versioning/prefix')
const loginInAnyCase = tolerance('login-in-any-case', 'resources/user')
const aboveMaximum = { settings: { defaultPagingNum: 30 }, unjudged: ofPageSizes }

const sizeKept: RuleChange = ({ effectiveLimit }) => ({
  effectiveLimit: (requested, settings, context) => {
    const isDefault = requested === null || Number(requested) <= 0
    return isDefault ? settings.defaultPagingNum : effectiveLimit(requested, settings, context)
  },
})

const repositories = (mainRepositories: number) => ({ population: { mainRepositories } })

/** 22 pages of the default maximum, and 27 without a limit. */
const manyRepositories = repositories(530)

/** @param steps redirects from a path with query below the base path; the last one leads to the page */
const redirectDocumentation =
  (...steps: readonly (readonly [path: string, status: number, next: string])[]): RuleChange =>
  (rules) => ({
    begin: (context) => {
      const { basePath } = context.server
      const path = context.url.href.slice((context.url.origin + basePath).length)
      const step = steps.find(([from]) => from === path)
      if (step) return responseParts(step[1], { Location: step[2].replace(/^(?=\/)/, basePath) })
      return path === steps.at(-1)?.[2] ? rules.documentationPage(context) : rules.begin(context)
    },
  })

const sharedName = 'shared-diary'

/** The supplied request removes something, which later requests do not find. */
const supplyDeletion: RuleChange = ({ maySee, missingScope, hiddenRepository, finish }) => {
  let isDeleted = false
  const isGone = ({ endpoint }: RequestContext) => isDeleted && endpoint === 'star-repository'
  return {
    maySee: (one, caller, call) => !isGone(call) && maySee(one, caller, call),
    missingScope: (anyOf, granted, call) =>
      isGone(call) ? hiddenRepository(call) : missingScope(anyOf, granted, call),
    finish: (parts, call) => {
      if (call.endpoint === 'star-repository' && parts.status === 204) isDeleted = true
      return finish(parts, call)
    },
  }
}

const noDeletion = 'GET /api/v1/user'
const missingRequest = 'GET /api/v1/nothing'
const nowhere = `${logins.main}/nowhere`
const unusualName = "tess.o'neil+grüße@mail.example"
const unusualPassword = 'Grüße: "100 %" <&>\\ 🔑 +/='

const givenToken = ({ store }: CodeHostingServer) =>
  store.addToken({ login: logins.main, name: 'given', scopes: ['all'] }).value

const namesInOtherCase = /^CODE_HOSTING_((OTHER_)?USERNAME|(PUBLIC|PRIVATE)_REPOSITORY)$/

export const configurationVariants = [
  uses('settings/values/configured-values', {
    'other-settings': {
      settings: {
        maxResponseItems: 10,
        defaultPagingNum: 7,
        defaultGitTreesPerPage: 500,
        defaultMaxBlobSize: 1_048_576,
        defaultMaxResponseSize: 20_971_520,
      },
    },
  }),
  uses(tolerance('default-above-maximum', ...ofPageSizes), {
    'default-above-the-maximum-lowered': aboveMaximum,
    'default-above-the-maximum-kept': { ...aboveMaximum, change: [requestRepeated, sizeKept] },
  }),
  uses([pathOfBaseUrl, tolerance('any-path-prefix', 'errors/documentation-link')], {
    'base-path': { basePath: '/git' },
  }),
  uses('documentation/served/same-origin-redirects', {
    'documentation-at-the-end-of-a-chain': redirectDocumentation(
      ['/api/swagger', 301, '/api/swagger/'],
      ['/api/swagger/', 302, 'ui'],
      ['/api/swagger/ui', 307, '?version=v1'],
      ['/api/swagger/ui?version=v1', 308, '/docs/index.html'],
    ),
  }),
  uses('documentation/served/credentials-needed', {
    'documentation-for-known-callers': on('documentation', { needsCaller: () => true }),
  }),
  uses('tokens/documented-scopes/admin-scopes-for-site-admins', {
    'no-admin-account': { environment: /^CODE_HOSTING_ADMIN_/ },
  }),
  uses([loginInAnyCase, tolerance('full-name-in-any-case', 'resources/repository')], {
    'names-in-other-case': {
      environment: (environment) => {
        const names = Object.keys(environment).filter((name) => namesInOtherCase.test(name))
        const others = names.map((name) => [name, environment[name]?.toUpperCase()])
        return { ...environment, ...Object.fromEntries(others) }
      },
    },
  }),
  uses([], {
    'legacy-disabled': { settings: { allowLegacyTokenScheme: false } },
    'query-disabled': { settings: { disableQueryAuthToken: true } },
    'legacy-and-query-disabled': {
      settings: { allowLegacyTokenScheme: false, disableQueryAuthToken: true },
    },
    'maximum-of-one': { settings: { maxResponseItems: 1, defaultPagingNum: 1 } },
    'small-account': repositories(5),
    'main-account-a-site-admin': { siteAdmins: [logins.main] },
    'only-accounts-of-site-admins': {
      siteAdmins: [logins.main],
      environment: /^CODE_HOSTING_OTHER_/,
      expectedVerdicts: { 'authentication/sudo-admin-only': 'skipped' },
    },
    'single-repository': repositories(1),
    'no-repositories': {
      ...repositories(0),
      expectedVerdicts: { 'pagination/first-page-default': 'pass' },
    },
    'as-many-repositories-as-the-maximum': repositories(25),
    'one-repository-more-than-the-maximum': repositories(26),
    'account-of-many-repositories': manyRepositories,
    'account-of-many-repositories-without-total-count': {
      ...manyRepositories,
      change: { totalCount: () => undefined },
    },
    'other-accounts-without-repositories': {
      population: { otherRepositories: 0, adminRepositories: 0 },
    },
    'server-error-once': respondOnce('user-repositories'),
    'one-time-code-for-every-request-about-tokens': () => ({
      oneTimeCodeNeeded: ({ oneTimeSecret }) => oneTimeSecret !== undefined,
    }),
    'web-page-at-unknown-paths': on('unknown', {
      begin: () => responseParts(200, { 'Content-Type': 'text/html' }, '<!doctype html><p>Hi</p>'),
    }),
    'one-page-at-all-other-paths-inconclusive': {
      change: on('unknown', (rules) => ({ begin: rules.documentationPage })),
    },
    'no-public-repository': { environment: /^CODE_HOSTING_PUBLIC_REPOSITORY$/ },
    'no-supplied-requests': {
      environment:
        /^CODE_HOSTING_(ARCHIVED_CHANGE|CONFLICT|NO_CONTENT|READ|TOKEN_LIST|LARGE|RELEASE)/,
    },
    'supplied-deletion': supplyDeletion,
    'every-category-supplied': { environment: categoryRequests },
    'one-category-supplied': {
      environment: { CODE_HOSTING_READ_ISSUE: categoryRequests.CODE_HOSTING_READ_ISSUE },
    },
    'limits-of-a-few-bytes': {
      settings: {
        defaultGitTreesPerPage: 3,
        defaultMaxBlobSize: 1_000,
        defaultMaxResponseSize: 2_500,
      },
    },
    'no-token-deletion-path': { environment: /^CODE_HOSTING_TOKEN_DELETE_PATH$/ },
    'main-account-only': {
      environment:
        /_HOSTING_(OTHER|OTP|ADMIN|P\w+_REPOSITORY|ARCHIVED|CONFLICT|NO|TOKEN|READ|LARGE|RELEASE)(_|$)/,
    },
    'no-accounts': { environment: /^CODE_HOSTING_(?!BASE_URL$)/ },
    'given-token': {
      environment: ({ CODE_HOSTING_PASSWORD: _, ...environment }, server) => ({
        ...environment,
        CODE_HOSTING_TOKEN: givenToken(server),
      }),
    },
    'given-token-only': {
      environment: ({ CODE_HOSTING_BASE_URL = '' }, server) => ({
        CODE_HOSTING_BASE_URL,
        CODE_HOSTING_TOKEN: givenToken(server),
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
    'private-repository-of-another-account': {
      expectedVerdicts: {
        'scopes/public-only-hides-private': 'pass',
        'scopes/public-only-listing': 'skipped',
      },
      change: alter(
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
    'public-repository-of-another-account': {
      expectedVerdicts: {
        'scopes/public-only-shows-public': 'pass',
        'scopes/public-only-listing': 'pass',
      },
      environment: { CODE_HOSTING_PUBLIC_REPOSITORY: `${logins.other}/compass-1` },
    },
    'read-only-run': {
      expectedVerdicts: { 'tokens/value-shown-once': 'skipped' },
      environment: { PROBE_READ_ONLY: 'true' },
    },
    'password-wrong-inconclusive': { environment: { CODE_HOSTING_PASSWORD: 'changed last week' } },
    'other-account-wrong-inconclusive': {
      environment: ({ CODE_HOSTING_USERNAME: _, CODE_HOSTING_PASSWORD: __, ...environment }) => ({
        ...environment,
        CODE_HOSTING_OTHER_USERNAME: 'nobody',
      }),
    },
    'other-passwords-wrong-inconclusive': {
      environment: {
        CODE_HOSTING_OTHER_PASSWORD: 'changed last week',
        CODE_HOSTING_ADMIN_PASSWORD: 'changed last month',
      },
    },
    'public-repository-wrong-inconclusive': {
      environment: { CODE_HOSTING_PUBLIC_REPOSITORY: nowhere },
    },
    'private-repository-wrong-inconclusive': {
      environment: { CODE_HOSTING_PRIVATE_REPOSITORY: nowhere },
    },
    'supplied-requests-wrong-inconclusive': {
      environment: {
        CODE_HOSTING_NO_CONTENT: noDeletion,
        CODE_HOSTING_LARGE_TREE: missingRequest,
        CODE_HOSTING_LARGE_BLOB: missingRequest,
        CODE_HOSTING_LARGE_FILES: missingRequest,
        CODE_HOSTING_TOKEN_LIST: missingRequest,
      },
    },
    // Nothing is documented about paths without an endpoint.
    'supplied-paths-without-an-endpoint-inconclusive': {
      environment: {
        CODE_HOSTING_ARCHIVED_CHANGE: 'PATCH /api/v1/nothing {}',
        CODE_HOSTING_CONFLICT: 'POST /api/v1/nothing {}',
        CODE_HOSTING_LARGE_BLOB: missingRequest,
        CODE_HOSTING_TOKEN_LIST: missingRequest,
      },
      change: on('unknown', {
        finish: (_parts, { method }) => {
          const status = method === 'PATCH' ? 405 : 404
          return responseParts(status, { 'X-RateLimit-Limit': '60' }, 'no such page')
        },
      }),
    },
  }),
].flat()
