import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'code-hosting/authentication'

const warnsOfOthers: RuleChange = (rules) => ({
  ...rules,
  bearerHeaders: () => ({ Warning: '299 - "a backup is due", 110 cache.example "stale"' }),
  legacyHeaders: (context) => {
    const headers = rules.legacyHeaders(context)
    return { ...headers, Warning: `110 cache.example "stale", ${headers.Warning}` }
  },
})

function legacyWarning(make: (documented: string) => string): RuleChange {
  return replaceRule('legacyHeaders', (documented) => (context) => {
    const headers = documented(context)
    return { ...headers, Warning: make(headers.Warning ?? '') }
  })
}

/** Other headers and messages where the document shows none or leaves the text open. */
export const authenticationVariants: readonly Variant[] = [
  {
    name: 'no-challenge',
    tolerances: tolerance('no-challenge', [
      `${section}/missing-credentials`,
      `${section}/unknown-token`,
      `${section}/wrong-password`,
    ]),
    change: replaceRule('challenge', () => () => undefined),
  },
  {
    name: 'password-missing-for-token-creation',
    tolerances: [`${section}/missing-credentials-message/other-text-without-password`],
    change: replaceRule('missingCredentials', (documented) => (context) => {
      const refusal = documented(context)
      if (context.endpoint !== 'create-token') return refusal
      return { ...refusal, message: 'user name and password are required' }
    }),
  },
  {
    name: 'other-warnings',
    tolerances: tolerance('other-warnings', [
      `${section}/bearer-not-deprecated`,
      `${section}/legacy-warning-header`,
    ]),
    change: warnsOfOthers,
  },
  {
    name: 'warning-with-date',
    tolerances: [`${section}/legacy-warning-header/optional-date`],
    change: legacyWarning((warning) => `${warning} "Fri, 02 Jan 2026 00:00:00 GMT"`),
  },
  {
    name: 'warning-reworded',
    tolerances: [
      `${section}/legacy-warning-header/any-text`,
      `${section}/legacy-warning-header/any-agent`,
    ],
    change: legacyWarning(
      () => '299 git.example:8443 "This way is DEPRECATED; say \\"BEARER\\", not \\"token\\""',
    ),
  },
  {
    name: 'date-after-the-sunset',
    tolerances: [`${section}/legacy-sunset-header/past-date`],
    change: replaceRule('finish', (documented) => (parts, context) => {
      parts.headers.set('Date', 'Wed, 01 Jan 2031 00:00:00 GMT')
      return documented(parts, context)
    }),
  },
  {
    name: 'query-tokens-announced-as-deprecated',
    tolerances: tolerance('deprecation-headers', [
      `${section}/query-token`,
      `${section}/query-access-token`,
    ]),
    change: replaceRule('finish', (documented) => (parts, context) => {
      if (context.credentials?.scheme === 'query') {
        parts.headers.set('Deprecation', 'true')
        parts.headers.set('Warning', '299 - "tokens in the query are deprecated, use Bearer"')
      }
      return documented(parts, context)
    }),
  },
  {
    name: 'query-disabled-with-a-message',
    settings: { disableQueryAuthToken: true },
    tolerances: [`${section}/query-disabled/any-message`],
    change: replaceRule('missingCredentials', (documented) => (context) => {
      const { searchParams } = context.url
      const refusal = documented(context)
      if (!searchParams.has('token') && !searchParams.has('access_token')) return refusal
      return { ...refusal, message: 'tokens in the query are switched off' }
    }),
  },
]
