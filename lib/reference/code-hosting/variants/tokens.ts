import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'code-hosting/tokens'
const twoFactor = 'code-hosting/authentication'

/** As long as others, but in base64: with characters that a URL has to encode. */
function inBase64(value: string): string {
  return `v1.${Buffer.from(`<<${value}>>`).toString('base64')}`
}

const valuesInBase64: RuleChange = (rules) => ({
  ...rules,
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
    ...rules,
    oneTimeCodeMayRepeat: () => false,
    finish: (parts, context) => {
      const isFirst = parts.status === 201 && context.headers.has('X-Service-OTP') && !lost
      lost ||= isFirst
      return rules.finish(isFirst ? { status: 504, headers: new Headers() } : parts, context)
    },
  }
}

/** Other answers to requests for tokens, and tokens of another form. */
export const tokenVariants: readonly Variant[] = [
  {
    name: 'broken-json-422',
    tolerances: ['code-hosting/errors/malformed-body/status-422'],
    change: replaceRule('malformedBody', (documented) => (reason, context) => ({
      ...documented(reason, context),
      status: 422,
    })),
  },
  {
    name: 'unknown-scope-422',
    tolerances: [`${section}/unknown-scope/status-400-or-422`],
    change: replaceRule('unknownScope', (documented) => (scope, context) => ({
      ...documented(scope, context),
      status: 422,
    })),
  },
  {
    name: 'public-only-alone-refused',
    tolerances: ['code-hosting/scopes/public-only-grants-nothing/creation-refused'],
    unjudged: ['code-hosting/scopes/public-only-grants-nothing'],
    change: replaceRule('scopesRefused', () => (scopes) => {
      if (scopes.some((scope) => scope !== 'public-only')) return undefined
      return { status: 400, message: 'public-only needs another scope beside it' }
    }),
  },
  {
    name: 'token-creation-by-token-403',
    tolerances: [`${section}/basic-only/any-refusal-status`],
    change: replaceRule('passwordRequired', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'token-values-in-base64',
    tolerances: [`${section}/created/any-value-form`],
    change: valuesInBase64,
  },
  {
    name: 'token-known-by-its-end',
    tolerances: [`${section}/value-shown-once/last-eight-characters`],
    change: replaceRule('userRecord', (documented) => (account, context) => {
      const { credentials } = context
      const record = Object(documented(account, context))
      if (credentials === undefined || !('token' in credentials)) return record
      return { ...record, token_last_eight: credentials.token.slice(-8) }
    }),
  },
  {
    name: 'one-time-codes-once',
    tolerances: [`${twoFactor}/one-time-code-accepted/once-only-codes`],
    change: codesOnce,
  },
  {
    name: 'one-time-code-for-every-request-about-tokens',
    change: replaceRule(
      'oneTimeCodeNeeded',
      () => (account) => account.oneTimeSecret !== undefined,
    ),
  },
  {
    name: 'one-time-code-refused-with-400-and-403',
    tolerances: tolerance('any-refusal-status', [
      `${twoFactor}/one-time-code-required`,
      `${twoFactor}/one-time-code-checked`,
    ]),
    change: (rules) => ({
      ...rules,
      missingOneTimeCode: (context) => ({ ...rules.missingOneTimeCode(context), status: 400 }),
      wrongOneTimeCode: (context) => ({ ...rules.wrongOneTimeCode(context), status: 403 }),
    }),
  },
]
