import { TOTP } from 'otpauth'
import type { Refusal } from '../../endpoints.ts'
import type { Account, Caller, RequestContext, Scheme, Settings } from '../deployment.ts'

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

type Fields = Readonly<Record<string, string>>

/**
 * Document: Authentication, with its sudo row; Errors, authentication failures;
 * Endpoints, the token creation row.
 */
export const authenticationRules = {
  /** Whether the endpoint answers to known callers alone. */
  needsCaller: (context: RequestContext) => !open.has(context.endpoint),
  /** The scheme that a prefix of the `Authorization` header stands for, whatever its case. */
  schemeOf: (prefix: string) => schemes[prefix.toLowerCase()],
  legacySchemeAllowed: (settings: Settings) => settings.allowLegacyTokenScheme,
  /** The query parameters in which a token is looked for. */
  tokenParameters: (settings: Settings): readonly string[] =>
    settings.disableQueryAuthToken ? [] : ['token', 'access_token'],
  tokenWithValue: (value: string, { deployment }: RequestContext) => deployment.store.token(value),
  passwordHolds: (account: Account, password: string) => account.password === password,
  /** Whom a request without credentials is made by; `undefined` for nobody. */
  anonymousCaller: (): Caller | undefined => undefined,
  /** Nothing that names a caller. */
  missingCredentials: (): Refusal => ({ status: 401, message: 'token is required' }),
  unknownToken: () => invalidCredentials,
  wrongPassword: () => invalidCredentials,
  /** An `Authorization` header of another scheme or form. */
  unusableCredentials: () => invalidCredentials,
  legacyDisabled: (): Refusal => ({
    status: 401,
    message: "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
  }),
  /** Headers on responses to callers that used the `token` prefix. */
  legacyHeaders: (): Fields => ({
    Deprecation: 'true',
    Sunset: 'Wed, 01 Apr 2026 00:00:00 GMT',
    Warning:
      "299 - \"The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead\"",
  }),
  /** Headers on responses to callers that used the `Bearer` prefix. */
  bearerHeaders: (): Fields => ({}),
  /** The `WWW-Authenticate` header of a 401 (RFC 9110, 11.6.1), which the document leaves open. */
  challenge: (): string | undefined =>
    'Bearer realm="code hosting", Basic realm="code hosting", charset="UTF-8"',

  // One-time codes are those of RFC 6238.
  oneTimeCodeNeeded: (account: Account, context: RequestContext) =>
    context.endpoint === 'create-token' && account.oneTimeSecret !== undefined,
  /** @param secret in base32 */
  oneTimeCodeValid: (secret: string, code: string) => {
    const generator = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
    return generator.validate({ token: code, window: 1 }) !== null
  },
  /** Whether a code that was accepted before is accepted again. */
  oneTimeCodeMayRepeat: () => true,
  missingOneTimeCode: (): Refusal => ({ status: 401, message: 'a one-time code is required' }),
  wrongOneTimeCode: (): Refusal => ({ status: 401, message: 'the one-time code is not valid' }),

  // The sudo row.
  /** The login that the request is to be performed as, from the header or else from the query. */
  sudoLogin: ({ headers, url }: RequestContext) =>
    headers.get('Sudo') ?? url.searchParams.get('sudo') ?? undefined,
  sudoAllowed: (actor: Account) => actor.siteAdmin,
  /** The account as which the request is performed in the end. */
  performedAs: (_actor: Account, named: Account) => named,
  sudoRefused: (): Refusal => ({ status: 403, message: 'only site admins may use sudo' }),
  sudoAccountMissing: (login: string): Refusal => ({
    status: 404,
    message: `user ${login} does not exist`,
  }),
}
