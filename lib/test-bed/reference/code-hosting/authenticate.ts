import { HttpError } from '../http.ts'
import type { Call } from './changes.ts'
import type { Caller, PresentedCredentials } from './server.ts'

function basicCredentials(encoded: string): PresentedCredentials {
  const [username = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { scheme: 'basic', username, password: rest.join(':') }
}

/** Returns the credentials of a request; the header field (RFC 9110, 11.6.2) precedes the query. */
function presentedCredentials(call: Call): PresentedCredentials {
  const { rules, headers, url, server } = call
  const field = headers.get('Authorization')
  if (field !== null) {
    const [prefix = '', rest = ''] = field.split(' ')
    const scheme = rules.schemeOf(prefix, call)
    if (scheme === undefined || rest === '') return { scheme: 'unusable' }
    return scheme === 'basic' ? basicCredentials(rest) : { scheme, token: rest }
  }
  const parameters = rules.tokenParameters(server.settings, call)
  const [token] = parameters.flatMap((parameter) => url.searchParams.get(parameter) || [])
  return token === undefined ? { scheme: 'none' } : { scheme: 'query', token }
}

function callerWith(call: Call, credentials: PresentedCredentials): Caller | undefined {
  const { rules, server } = call
  const { settings, store } = server
  switch (credentials.scheme) {
    case 'none':
      return rules.anonymousCaller(call)
    case 'unusable': {
      const caller = rules.unusableCaller(call)
      if (caller) return caller
      throw rules.unusableCredentials(call)
    }
    case 'basic': {
      const { username, password } = credentials
      const account = rules.accountNamed(username, password, call)
      const holds = account && rules.passwordHolds(account, password, call)
      if (!holds) throw rules.wrongPassword(call)
      return { account, actor: account, scopes: undefined }
    }
    default: {
      const isLegacy = credentials.scheme === 'legacy'
      if (isLegacy && !rules.legacySchemeAllowed(settings, call)) throw rules.legacyDisabled(call)
      const token = rules.tokenWithValue(credentials.token, call)
      const account = token && store.account(token.login)
      if (!account) throw rules.unknownToken(call)
      return { account, actor: account, scopes: token.scopes }
    }
  }
}

function underSudo(call: Call, caller: Caller): Caller {
  const { rules } = call
  const login = rules.sudoLogin(call)
  if (login === undefined) return caller
  if (!rules.sudoAllowed(caller.actor, call)) throw rules.sudoForbidden(call)
  const named = call.server.store.account(login)
  if (!named) throw rules.sudoAccountMissing(login, call)
  return { ...caller, account: rules.actAs(caller.actor, named, call) }
}

/**
 * Sets the credentials and the caller. Invalid credentials count as none if the endpoint needs no caller.
 *
 * @throws HttpError if a required caller is missing, or may not use sudo
 */
export function authenticate(call: Call): void {
  const needed = call.rules.needsCaller(call)
  try {
    call.credentials = presentedCredentials(call)
    const caller = callerWith(call, call.credentials)
    // Set before sudo is checked: a request with a rejected sudo is authenticated.
    call.caller = caller
    call.caller = caller && underSudo(call, caller)
  } catch (error) {
    if (needed || !(error instanceof HttpError)) throw error
  }
  if (needed && !call.caller) throw call.rules.missingCredentials(call)
}

export const callerOf = ({ caller }: Call): Caller => caller as Caller

/** @throws HttpError if the token has none of the scopes that the endpoint requires */
export function authorize(call: Call): void {
  const { rules, endpoint, caller } = call
  if (caller?.scopes === undefined) return
  const required = rules.requiredScopes(endpoint, call)
  if (required.length === 0 || rules.grants(caller.scopes, required, call)) return
  throw rules.missingScope(required, caller.scopes, call)
}

/** @throws HttpError if an account with two-factor authentication sends no valid one-time code */
export function checkOneTimeCode(call: Call): void {
  const { rules, headers } = call
  const { actor } = callerOf(call)
  if (actor.oneTimeSecret === undefined || !rules.oneTimeCodeNeeded(actor, call)) return
  const code = headers.get('X-Service-OTP') ?? ''
  if (code === '') throw rules.missingOneTimeCode(call)
  if (!rules.oneTimeCodeValid(actor.oneTimeSecret, code, call)) throw rules.wrongOneTimeCode(call)
}
