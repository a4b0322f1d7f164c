import { TOTP } from 'otpauth'
import { type Fields, HttpError, type ResponseParts, responseParts } from '../http.ts'
import type {
  AccessToken,
  Account,
  Caller,
  Endpoint,
  Paging,
  Repository,
  RequestContext,
  ServerSettings,
} from './server.ts'

type Scopes = readonly string[]

/** Value of a header field; undefined if it is not sent. */
type Header = string | undefined

type Schemes = Readonly<Record<string, 'bearer' | 'legacy' | 'basic'>>

const schemes: Schemes = { bearer: 'bearer', token: 'legacy', basic: 'basic' }

const open = new Set(['settings', 'documentation', 'unknown'])

const invalidCredentials = new HttpError(401, 'invalid username, password or token')

/** Document: Authentication; Errors, authentication failures; Endpoints, token creation. */
const authenticationRules = {
  needsCaller: ({ endpoint }: RequestContext) => !open.has(endpoint),
  schemeOf: (prefix: string) => schemes[prefix.toLowerCase()],
  legacySchemeAllowed: (settings: ServerSettings) => settings.allowLegacyTokenScheme,
  tokenParameters: (settings: ServerSettings): readonly string[] =>
    settings.disableQueryAuthToken ? [] : ['token', 'access_token'],
  tokenWithValue: (value: string, { server }: RequestContext) =>
    server.store.tokens.find((token) => token.value === value),
  /** @param _password of the same basic credentials */
  accountNamed: (username: string, _password: string, { server }: RequestContext) =>
    server.store.account(username),
  passwordHolds: (account: Account, password: string) => account.password === password,
  anonymousCaller: (): Caller | undefined => undefined,
  missingCredentials: () => new HttpError(401, 'token is required'),
  unknownToken: () => invalidCredentials,
  wrongPassword: () => invalidCredentials,
  /** Error for an `Authorization` field of another scheme or form. */
  unusableCredentials: () => invalidCredentials,
  unusableCaller: (): Caller | undefined => undefined,
  legacyDisabled: () =>
    new HttpError(
      401,
      "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
    ),
  legacyHeaders: (): Fields => ({
    Deprecation: 'true',
    Sunset: 'Wed, 01 Apr 2026 00:00:00 GMT',
    Warning:
      "299 - \"The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead\"",
  }),
  bearerHeaders: (): Fields => ({}),
  /** `WWW-Authenticate` of a 401 (RFC 9110, 11.6.1); the document leaves it open. */
  challenge: (): Header =>
    'Bearer realm="code hosting", Basic realm="code hosting", charset="UTF-8"',

  // RFC 6238: one-time codes.
  /** Returns true if an account with two-factor authentication must send a code. */
  oneTimeCodeNeeded: (_account: Account, { endpoint }: RequestContext) =>
    endpoint === 'create-token',
  /** @param secret in base32 */
  oneTimeCodeValid: (secret: string, token: string) => {
    const generator = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
    return generator.validate({ token, window: 1 }) !== null
  },
  missingOneTimeCode: () => new HttpError(401, 'a one-time code is required'),
  wrongOneTimeCode: () => new HttpError(401, 'the one-time code is not valid'),

  // Sudo.
  /** Returns the login to act as, from the header field or else from the query. */
  sudoLogin: ({ headers, url }: RequestContext) =>
    headers.get('Sudo') ?? url.searchParams.get('sudo') ?? undefined,
  sudoAllowed: (actor: Account) => actor.siteAdmin,
  actAs: (_actor: Account, named: Account) => named,
  sudoForbidden: () => new HttpError(403, 'only site admins may use sudo'),
  sudoAccountMissing: (login: string) => new HttpError(404, `user ${login} does not exist`),
}

const categories = 'activitypub|admin|issue|notification|organization|package|repository|user'
const scopeForm = new RegExp(`^(all|public-only|(read|write):(${categories}))$`)

const required: Readonly<Partial<Record<Endpoint, Scopes>>> = {
  user: ['read:user'],
  // The document does not state a single category: the list is of the user and of repositories.
  'user-repositories': ['read:user', 'read:repository'],
  repository: ['read:repository'],
  'create-repository': ['write:repository'],
  'change-repository': ['write:repository'],
  'star-repository': ['write:user'],
  activity: ['read:activitypub'],
  issues: ['read:issue'],
  notifications: ['read:notification'],
  organization: ['read:organization'],
  packages: ['read:package'],
  hooks: ['read:repository'],
  'git-tree': ['read:repository'],
  'git-blob': ['read:repository'],
  files: ['read:repository'],
  admin: ['read:admin'],
}

const record = ({ id, name, scopes }: AccessToken, sha1: string, lastEight: string): object => ({
  ...{ id, name, scopes, sha1 },
  token_last_eight: lastEight,
})

