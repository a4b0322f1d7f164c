import type { Refusal } from '../../http.ts'
import type { AccessToken, Account } from '../deployment.ts'
import type { Caller, Endpoint, RequestContext } from '../request-context.ts'

/** Document: Access token; Endpoints, the token creation row; Authentication, Scopes. */
export interface TokenRules {
  /** Whether the credentials of the request are of a kind that manages tokens. */
  managesTokens(context: RequestContext): boolean
  /** Whether the caller may manage the tokens of that account. */
  mayManageTokensOf(account: Account, caller: Caller, context: RequestContext): boolean
  mayGrant(scope: string, account: Account, context: RequestContext): boolean
  /** @param tokens those of all accounts */
  tokenNameTaken(
    tokens: readonly AccessToken[],
    account: Account,
    name: string,
    context: RequestContext,
  ): boolean
  /** Why this set of scopes is refused although each of them may be granted; `undefined` when it is not. */
  scopesRefused(scopes: readonly string[], context: RequestContext): Refusal | undefined
  /** The scopes that a new token gets for those that were asked for. */
  grantedScopes(requested: readonly string[], context: RequestContext): readonly string[]
  lastEight(value: string, context: RequestContext): string
  createdTokenStatus(context: RequestContext): number
  /** The one response that holds the value. */
  tokenRecord(token: AccessToken, lastEight: string, context: RequestContext): unknown
  /** The record in later reads. */
  listedTokenRecord(token: AccessToken, lastEight: string, context: RequestContext): unknown
  passwordRequired(context: RequestContext): Refusal
  foreignTokens(context: RequestContext): Refusal
  missingAccount(login: string, context: RequestContext): Refusal
  missingToken(context: RequestContext): Refusal
  duplicateTokenName(name: string, context: RequestContext): Refusal
  unknownScope(scope: string, context: RequestContext): Refusal
  scopeNotGrantable(scope: string, context: RequestContext): Refusal

  // Scopes.
  /** Whether a token can have the scope. */
  scopeKnown(scope: string, context: RequestContext): boolean
  /** Scopes of which one is enough; an empty list asks for none. */
  requiredScopes(endpoint: Endpoint, context: RequestContext): readonly string[]
  grants(granted: readonly string[], required: readonly string[], context: RequestContext): boolean
  missingScope(
    required: readonly string[],
    granted: readonly string[],
    context: RequestContext,
  ): Refusal
}

const categories = [
  'activitypub',
  'admin',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
]

const scopes = new Set([
  ...categories.flatMap((category) => [`read:${category}`, `write:${category}`]),
  'all',
  'public-only',
])

const required: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  user: ['read:user'],
  // The document puts the listing in no single category: it is the user's, and it is repositories.
  'user-repositories': ['read:user', 'read:repository'],
  repository: ['read:repository'],
  'create-repository': ['write:repository'],
  'change-repository': ['write:repository'],
  'star-repository': ['write:user'],
}

export const tokenRules: TokenRules = {
  managesTokens: (context) => context.credentials?.scheme === 'basic',
  mayManageTokensOf: (account, caller) => account.id === caller.account.id,
  mayGrant: (scope, account) => account.siteAdmin || !/^(read|write):admin$/.test(scope),
  tokenNameTaken: (tokens, account, name) =>
    tokens.some((token) => token.login === account.login && token.name === name),
  scopesRefused: () => undefined,
  grantedScopes: (requested) => [...new Set(requested)],
  lastEight: (value) => value.slice(-8),
  createdTokenStatus: () => 201,
  tokenRecord: (token, lastEight) => ({
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    sha1: token.value,
    token_last_eight: lastEight,
  }),
  listedTokenRecord: (token, lastEight) => ({
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    sha1: '',
    token_last_eight: lastEight,
  }),
  passwordRequired: () => ({ status: 401, message: 'basic authentication is required' }),
  foreignTokens: () => ({ status: 403, message: 'the tokens of other users are out of reach' }),
  missingAccount: (login) => ({ status: 404, message: `user ${login} does not exist` }),
  missingToken: () => ({ status: 404, message: 'access token does not exist' }),
  duplicateTokenName: (name) => ({
    status: 400,
    message: `access token name has been used already: ${name}`,
  }),
  unknownScope: (scope) => ({ status: 400, message: `invalid access token scope: ${scope}` }),
  scopeNotGrantable: (scope) => ({ status: 403, message: `scope ${scope} needs a site admin` }),

  scopeKnown: (scope) => scopes.has(scope),
  requiredScopes: (endpoint) => required[endpoint] ?? [],
  grants: (granted, anyOf) =>
    granted.includes('all') ||
    anyOf.some(
      (scope) => granted.includes(scope) || granted.includes(scope.replace(/^read:/, 'write:')),
    ),
  missingScope: (anyOf, granted) => ({
    status: 403,
    message: `token does not have at least one of required scope(s), required=[${anyOf.join(',')}], token scope=${granted.join(',')}`,
  }),
}
