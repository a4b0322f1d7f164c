import { TOTP } from 'otpauth'
import type { Refusal } from '../../http.ts'
import type { AccessToken, Account, Settings } from '../deployment.ts'
import type { Caller, RequestContext, Scheme } from '../request-context.ts'

/**
 * Document: Authentication, with its sudo row; Errors, authentication failures;
 * Endpoints, the token creation row.
 */
export interface AuthenticationRules {
  /** Whether the endpoint answers to known callers alone. */
  needsCaller(context: RequestContext): boolean
  /** The scheme that a prefix of the `Authorization` header stands for, whatever its case. */
  schemeOf(prefix: string, context: RequestContext): Scheme | undefined
  legacySchemeAllowed(settings: Settings, context: RequestContext): boolean
  /** The query parameters in which a token is looked for. */
  tokenParameters(settings: Settings, context: RequestContext): readonly string[]
  tokenWithValue(value: string, context: RequestContext): AccessToken | undefined
  passwordHolds(account: Account, password: string, context: RequestContext): boolean
  /** Whom a request without credentials is made by; `undefined` for nobody. */
  anonymousCaller(context: RequestContext): Caller | undefined
  /** Nothing that names a caller. */
  missingCredentials(context: RequestContext): Refusal
  unknownToken(context: RequestContext): Refusal
  wrongPassword(context: RequestContext): Refusal
  /** An `Authorization` header of another scheme or form. */
  unusableCredentials(context: RequestContext): Refusal
  legacyDisabled(context: RequestContext): Refusal
  /** Headers on responses to callers that used the `token` prefix. */
  legacyHeaders(context: RequestContext): Readonly<Record<string, string>>
  /** Headers on responses to callers that used the `Bearer` prefix. */
  bearerHeaders(context: RequestContext): Readonly<Record<string, string>>
  /** The `WWW-Authenticate` header of a 401 (RFC 9110, 11.6.1), which the document leaves open. */
  challenge(context: RequestContext): string | undefined

  // One-time codes are those of RFC 6238.
  oneTimeCodeNeeded(account: Account, context: RequestContext): boolean
  /** @param secret in base32 */
  oneTimeCodeValid(secret: string, code: string, context: RequestContext): boolean
  /** Whether a code that was accepted before is accepted again. */
  oneTimeCodeMayRepeat(context: RequestContext): boolean
  missingOneTimeCode(context: RequestContext): Refusal
  wrongOneTimeCode(context: RequestContext): Refusal

  // The sudo row.
  /** The login that the request is to be performed as, from the header or else from the query. */
  sudoLogin(context: RequestContext): string | undefined
  sudoAllowed(actor: Account, context: RequestContext): boolean
  /** The account as which the request is performed in the end. */
  performedAs(actor: Account, named: Account, context: RequestContext): Account
  sudoRefused(context: RequestContext): Refusal
  sudoAccountMissing(login: string, context: RequestContext): Refusal
}

const schemes: Readonly<Record<string, Scheme>> = {
  bearer: 'bearer',
  token: 'legacy',
  basic: 'basic',
}

const open = new Set(['settings', 'documentation', 'unknown'])

const invalidCredentials: Refusal = {
  status: 401,
  message: 'invalid username, password or token',
}

export const authenticationRules: AuthenticationRules = {
  needsCaller: (context) => !open.has(context.endpoint),
  schemeOf: (prefix) => schemes[prefix.toLowerCase()],
  legacySchemeAllowed: (settings) => settings.allowLegacyTokenScheme,
  tokenParameters: (settings) => (settings.disableQueryAuthToken ? [] : ['token', 'access_token']),
  tokenWithValue: (value, context) => context.deployment.store.token(value),
  passwordHolds: (account, password) => account.password === password,
  anonymousCaller: () => undefined,
  missingCredentials: () => ({ status: 401, message: 'token is required' }),
  unknownToken: () => invalidCredentials,
  wrongPassword: () => invalidCredentials,
  unusableCredentials: () => invalidCredentials,
  legacyDisabled: () => ({
    status: 401,
    message: "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
  }),
  legacyHeaders: () => ({
    Deprecation: 'true',
    Sunset: 'Wed, 01 Apr 2026 00:00:00 GMT',
    Warning:
      "299 - \"The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead\"",
  }),
  bearerHeaders: () => ({}),
  challenge: () => 'Bearer realm="code hosting", Basic realm="code hosting", charset="UTF-8"',

  oneTimeCodeNeeded: (account, context) =>
    context.endpoint === 'create-token' && account.oneTimeSecret !== undefined,
  oneTimeCodeValid: (secret, code) => {
    const generator = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
    return generator.validate({ token: code, window: 1 }) !== null
  },
  oneTimeCodeMayRepeat: () => true,
  missingOneTimeCode: () => ({ status: 401, message: 'a one-time code is required' }),
  wrongOneTimeCode: () => ({ status: 401, message: 'the one-time code is not valid' }),

  sudoLogin: (context) =>
    context.headers.get('Sudo') ?? context.url.searchParams.get('sudo') ?? undefined,
  sudoAllowed: (actor) => actor.siteAdmin,
  performedAs: (_actor, named) => named,
  sudoRefused: () => ({ status: 403, message: 'only site admins may use sudo' }),
  sudoAccountMissing: (login) => ({ status: 404, message: `user ${login} does not exist` }),
}
