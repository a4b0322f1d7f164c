/** The environment variables of code hosting, and the needs that they meet. */

import { type Need, needOf, skipFor, writing } from '../../lib/conformance/catalogue.ts'
import type { Target } from '../../lib/environment/probe-variables.ts'
import {
  baseUrl,
  documentVariable,
  type Format,
  password,
  type TargetOf,
  text,
  token,
  trueOrFalse,
  type VariableGroup,
  type VariableTable,
  wholeNumber,
} from '../../lib/environment/variable.ts'
import { isJson } from '../../lib/text/json.ts'
import { joinNames } from '../../lib/text/names.ts'

/** A request that the operator supplies for a requirement without a documented endpoint. */
export interface SuppliedRequest {
  method: string
  /** Starts with one slash; relative to the base URL of the service. */
  path: string
  /** JSON text, sent unchanged; null for a request without a body. */
  body: string | null
}

/** Methods of RFC 9110 and RFC 5789 that request a resource; any other text is probably misspelled. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function parseSuppliedRequest(value: string): SuppliedRequest | undefined {
  // A second slash or a backslash at the start would lead to another origin.
  const parts = /^([A-Z]+)\s+(\/(?![/\\])[^\s#]*)(?:\s+(\S[\s\S]*))?$/.exec(value)
  const [, method, path, body = null] = parts ?? []
  if (method === undefined || !METHODS.includes(method) || path === undefined) return undefined
  return body === null || isJson(body) ? { method, path, body } : undefined
}

const suppliedRequest: Format<SuppliedRequest> = {
  ...text(
    (value) => parseSuppliedRequest(value) !== undefined,
    `must be METHOD /path {json}: ${joinNames(METHODS, 'or')}, a path that starts with one slash and, unless there is no body, valid JSON; in an environment file put it in single quotes`,
  ),
  read: (value) => parseSuppliedRequest(value) as SuppliedRequest,
  inBodies: true,
}

/** A GET request without a body, which is also sent in read-only mode. */
const suppliedRead: Format<SuppliedRequest> = {
  ...text(
    (value) => /^GET\s/.test(value) && parseSuppliedRequest(value)?.body === null,
    'must be GET /path: a path that starts with one slash, and no body; in an environment file put it in single quotes',
  ),
  read: (value) => parseSuppliedRequest(value) as SuppliedRequest,
}

/** Returns base32 in upper case, without spaces and padding. */
function normalizeBase32(value: string): string {
  return value.replace(/\s+/g, '').replace(/=+$/, '').toUpperCase()
}

const base32: Format<string> = {
  ...text(
    (value) => /^[A-Z2-7]{4,1024}$/.test(normalizeBase32(value)),
    'must be a secret in base32, 4 to 1024 of the letters A to Z and digits 2 to 7, as shown when two-factor authentication was set up',
  ),
  read: normalizeBase32,
}

