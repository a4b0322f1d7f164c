import { tolerance, variantsOf } from '../../service.ts'
import { on, type RuleChange, refused, where } from '../changes.ts'
import type { Deployment } from '../deployment.ts'
import type { Configuration } from '../population.ts'
import type { Rules } from '../rules.ts'

const section = 'code-hosting/authentication'
const tokens = 'code-hosting/tokens'
const scopes = 'code-hosting/scopes'
const eitherCategory = `${scopes}/message-names-required/either-category-for-repositories`

function legacyWarning(make: (documented: string) => string): RuleChange {
  return (rules) => ({
    legacyHeaders: (context) => {
      const headers = rules.legacyHeaders(context)
      return { ...headers, Warning: make(headers.Warning ?? '') }
    },
  })
}

/** As long as others, but in base64: with characters that a URL has to encode. */
function inBase64(value: string): string {
  return `v1.${Buffer.from(`<<${value}>>`).toString('base64')}`
}

const valuesInBase64: RuleChange = (rules) => ({
  tokenWithValue: (value, context) =>
    context.deployment.store.tokens().find((token) => inBase64(token.value) === value),
  lastEight: (value, context) => rules.lastEight(inBase64(value), context),
  tokenRecord: (token, lastEight, context) =>
    rules.tokenRecord({ ...token, value: inBase64(token.value) }, lastEight, context),
})

/** The first answer that a code brought is lost: whoever asks again needs another code. */
const codesOnce: RuleChange = (rules) => {
  let lost = false
  return {
    oneTimeCodeMayRepeat: () => false,
    finish: (parts, context) => {
      const isFirst = parts.status === 201 && context.headers.has('X-Service-OTP') && !lost
      lost ||= isFirst
      return rules.finish(isFirst ? { status: 504, headers: new Headers() } : parts, context)
    },
  }
}

/** Names the scopes in another way; the document shows no separator and no order. */
function scopesNamed(
  make: (scopes: readonly string[], kind: 'required' | 'granted') => string,
): Partial<Rules> {
  return {
    missingScope: (required, granted) => ({
      status: 403,
      message: `token does not have at least one of required scope(s), required=[${make(required, 'required')}], token scope=${make(granted, 'granted')}`,
    }),
  }
}

/** Other headers and messages where the document shows none or leaves the text open. */
const credentialVariants = variantsOf<Rules, Deployment, Configuration>({
  'no-challenge': {
    tolerances: tolerance('no-challenge', [
      `${section}/missing-credentials`,
      `${section}/unknown-token`,
      `${section}/wrong-password`,
    ]),
    change: { challenge: () => undefined },
  },
  'password-missing-for-token-creation': {
    tolerances: [`${section}/missing-credentials-message/other-text-without-password`],
    change: on(
      'create-token',
      refused('missingCredentials', { message: 'user name and password are required' }),
    ),
  },
  'other-warnings': {
    tolerances: tolerance('other-warnings', [
      `${section}/bearer-not-deprecated`,
      `${section}/legacy-warning-header`,
    ]),
    change: (rules) => ({
      ...legacyWarning((warning) => `110 cache.example "stale", ${warning}`)(rules),
      bearerHeaders: () => ({ Warning: '299 - "a backup is due", 110 cache.example "stale"' }),
    }),
  },
  'warning-with-date': {
    tolerances: [`${section}/legacy-warning-header/optional-date`],
    change: legacyWarning((warning) => `${warning} "Fri, 02 Jan 2026 00:00:00 GMT"`),
  },
  'warning-reworded': {
    tolerances: [
      `${section}/legacy-warning-header/any-text`,
      `${section}/legacy-warning-header/any-agent`,
    ],
    change: legacyWarning(
      () => '299 git.example:8443 "This way is DEPRECATED; say \\"BEARER\\", not \\"token\\""',
    ),
  },
  'date-after-the-sunset': {
    tolerances: [`${section}/legacy-sunset-header/past-date`],
    change: (rules) => ({
      finish: (parts, context) => {
        parts.headers.set('Date', 'Wed, 01 Jan 2031 00:00:00 GMT')
        return rules.finish(parts, context)
      },
    }),
  },
  'query-tokens-announced-as-deprecated': {
    tolerances: tolerance('deprecation-headers', [
      `${section}/query-token`,
      `${section}/query-access-token`,
    ]),
    change: where(
      ({ credentials }) => credentials?.scheme === 'query',
      (rules) => ({
        finish: (parts, context) => {
          parts.headers.set('Deprecation', 'true')
          parts.headers.set('Warning', '299 - "tokens in the query are deprecated, use Bearer"')
          return rules.finish(parts, context)
        },
      }),
    ),
  },
  'query-disabled-with-a-message': {
    settings: { disableQueryAuthToken: true },
    tolerances: [`${section}/query-disabled/any-message`],
    change: where(
      ({ url }) => url.searchParams.has('token') || url.searchParams.has('access_token'),
      refused('missingCredentials', { message: 'tokens in the query are switched off' }),
    ),
  },
  'one-time-codes-once': {
    tolerances: [`${section}/one-time-code-accepted/once-only-codes`],
    change: codesOnce,
  },
  'one-time-code-for-every-request-about-tokens': {
    change: { oneTimeCodeNeeded: ({ oneTimeSecret }) => oneTimeSecret !== undefined },
  },
  'one-time-code-refused-with-400-and-403': {
    tolerances: tolerance('any-refusal-status', [
      `${section}/one-time-code-required`,
      `${section}/one-time-code-checked`,
    ]),
    change: (rules) => ({
      ...refused('missingOneTimeCode', { status: 400 })(rules),
      ...refused('wrongOneTimeCode', { status: 403 })(rules),
    }),
  },
})

