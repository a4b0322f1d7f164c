import type { Refusal } from '../../http/refusal.ts'
import type { Caller, RequestContext } from '../request-context.ts'
import type { AccessToken, Account } from '../store.ts'

/** Document: Access token; Endpoints, the token creation row. */
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
}