const repository = text(
  (value) => /^(?!\.{1,2}\/)[^\s/?#\\]+\/(?!\.{1,2}$)[^\s/?#\\]+$/.test(value),
  'must be owner/name, with exactly one slash and something on either side of it',
)

const username = text(
  (value) => /^[^:\p{Cc}]{1,1024}$/u.test(value),
  'must be a username of at most 1024 characters, without a colon, line breaks or other control characters',
)

const tokenDeletePath = text(
  // An unknown placeholder would be sent unchanged, and no token would be deleted.
  (value) =>
    /^\/(?![/\\])(?:[^\s#{}]|\{name\}|\{username\})*$/.test(value) && value.includes('{name}'),
  'must be a path that starts with one slash and has {name} for the name of the token, and no other variable than {username}',
)

function account(prefix: string, what: string) {
  const [login, secret] = [`${prefix}_USERNAME`, `${prefix}_PASSWORD`]
  return {
    username: { name: login, format: username, meaning: `Username of ${what}.` },
    password: { name: secret, format: password, meaning: 'Its password.', secret: true },
  } as const
}

const readVariable = (name: string, what: string, example: string) => ({
  name: `CODE_HOSTING_${name}`,
  format: suppliedRead,
  meaning: `GET request ${what}.`,
  example: `GET /api/v1/${example}`,
})

const ofCategory = (category: string) =>
  `in the scope category ${category} that the main account may send`

const items = wholeNumber(1, 1_000_000)
const bytes = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** Returns the variable for a setting of the server. */
function setting<Value extends number | boolean>(
  name: string,
  format: Format<Value>,
  defaultValue: Value,
  what = '',
) {
  const meaning = `Setting ${name} of the server${what}.`
  return { name: `CODE_HOSTING_${name}`, format, default: defaultValue, meaning }
}

const table = {
  baseUrl: {
    name: 'CODE_HOSTING_BASE_URL',
    format: baseUrl('/api/v1', 'prefix'),
    meaning: 'Base URL of the service, without /api/v1; it may have a path.',
    example: 'https://code.example.com',
  },
  username: {
    name: 'CODE_HOSTING_USERNAME',
    format: username,
    meaning:
      'Username of the main account, which is not a site administrator and ideally owns repositories for more than two full pages.',
    example: 'maria',
  },
  password: {
    name: 'CODE_HOSTING_PASSWORD',
    format: password,
    meaning: 'Password of the main account; Plumbline creates the tokens that checks need with it.',
    secret: true,
  },
  token: {
    name: 'CODE_HOSTING_TOKEN',
    format: token,
    meaning:
      'Token of the main account with the scope all, instead of the password; a run then creates no tokens.',
    secret: true,
  },
  other: account('CODE_HOSTING_OTHER', 'an account that cannot access the private repository'),
  otp: {
    ...account('CODE_HOSTING_OTP', 'an account that uses two-factor authentication'),
    secret: {
      name: 'CODE_HOSTING_OTP_SECRET',
      format: base32,
      meaning: 'Its base32 secret of one-time codes.',
      secret: true,
    },
  },
  admin: account('CODE_HOSTING_ADMIN', 'a site administrator, who may act as another user'),
  publicRepository: {
    name: 'CODE_HOSTING_PUBLIC_REPOSITORY',
    format: repository,
    meaning: 'Public repository of the main account.',
    identifies: true,
    example: 'maria/public',
  },
  privateRepository: {
    name: 'CODE_HOSTING_PRIVATE_REPOSITORY',
    format: repository,
    meaning: 'Private repository of the main account.',
    identifies: true,
    example: 'maria/private',
  },
  archivedChange: {
    name: 'CODE_HOSTING_ARCHIVED_CHANGE',
    format: suppliedRequest,
    meaning: 'Request that would change an archived repository.',
    example: 'PATCH /api/v1/repos/maria/archived {"description":"changed"}',
  },
  conflict: {
    name: 'CODE_HOSTING_CONFLICT',
    format: suppliedRequest,
    meaning: 'Request to create a resource that already exists.',
    example: 'POST /api/v1/user/repos {"name":"public"}',
  },
  noContent: {
    name: 'CODE_HOSTING_NO_CONTENT',
    format: suppliedRequest,
    meaning:
      'Request that succeeds with status 204. Unless it is a GET, it is repeated by other ways of sending credentials.',
    example: 'PUT /api/v1/user/starred/maria/public',
  },
  readActivitypub: readVariable(
    'READ_ACTIVITYPUB',
    ofCategory('activitypub'),
    'activitypub/user-id/1',
  ),
  readIssue: readVariable('READ_ISSUE', ofCategory('issue'), 'repos/maria/public/issues'),
  readNotification: readVariable('READ_NOTIFICATION', ofCategory('notification'), 'notifications'),
  readOrganization: readVariable('READ_ORGANIZATION', ofCategory('organization'), 'orgs/harbor'),
  readPackage: readVariable('READ_PACKAGE', ofCategory('package'), 'packages/maria'),
  readRepository: readVariable(
    'READ_REPOSITORY',
    'of files, branches, or hooks that the main account may send',
    'repos/maria/public/hooks',
  ),
  readAdmin: readVariable(
    'READ_ADMIN',
    'below /admin that a site administrator may send',
    'admin/cron',
  ),
  tokenList: readVariable(
    'TOKEN_LIST',
    'of the tokens of the main account, sent with its password',
    'users/maria/tokens',
  ),
  largeTree: readVariable(
    'LARGE_TREE',
    'of a Git tree with more entries than DEFAULT_GIT_TREES_PER_PAGE',
    'repos/maria/public/git/trees/HEAD?per_page=100000',
  ),
  largeBlob: readVariable(
    'LARGE_BLOB',
    'of a blob of more than DEFAULT_MAX_BLOB_SIZE bytes',
    'repos/maria/public/git/blobs/da39a3ee5e6b4b0d3255bfef95601890afd80709',
  ),
  largeFiles: readVariable(
    'LARGE_FILES',
    'of files of more than DEFAULT_MAX_RESPONSE_SIZE bytes together',
    'repos/maria/public/file-contents?body=%7B%22files%22%3A%5B%22a%22%2C%22b%22%5D%7D',
  ),
  release: readVariable(
    'RELEASE',
    'that shows the release of the server, which is recorded and never judged',
    'version',
  ),
  settings: {
    maxResponseItems: setting('MAX_RESPONSE_ITEMS', items, 25, ': maximum of items per page'),
    defaultPagingNum: setting('DEFAULT_PAGING_NUM', items, 20, ': default of items per page'),
    defaultGitTreesPerPage: setting(
      'DEFAULT_GIT_TREES_PER_PAGE',
      items,
      1000,
      ': entries per page',
    ),
    defaultMaxBlobSize: setting('DEFAULT_MAX_BLOB_SIZE', bytes, 10_485_760, ', in bytes'),
    defaultMaxResponseSize: setting('DEFAULT_MAX_RESPONSE_SIZE', bytes, 104_857_600, ', in bytes'),
    allowLegacyTokenScheme: setting('ALLOW_LEGACY_TOKEN_SCHEME', trueOrFalse, true),
    disableQueryAuthToken: setting('DISABLE_QUERY_AUTH_TOKEN', trueOrFalse, false),
  },
  gatewayRateLimits: {
    name: 'CODE_HOSTING_GATEWAY_RATE_LIMITS',
    format: trueOrFalse,
    default: false,
    meaning: 'True if a gateway in front of the service adds rate limit header fields.',
  },
  production: {
    name: 'CODE_HOSTING_PRODUCTION',
    format: trueOrFalse,
    default: true,
    meaning:
      'True if the server runs in production and describes server errors only to site administrators.',
  },
  tokenDeletePath: {
    name: 'CODE_HOSTING_TOKEN_DELETE_PATH',
    format: tokenDeletePath,
    meaning:
      'Path at which a run deletes its tokens with Basic authentication; if unset, they stay.',
    example: '/api/v1/users/{username}/tokens/{name}',
  },
  documentUrl: documentVariable('CODE_HOSTING_'),
} as const satisfies VariableTable

/** The configured code hosting service. A login name always has a password or a token. */
export type CodeHostingTarget = TargetOf<typeof table>

export type CodeHostingSettings = CodeHostingTarget['settings']

/** The settings in the record of the server, by field. */
export const recordFields = {
  max_response_items: 'maxResponseItems',
  default_paging_num: 'defaultPagingNum',
  default_git_trees_per_page: 'defaultGitTreesPerPage',
  default_max_blob_size: 'defaultMaxBlobSize',
  default_max_response_size: 'defaultMaxResponseSize',
} as const

export type Account = NonNullable<CodeHostingTarget['other']>

declare module '../../lib/environment/probe-variables.ts' {
  interface Target {
    codeHosting?: CodeHostingTarget
  }
}

const distinct = (variable: string, from: string, what: string) => ({
  variable: `CODE_HOSTING_${variable}`,
  from: `CODE_HOSTING_${from}`,
  what,
})

export const codeHostingVariables = {
  key: 'codeHosting',
  prefix: 'CODE_HOSTING_',
  table,
  oneOf: {
    CODE_HOSTING_PASSWORD: ['CODE_HOSTING_USERNAME'],
    CODE_HOSTING_USERNAME: ['CODE_HOSTING_PASSWORD', 'CODE_HOSTING_TOKEN'],
  },
  requestFields: ['Sudo', 'X-Service-OTP', 'Origin', 'X-Gitea-OTP'],
  distinct: [
    distinct('OTHER_USERNAME', 'USERNAME', 'account'),
    distinct('OTP_USERNAME', 'USERNAME', 'account'),
    distinct('ADMIN_USERNAME', 'USERNAME', 'account'),
    // A site administrator sees everything, so checks of hidden repositories would fail.
    distinct('ADMIN_USERNAME', 'OTHER_USERNAME', 'account'),
    distinct('PRIVATE_REPOSITORY', 'PUBLIC_REPOSITORY', 'repository'),
  ],
} as const satisfies VariableGroup

export const scopeCategories = [
  'activitypub',
  'admin',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
] as const

export type ScopeCategory = (typeof scopeCategories)[number]
/** Facts that GET requests show about the service; undefined facts were not observed. */
export interface CodeHostingFacts {
  /** Number of repositories of the main account; a lower bound if the list was not read to its end. */
  repositories?: number
  totalCount?: boolean
  listsPrivate?: boolean
  /** True if the main account is a site administrator. */
  isMainAdmin?: boolean
}

type SuppliedAt<Row> = Row extends { format: Format<SuppliedRequest> } ? true : never

/** Places of the requests that the operator supplies. */
export type SuppliedPlace = {
  [Place in keyof typeof table]: SuppliedAt<(typeof table)[Place]> extends never ? never : Place
}[keyof typeof table]

/** Returns the names of the variables of an account. */
export const variablesOf = (place: 'other' | 'otp' | 'admin') =>
  Object.values(codeHostingVariables.table[place]).map(({ name }) => name)

export const variableAt = (place: SuppliedPlace) => codeHostingVariables.table[place].name

/** Requests of the scope categories without a documented path. */
const categoryRequests = [
  'readActivitypub',
  'readIssue',
  'readNotification',
  'readOrganization',
  'readPackage',
] as const satisfies readonly SuppliedPlace[]

const OTHER = variablesOf('other')
const MAIN = ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD']

/** Returns the need of the variables at a place. */
const needAt = (place: Exclude<keyof CodeHostingTarget, 'settings'>, cases: string) =>
  needOf(
    codeHostingVariables.table[place],
    cases,
    ({ codeHosting }) => codeHosting?.[place] !== undefined,
  )

function needSetting(
  setting: 'allowLegacyTokenScheme' | 'disableQueryAuthToken',
  value: boolean,
  reason: string,
) {
  const { name } = codeHostingVariables.table.settings[setting]
  const isMet = ({ codeHosting }: Target) => codeHosting?.settings[setting] === value
  return { variables: [name], reason: `${reason}: ${name} is ${!value}`, isMet }
}

const maximumOf = ({ codeHosting }: Target) => codeHosting?.settings.maxResponseItems ?? 0

const hasOtherAccount = ({ codeHosting }: Target) =>
  (codeHosting?.other ?? codeHosting?.admin) !== undefined

const repositories = (isSufficient: (count: number, target: Target) => boolean) => ({
  variables: [],
  advice:
    'Give the main account more repositories, ideally more than two full pages at the maximum page size ' +
    '(CODE_HOSTING_MAX_RESPONSE_ITEMS).',
  reason: 'the main account has too few repositories',
  isMet: (target: Target, { repositories }: CodeHostingFacts = {}) =>
    repositories === undefined || isSufficient(repositories, target),
})

export const codeHostingNeeds = {
  'main account': {
    variables: MAIN,
    advice:
      'Set the credentials of the main account: a regular user, not a site administrator, ideally with many repositories. ' +
      'CODE_HOSTING_TOKEN can replace the password, but then fewer requirements are judged.',
    cases: 'with the main account',
    isMet: ({ codeHosting }) => (codeHosting?.token ?? codeHosting?.password) !== undefined,
  },
  'main account username': needAt('username', 'with the username of the main account'),
  'token creation': {
    variables: MAIN,
    advice:
      'Set CODE_HOSTING_PASSWORD instead of CODE_HOSTING_TOKEN, so that a run can create tokens.',
    reason:
      'needs to create a token, but nothing is created while CODE_HOSTING_TOKEN is set: set ' +
      'CODE_HOSTING_PASSWORD instead',
    cases: 'with created tokens',
    isMet: ({ codeHosting }) => codeHosting?.token === undefined,
  },
  'main account password': {
    ...needAt('password', 'with a password'),
    variables: MAIN,
  },
  'write requests': writing,
  token: {
    ...writing,
    isMet: ({ codeHosting, probe }) => codeHosting?.token !== undefined || !probe.readOnly,
  },
  'token-creating account': {
    variables: MAIN,
    advice: 'Set the username and password of the main account.',
    cases: 'with created tokens',
    isMet: ({ codeHosting }) => (codeHosting?.password ?? codeHosting?.otp) !== undefined,
  },
  'public repository': needAt('publicRepository', 'with a public repository'),
  'private repository': needAt('privateRepository', 'with a private repository'),
  'other account': needAt('other', 'with another account'),
  'two-factor account': needAt('otp', 'with one-time codes'),
  'site administrator': needAt('admin', 'with a site administrator'),
  'sudo target': {
    variables: ['CODE_HOSTING_USERNAME'],
    advice: 'Set the username of the main account for the site administrator to act as.',
    reason: 'CODE_HOSTING_USERNAME is not set, and there is no other user to act as',
    cases: 'with sudo',
    isMet: ({ codeHosting }) => (codeHosting?.username ?? codeHosting?.other) !== undefined,
  },
  'rejected sudo target': {
    variables: OTHER,
    advice: 'Set the credentials of another regular user that the main account may not act as.',
    reason: 'CODE_HOSTING_OTHER_USERNAME is not set, and there is no other user to name',
    cases: 'with sudo',
    isMet: hasOtherAccount,
  },
  'regular account': {
    variables: ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_OTHER_USERNAME'],
    advice: 'Name a regular user in CODE_HOSTING_USERNAME, not a site administrator.',
    reason: 'the account is a site administrator, who may do what a regular user may not',
    cases: 'with a regular user',
    isMet: ({ codeHosting }, { isMainAdmin = false } = {}) =>
      !isMainAdmin || codeHosting?.other !== undefined,
  },
  'archived repository change': needAt('archivedChange', 'with an archived repository'),
  'conflicting request': needAt('conflict', 'with an existing resource'),
  'no-content request': needAt('noContent', 'with status code 204'),
  'request to change something': {
    variables: ['CODE_HOSTING_ARCHIVED_CHANGE', 'CODE_HOSTING_CONFLICT'],
    advice: 'Supply a request to change an archived repository, or to create what already exists.',
    cases: 'with a change',
    isMet: ({ codeHosting }) =>
      (codeHosting?.archivedChange ?? codeHosting?.conflict) !== undefined,
  },
  'permitted supplied request': writing,
  'category request': {
    variables: categoryRequests.map(variableAt),
    advice: 'Supply a GET for each of these scope categories that the server has.',
    cases: 'with other scope categories',
    isMet: ({ codeHosting }) =>
      categoryRequests.some((place) => codeHosting?.[place] !== undefined),
  },
  'repository category request': needAt('readRepository', 'with files, branches or hooks'),
  'admin request': needAt('readAdmin', 'with an admin endpoint'),
  'token list': needAt('tokenList', 'with a list of tokens'),
  'large tree': needAt('largeTree', 'with a large tree'),
  'large blob': needAt('largeBlob', 'with a large blob'),
  'large files': needAt('largeFiles', 'with large files'),
  'permitted no-content request': {
    ...writing,
    isMet: ({ codeHosting, probe }) => !probe.readOnly || codeHosting?.noContent?.method === 'GET',
  },
  'enabled token scheme': needSetting(
    'allowLegacyTokenScheme',
    true,
    'the deprecated token scheme is disabled',
  ),
  'disabled token scheme': needSetting(
    'allowLegacyTokenScheme',
    false,
    'the deprecated token scheme is enabled',
  ),
  'enabled query tokens': needSetting('disableQueryAuthToken', false, 'query tokens are disabled'),
  'disabled query tokens': needSetting('disableQueryAuthToken', true, 'query tokens are enabled'),
  'default within maximum': {
    variables: ['CODE_HOSTING_DEFAULT_PAGING_NUM', 'CODE_HOSTING_MAX_RESPONSE_ITEMS'],
    reason:
      'CODE_HOSTING_DEFAULT_PAGING_NUM is above CODE_HOSTING_MAX_RESPONSE_ITEMS, and the document does not ' +
      'say which one applies',
    isMet: (target) => (target.codeHosting?.settings.defaultPagingNum ?? 0) <= maximumOf(target),
  },
  'no gateway limits': {
    variables: ['CODE_HOSTING_GATEWAY_RATE_LIMITS'],
    reason: 'a gateway adds rate limit header fields: CODE_HOSTING_GATEWAY_RATE_LIMITS is true',
    isMet: ({ codeHosting }) => codeHosting?.gatewayRateLimits === false,
  },
  // The lists of other accounts show the pages too.
  'one repository': repositories((count, target) => count > 0 || hasOtherAccount(target)),
  'own repository': repositories((count) => count > 0),
  'two repositories': repositories((count) => count > 1),
  'multi-page list': repositories((count, target) => count > maximumOf(target)),
  'single-page list': {
    variables: OTHER,
    advice: 'Set the credentials of another account that has few repositories.',
    reason: 'needs an account with few repositories: CODE_HOSTING_OTHER_USERNAME can name one',
    cases: 'with a short list',
    isMet: (target, { repositories = 0 } = {}) =>
      hasOtherAccount(target) || repositories <= maximumOf(target),
  },
  'complete list': {
    variables: ['PROBE_MAX_PAGES'],
    advice:
      "Raise PROBE_MAX_PAGES, so that a run can read the main account's complete list of repositories.",
    reason:
      "the main account's list of repositories has more pages than PROBE_MAX_PAGES lets a run read",
    isMet: (target, { repositories = 0 } = {}) =>
      repositories <= target.probe.maxPages * maximumOf(target),
  },
  'listed private repository': {
    variables: ['CODE_HOSTING_PRIVATE_REPOSITORY'],
    advice:
      "Set the name of a private repository that appears in the main account's list of repositories.",
    reason: "the private repository does not appear in the main account's list of repositories",
    cases: 'with a listed private repository',
    isMet: (_, { listsPrivate = true } = {}) => listsPrivate,
  },
  'counted list': {
    variables: [],
    reason:
      'no page has X-Total-Count, which the document specifies only for lists that count their items',
    isMet: (_, { totalCount = true } = {}) => totalCount,
  },
  'production server': {
    variables: ['CODE_HOSTING_PRODUCTION'],
    reason: 'the server is not in production: CODE_HOSTING_PRODUCTION is false',
    isMet: ({ codeHosting }) => codeHosting?.production === true,
  },
  '500 response': {
    variables: [],
    reason: 'no documented endpoint returned 500',
    // A forecast cannot know it.
    isMet: (_, facts) => facts === undefined,
  },
} as const satisfies Readonly<Record<string, Need<CodeHostingFacts>>>

export type CodeHostingNeed = keyof typeof codeHostingNeeds

export function skipUnmetNeed(name: CodeHostingNeed): never {
  return skipFor(codeHostingNeeds, name)
}

/** Needs of requests that create a token. */
export const creating = ['main account password', 'token creation', 'write requests'] as const
