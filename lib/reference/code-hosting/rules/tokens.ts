import type { Refusal } from '../../endpoints.ts'
import type { AccessToken, Account, Caller, Endpoint, RequestContext } from '../deployment.ts'

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

function record({ id, name, scopes }: AccessToken, sha1: string, token_last_eight: string): object {
  return { id, name, scopes, sha1, token_last_eight }
}

/** Document: Access token; Endpoints, the token creation row; Authentication, Scopes. */
export const tokenRules = {
  /** Whether the credentials of the request are of a kind that manages tokens. */
  managesTokens: ({ credentials }: RequestContext) => credentials?.scheme === 'basic',
  /** Whether the caller may manage the tokens of that account. */
  mayManageTokensOf: (account: Account, caller: Caller) => account.id === caller.account.id,
  mayGrant: (scope: string, account: Account) =>
    account.siteAdmin || !/^(read|write):admin$/.test(scope),
  /** @param tokens those of all accounts */
  tokenNameTaken: (tokens: readonly AccessToken[], { login }: Account, name: string) =>
    tokens.some((token) => token.login === login && token.name === name),
  /** Why this set of scopes is refused although each of them may be granted; `undefined` when it is not. */
  scopesRefused: (_scopes: readonly string[]): Refusal | undefined => undefined,
  /** The scopes that a new token gets for those that were asked for. */
  grantedScopes: (requested: readonly string[]) => [...new Set(requested)],
  lastEight: (value: string) => value.slice(-8),
  createdTokenStatus: () => 201,
  /** The one response that holds the value. */
  tokenRecord: (token: AccessToken, lastEight: string) => record(token, token.value, lastEight),
  /** The record in later reads. */
  listedTokenRecord: (token: AccessToken, lastEight: string) => record(token, '', lastEight),
  passwordRequired: (): Refusal => ({ status: 401, message: 'basic authentication is required' }),
  foreignTokens: (): Refusal => ({
    status: 403,
    message: 'the tokens of other users are out of reach',
  }),
  missingAccount: (login: string): Refusal => ({
    status: 404,
    message: `user ${login} does not exist`,
  }),
  missingToken: (): Refusal => ({ status: 404, message: 'access token does not exist' }),
  duplicateTokenName: (name: string): Refusal => ({
    status: 400,
    message: `access token name has been used already: ${name}`,
  }),
  unknownScope: (scope: string): Refusal => ({
    status: 400,
    message: `invalid access token scope: ${scope}`,
  }),
  scopeNotGrantable: (scope: string): Refusal => ({
    status: 403,
    message: `scope ${scope} needs a site admin`,
  }),

  // Scopes.
  /** Whether a token can have the scope. */
  scopeKnown: (scope: string) => scopes.has(scope),
  /** Scopes of which one is enough; an empty list asks for none. */
  requiredScopes: (endpoint: Endpoint) => required[endpoint] ?? [],
  grants: (granted: readonly string[], anyOf: readonly string[]) =>
    granted.includes('all') ||
    anyOf.some(
      (scope) => granted.includes(scope) || granted.includes(scope.replace(/^read:/, 'write:')),
    ),
  missingScope: (anyOf: readonly string[], granted: readonly string[]): Refusal => ({
    status: 403,
    message: `token does not have at least one of required scope(s), required=[${anyOf.join(',')}], token scope=${granted.join(',')}`,
  }),
}