/** Document: Access token; Endpoints, the token creation row; Authentication, Scopes. */
const tokenRules = {
  managesTokens: ({ credentials }: RequestContext) => credentials?.scheme === 'basic',
  managesTokensOf: (account: Account, caller: Caller) => account.id === caller.account.id,
  canGrant: (scope: string, account: Account) =>
    account.siteAdmin || !/^(read|write):admin$/.test(scope),
  /** @param tokens tokens of all accounts */
  tokenNameTaken: (
    tokens: readonly AccessToken[],
    { login }: Account,
    name: string,
    _scopes: Scopes,
  ): boolean | Promise<boolean> =>
    tokens.some((token) => token.login === login && token.name === name),
  /** Rejects a set of scopes that may be granted one by one; undefined if it is accepted. */
  scopesError: (_scopes: Scopes): HttpError | undefined => undefined,
  lastEight: (value: string) => value.slice(-8),
  createdTokenStatus: () => 201,
  /** Only this response holds the value. */
  tokenRecord: (token: AccessToken, lastEight: string) => record(token, token.value, lastEight),
  listedTokenRecord: (token: AccessToken, lastEight: string) => record(token, '', lastEight),
  passwordRequired: () => new HttpError(401, 'basic authentication is required'),
  foreignTokens: () => new HttpError(403, 'the tokens of other users are out of reach'),
  missingAccount: (login: string) => new HttpError(404, `user ${login} does not exist`),
  missingToken: () => new HttpError(404, 'access token does not exist'),
  duplicateTokenName: (name: string) =>
    new HttpError(400, `access token name has been used already: ${name}`),
  unknownScope: (scope: string) => new HttpError(400, `invalid access token scope: ${scope}`),
  scopeNotGrantable: (scope: string) => new HttpError(403, `scope ${scope} needs a site admin`),

  // Scopes.
  scopeKnown: (scope: string) => scopeForm.test(scope),
  /** Returns alternative scopes; an empty list requires none. */
  requiredScopes: (endpoint: Endpoint) => required[endpoint] ?? [],
  grants: (granted: Scopes, anyOf: Scopes) =>
    granted.includes('all') ||
    anyOf.some((one) => granted.includes(one) || granted.includes(one.replace(/^read:/, 'write:'))),
  missingScope: (anyOf: Scopes, granted: Scopes) =>
    new HttpError(
      403,
      `token does not have at least one of required scope(s), required=[${anyOf.join(',')}], token scope=${granted.join(',')}`,
    ),
}

const missing = new HttpError(404, 'repository does not exist')

/** Document: Resources and their fields; States and transitions; Errors. */
const resourceRules = {
  userRecord: ({ id, login, siteAdmin }: Account): object => ({ id, login, is_admin: siteAdmin }),
  /** Serves the endpoints `repository` and `user-repositories`. */
  repositoryRecord: ({ owner, ...repository }: Repository): object => {
    const { id, name, description, archived } = repository
    const full_name = `${owner}/${name}`
    return { id, name, full_name, description, private: repository.private, archived }
  },
  settingsRecord: (settings: ServerSettings): unknown => ({
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  }),
  maySee: (repository: Repository, { account }: Caller) =>
    !repository.private || repository.owner === account.login || account.siteAdmin,
  publicOnlyHides: (repository: Repository, scopes: Scopes) =>
    repository.private && scopes.includes('public-only'),
  canChange: (repository: Repository) => !repository.archived,
  missingRepository: () => missing,
  hiddenRepository: () => missing,
  /** Response to a `public-only` token on a private repository; 403 conforms too. */
  hiddenByPublicOnly: () => missing,
  foreignRepository: () => new HttpError(403, 'only its owner may change a repository'),
  archived: () => new HttpError(423, 'the repository is archived'),
  repositoryExists: (name: string) => new HttpError(409, `repository ${name} exists already`),
}

export type PageRelation = { readonly relation: string; readonly page: number }

export type LinkEntry = { readonly relation: string; readonly target: string }

