import { RefusedError, refuse } from '../endpoints.ts'
import type { Caller, Credentials } from './deployment.ts'
import type { Call } from './rules.ts'

function basicCredentials(encoded: string): Credentials {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const [username = '', ...rest] = decoded.split(':')
  if (rest.length === 0) return { scheme: 'unusable' }
  return { scheme: 'basic', username, password: rest.join(':') }
}

/** What the request presents: the header (RFC 9110, 11.6.2) goes before the query. */
function presentedCredentials({ context, rules }: Call): Credentials {
  const field = context.headers.get('Authorization')
  if (field !== null) {
    const [, prefix = '', rest = ''] = /^(\S+) +(.*)$/.exec(field.trim()) ?? []
    const scheme = rules.schemeOf(prefix, context)
    if (scheme === undefined || rest === '') return { scheme: 'unusable' }
    return scheme === 'basic' ? basicCredentials(rest) : { scheme, token: rest }
  }
  for (const parameter of rules.tokenParameters(context.deployment.settings, context)) {
    const token = context.url.searchParams.get(parameter)
    if (token !== null && token !== '') return { scheme: 'query', token }
  }
  return { scheme: 'none' }
}

function callerWithToken(call: Call, value: string): Caller {
  const { context, rules } = call
  const token = rules.tokenWithValue(value, context)
  const account = token && context.deployment.store.account(token.login)
  if (token === undefined || account === undefined) return refuse(rules.unknownToken(context))
  return { account, actor: account, scopes: token.scopes }
}

function callerWithPassword(call: Call, username: string, password: string): Caller {
  const { context, rules } = call
  const account = context.deployment.store.account(username)
  if (account === undefined || !rules.passwordHolds(account, password, context)) {
    return refuse(rules.wrongPassword(context))
  }
  return { account, actor: account, scopes: undefined }
}

function callerWith(call: Call, credentials: Credentials): Caller | undefined {
  const { context, rules } = call
  switch (credentials.scheme) {
    case 'none':
      return rules.anonymousCaller(context)
    case 'unusable':
      return refuse(rules.unusableCredentials(context))
    case 'basic':
      return callerWithPassword(call, credentials.username, credentials.password)
    case 'legacy':
      if (!rules.legacySchemeAllowed(context.deployment.settings, context)) {
        return refuse(rules.legacyDisabled(context))
      }
      return callerWithToken(call, credentials.token)
    default:
      return callerWithToken(call, credentials.token)
  }
}

function underSudo(call: Call, caller: Caller): Caller {
  const { context, rules } = call
  const login = rules.sudoLogin(context)
  if (login === undefined) return caller
  if (!rules.sudoAllowed(caller.actor, context)) return refuse(rules.sudoRefused(context))
  const named = context.deployment.store.account(login)
  if (named === undefined) return refuse(rules.sudoAccountMissing(login, context))
  return { ...caller, account: rules.performedAs(caller.actor, named, context) }
}

/**
 * Finds out who calls, and leaves it in the context. Where no caller is needed, credentials that
 * do not hold make the request an anonymous one.
 *
 * @throws RefusedError where a caller is needed and nobody is identified, or sudo is refused
 */
export function authenticate(call: Call): void {
  const { context, rules } = call
  const needed = rules.needsCaller(context)
  try {
    context.credentials = presentedCredentials(call)
    const caller = callerWith(call, context.credentials)
    // Set before sudo is looked at: a refused sudo is still an authenticated request.
    context.caller = caller
    context.caller = caller && underSudo(call, caller)
  } catch (error) {
    if (needed || !(error instanceof RefusedError)) throw error
  }
  if (needed && context.caller === undefined) refuse(rules.missingCredentials(context))
}

/**
 * Compares the token's scopes with those that the endpoint asks for.
 *
 * @throws RefusedError when none of them is granted
 */
export function authorize(call: Call): void {
  const { context, rules } = call
  const granted = context.caller?.scopes
  if (granted === undefined) return
  const required = rules.requiredScopes(context.endpoint, context)
  if (required.length === 0 || rules.grants(granted, required, context)) return
  refuse(rules.missingScope(required, granted, context))
}

/**
 * Asks an account with two-factor authentication for its one-time code.
 *
 * @throws RefusedError when it is absent or not valid
 */
export function checkOneTimeCode(call: Call): void {
  const { context, rules } = call
  const account = context.caller?.actor
  if (account?.oneTimeSecret === undefined || !rules.oneTimeCodeNeeded(account, context)) return
  const code = context.headers.get('X-Service-OTP')
  if (code === null || code === '') refuse(rules.missingOneTimeCode(context))
  const used = account.usedOneTimeCodes.has(code) && !rules.oneTimeCodeMayRepeat(context)
  if (used || !rules.oneTimeCodeValid(account.oneTimeSecret, code, context)) {
    refuse(rules.wrongOneTimeCode(context))
  }
  account.usedOneTimeCodes.add(code)
}
