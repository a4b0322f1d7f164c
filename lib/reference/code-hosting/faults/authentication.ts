import type { Fault } from '../fault.ts'
import { logins } from '../population.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

type Headers = Readonly<Record<string, string>>

function without(headers: Headers, name: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
}

/** Faults in how callers are identified. */
export const authenticationFaults: readonly Fault[] = [
  {
    name: 'missing-credentials-answered-with-403',
    requirements: [`${section}/missing-credentials`],
    change: replaceRule('missingCredentials', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'wrong-missing-credentials-message',
    requirements: [`${section}/missing-credentials-message`],
    change: replaceRule('missingCredentials', (documented) => (context) => ({
      ...documented(context),
      message: 'authentication required',
    })),
  },
  {
    name: 'wrong-unknown-token-message',
    requirements: [`${section}/unknown-token-message`],
    change: replaceRule('unknownToken', (documented) => (context) => ({
      ...documented(context),
      message: 'token does not exist',
    })),
  },
  {
    name: 'wrong-password-answered-with-403',
    requirements: [`${section}/wrong-password`],
    change: replaceRule('wrongPassword', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'wrong-wrong-password-message',
    requirements: [`${section}/wrong-password-message`],
    change: replaceRule('wrongPassword', (documented) => (context) => ({
      ...documented(context),
      message: 'wrong password',
    })),
  },
  {
    name: 'bearer-prefix-case-sensitive',
    requirements: [`${section}/bearer-case-insensitive`],
    change: replaceRule('schemeOf', (documented) => (prefix, context) => {
      const scheme = documented(prefix, context)
      return scheme === 'bearer' && prefix !== 'Bearer' ? undefined : scheme
    }),
  },
  {
    name: 'legacy-prefix-case-sensitive',
    requirements: [`${section}/legacy-case-insensitive`],
    change: replaceRule('schemeOf', (documented) => (prefix, context) => {
      const scheme = documented(prefix, context)
      return scheme === 'legacy' && prefix !== 'token' ? undefined : scheme
    }),
  },
  {
    name: 'deprecation-headers-on-bearer',
    requirements: [`${section}/bearer-not-deprecated`],
    change: (rules) => ({ ...rules, bearerHeaders: rules.legacyHeaders }),
  },
  {
    name: 'legacy-refused',
    requirements: [`${section}/legacy-accepted`],
    change: replaceRule('legacySchemeAllowed', () => () => false),
  },
  {
    name: 'deprecation-header-missing',
    requirements: [`${section}/legacy-deprecation-header`],
    change: replaceRule(
      'legacyHeaders',
      (documented) => (context) => without(documented(context), 'Deprecation'),
    ),
  },
  {
    name: 'sunset-header-missing',
    requirements: [`${section}/legacy-sunset-header`],
    change: replaceRule(
      'legacyHeaders',
      (documented) => (context) => without(documented(context), 'Sunset'),
    ),
  },
  {
    name: 'warning-header-without-bearer',
    requirements: [`${section}/legacy-warning-header`],
    change: replaceRule('legacyHeaders', (documented) => (context) => ({
      ...documented(context),
      Warning: '299 - "this authorization scheme is deprecated"',
    })),
  },
  {
    name: 'basic-refused',
    requirements: [`${section}/basic`],
    change: replaceRule('passwordHolds', (documented) => (account, password, context) => {
      // The other accounts' passwords are what rows about something else rest on.
      if (context.endpoint === 'user' && account.login === logins.main) return false
      return documented(account, password, context)
    }),
  },
  {
    name: 'query-token-refused',
    requirements: [`${section}/query-token`],
    change: replaceRule('tokenParameters', () => () => ['access_token']),
  },
  {
    name: 'query-access-token-refused',
    requirements: [`${section}/query-access-token`],
    change: replaceRule('tokenParameters', () => () => ['token']),
  },
]