function integer(text: string | null): number | undefined {
  if (text === null || !/^[+-]?\d+$/.test(text)) return undefined
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

// A repeated token would leak wherever links are stored.
const omitted = ['token', 'access_token', 'page']

const exposed: readonly string[] = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

/** Document: Pagination of list endpoints. */
const paginationRules = {
  /** @param requested the query parameter, `null` when it is absent */
  effectivePage: (requested: string | null) => Math.max(1, integer(requested) ?? 1),
  effectiveLimit: (requested: string | null, settings: ServerSettings) => {
    const value = integer(requested) ?? 0
    return Math.min(value > 0 ? value : settings.defaultPagingNum, settings.maxResponseItems)
  },
  /** At least 1, also for an empty list. */
  lastPage: (total: number, limit: number) => Math.max(1, Math.ceil(total / limit)),
  pageItems: (items: readonly unknown[], { page, limit }: Paging): readonly unknown[] =>
    items.slice((page - 1) * limit, page * limit),
  /** @param shown number of items on this page */
  totalCount: ({ total }: Paging, _shown: number): Header => String(total),
  currentPage: ({ page }: Paging): Header => String(page),
  perPage: ({ limit }: Paging): Header => String(limit),
  hasMore: ({ page, lastPage }: Paging, _shown: number): Header => String(page < lastPage),
  exposedHeaders: () => exposed,

  // `Link`.
  linkNeeded: ({ lastPage }: Paging) => lastPage > 1,
  linkRelations: ({ page, lastPage }: Paging): readonly PageRelation[] => {
    const forwards = { next: page + 1, last: lastPage }
    const backwards = { first: 1, prev: Math.min(page - 1, lastPage) }
    const isPage = { ...(page < lastPage && forwards), ...(page > 1 && backwards) }
    return Object.entries(isPage).map(([relation, page]) => ({ relation, page }))
  },
  linkTarget: (page: number, { limit }: Paging, address: string, context: RequestContext) => {
    const { url, server } = context
    const query = new URLSearchParams(url.search)
    for (const parameter of omitted) query.delete(parameter)
    query.set('limit', String(limit))
    query.set('page', String(page))
    return `${address}${url.pathname.slice(server.basePath.length)}?${query}`
  },
  /** Formats a `Link` field (RFC 8288, 3). */
  formatLink: (entries: readonly LinkEntry[]) =>
    entries.map(({ relation, target }) => `<${target}>; rel="${relation}"`).join(', '),
}

type TreeEntry = { readonly path: string }

type File = {
  readonly path: string
  readonly size: number
  /** In base64. */
  readonly content: string | null
}

/** Document: Scopes, the categories without a path; Limits; Versioning. */
const furtherRules = {
  canAdministrate: ({ siteAdmin }: Account) => siteAdmin,
  notSiteAdmin: () => new HttpError(403, 'only site admins may do that'),
  /** @param requested the query parameter, `null` when it is absent */
  treePageSize: (requested: string | null, settings: ServerSettings) => {
    const value = integer(requested) ?? 0
    return Math.min(value > 0 ? value : Infinity, settings.defaultGitTreesPerPage)
  },
  treeRecord: (tree: readonly TreeEntry[], total: number): unknown => ({ tree, total }),
  isBlobReturned: (size: number, settings: ServerSettings) => size <= settings.defaultMaxBlobSize,
  blobRecord: (size: number, content: string | null): unknown => ({ size, content }),
  /** Returns true if a file is returned with its content, after files of `shown` bytes. */
  isFileReturned: (size: number, shown: number, settings: ServerSettings) =>
    shown + size <= settings.defaultMaxResponseSize,
  filesRecord: (files: readonly File[]): unknown => files,
}

const page = '<!doctype html>\n<title>Code hosting API</title>\n<h1>Code hosting API</h1>\n'

/** Document: Error body; Errors. Rules for all responses, and hooks. */
const responseRules = {
  errorBody: ({ message }: HttpError, link: string): unknown => ({ message, url: link }),
  documentationLink: (address: string) => `${address}/api/swagger`,
  serverError: (error: unknown, { caller }: RequestContext) =>
    new HttpError(500, caller?.actor.siteAdmin && error instanceof Error ? error.message : ''),
  missingEndpoint: () => new HttpError(404, 'not found'),
  /** @throws SyntaxError */
  parsedBody: (text: string): unknown => JSON.parse(text),
  malformedBody: (reason: string) => new HttpError(400, `malformed request: ${reason}`),
  invalidField: (field: string, reason: string) => new HttpError(422, `${field}: ${reason}`),
  /** Base URL in links of the server, without a trailing slash. */
  publicAddress: ({ server }: RequestContext) => server.baseUrl,
  contentType: (_status: number) => 'application/json;charset=utf-8',
  /** Documentation of the running server. */
  documentationPage: () => responseParts(200, { 'Content-Type': 'text/html;charset=utf-8' }, page),
  /** Runs first; returned parts are the response, a thrown error becomes a 500. */
  begin: (): ResponseParts | undefined => undefined,
  /** Runs last, on every response. */
  finish: (parts: ResponseParts) => parts,
}

/** All rules. No rule calls another one, so replacing one changes nothing else. */
export const documentedRules = {
  ...authenticationRules,
  ...tokenRules,
  ...resourceRules,
  ...paginationRules,
  ...furtherRules,
  ...responseRules,
}