/** Other answers to requests for tokens, tokens of another form, and other refusals of scopes. */
const tokenVariants = variantsOf<Rules, Deployment, Configuration>({
  'broken-json-422': {
    tolerances: ['code-hosting/errors/malformed-body/status-422'],
    change: refused('malformedBody', { status: 422 }),
  },
  'unknown-scope-422': {
    tolerances: [`${tokens}/unknown-scope/status-400-or-422`],
    change: refused('unknownScope', { status: 422 }),
  },
  'public-only-alone-refused': {
    tolerances: [`${scopes}/public-only-grants-nothing/creation-refused`],
    unjudged: [`${scopes}/public-only-grants-nothing`],
    change: {
      scopesRefused: (requested) =>
        requested.some((scope) => scope !== 'public-only')
          ? undefined
          : { status: 400, message: 'public-only needs another scope beside it' },
    },
  },
  'token-creation-by-token-403': {
    tolerances: [`${tokens}/basic-only/any-refusal-status`],
    change: refused('passwordRequired', { status: 403 }),
  },
  'token-values-in-base64': {
    tolerances: [`${tokens}/created/any-value-form`],
    change: valuesInBase64,
  },
  'token-known-by-its-end': {
    tolerances: [`${tokens}/value-shown-once/last-eight-characters`],
    change: (rules) => ({
      userRecord: (account, context) => {
        const { credentials } = context
        const record = Object(rules.userRecord(account, context))
        if (credentials === undefined || !('token' in credentials)) return record
        return { ...record, token_last_eight: credentials.token.slice(-8) }
      },
    }),
  },
  'scopes-separated-by-spaces': {
    tolerances: [`${scopes}/missing-scope-message/any-separators`],
    change: scopesNamed((names) => names.join(' ')),
  },
  'scopes-separated-by-commas-and-spaces': {
    tolerances: [`${scopes}/missing-scope-message/any-separators`],
    change: scopesNamed((names) => names.join(', ')),
  },
  'scopes-in-another-order': {
    tolerances: [`${scopes}/missing-scope-message/any-order`],
    change: scopesNamed((names) => names.toReversed().join()),
  },
  'write-scopes-named-too': {
    tolerances: [`${scopes}/message-names-required/including-scopes`],
    change: scopesNamed((names, kind) => {
      if (kind === 'granted') return names.join()
      const including = names.map((scope) => scope.replace(/^read:/, 'write:'))
      return [...new Set([...names, ...including])].join()
    }),
  },
  'repositories-need-read-user': {
    tolerances: [eitherCategory],
    change: on('user-repositories', { requiredScopes: () => ['read:user'] }),
  },
  'repositories-need-read-repository': {
    tolerances: [eitherCategory],
    change: on('user-repositories', { requiredScopes: () => ['read:repository'] }),
  },
  'public-only-403': {
    tolerances: [`${scopes}/public-only-hides-private/status-403-or-404`],
    change: refused('hiddenByPublicOnly', { status: 403 }),
  },
})

/** Other ways with credentials, tokens and scopes. */
export const authenticationVariants = [...credentialVariants, ...tokenVariants]
