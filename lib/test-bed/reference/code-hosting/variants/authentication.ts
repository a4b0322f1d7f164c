import { HttpError, responseParts } from '../../http.ts'
import { inSection, tolerance } from '../../rule-tables.ts'
import { alter, on, onlyIf, type RuleChange, reject, sendFields, uses } from '../changes.ts'
import { presentedToken } from '../faults/tokens.ts'
import { usesScheme } from '../requests.ts'
import type { RequestContext } from '../server.ts'

const tolerances = (name: string, ...requirements: readonly string[]) =>
  tolerance(name, ...inSection('authentication', ...requirements))

const inQuery = ({ url: { searchParams } }: RequestContext) =>
  searchParams.has('token') || searchParams.has('access_token')

/** Returns the username and the password of a request with Basic authentication. */
const basicText = ({ headers }: RequestContext) =>
  Buffer.from(headers.get('Authorization')?.split(' ')[1] ?? '', 'base64').toString('utf8')

const legacyWarning = (make: (documented: string) => string) =>
  alter('legacyHeaders', (headers) => ({ ...headers, Warning: make(headers.Warning ?? '') }))

/** Returns a token value with characters that a URL must encode. */
const inBase64 = (value: string) => `v1.${Buffer.from(`<<${value}>>`).toString('base64')}`

const issuedValues = (change: (value: string) => string) =>
  alter('tokenRecord', (record) => {
    const { sha1 } = Object(record)
    return { ...record, sha1: change(String(sha1)) }
  })

const valuesInBase64: RuleChange = ({ lastEight, tokenRecord }) => ({
  tokenWithValue: (value, { server }) =>
    server.store.tokens.find((token) => inBase64(token.value) === value),
  lastEight: (value, context) => lastEight(inBase64(value), context),
  tokenRecord: (token, end, context) =>
    tokenRecord({ ...token, value: inBase64(token.value) }, end, context),
})

/** Accepts each code once, and loses the first response: a retry needs another code. */
const codesOnce: RuleChange = (rules) => {
  const used = new Set<string>()
  let lost = false
  return {
    oneTimeCodeValid: (secret, code, context) =>
      rules.oneTimeCodeValid(secret, code, context) && used.size < used.add(code).size,
    finish: (parts, context) => {
      const isFirst = parts.status === 201 && context.headers.has('X-Service-OTP') && !lost
      lost ||= isFirst
      return rules.finish(isFirst ? responseParts(504) : parts, context)
    },
  }
}

const rejectUsedCodesFirst: RuleChange = (rules) => {
  const used = new Set<string>()
  return {
    oneTimeCodeValid: (secret, code, context) =>
      rules.oneTimeCodeValid(secret, code, context) && used.size < used.add(code).size,
    wrongPassword: (context) =>
      used.has(context.headers.get('X-Service-OTP') ?? '')
        ? new HttpError(403, 'the one-time code was used before')
        : rules.wrongPassword(context),
  }
}

/** Formats scopes differently; the document states neither separator nor order. */
const scopesNamed =
  (
    make: (scopes: readonly string[]) => string,
    makeRequired: (scopes: readonly string[]) => string = make,
  ): RuleChange =>
  () => ({
    missingScope: (required, granted) =>
      new HttpError(
        403,
        `token does not have at least one of required scope(s), required=[${makeRequired(required)}], token scope=${make(granted)}`,
      ),
  })

const withoutValidCredentials = [
  ...['missing-credentials', 'unusable-credentials', 'unknown-token', 'unknown-username'],
  'wrong-password',
]

export const authenticationVariants = [
  uses(tolerances('no-challenge', ...withoutValidCredentials), {
    'no-challenge': () => ({ challenge: () => undefined }),
  }),
  uses('authentication/missing-credentials-message/other-text-without-password', {
    'password-missing-for-token-creation': reject(
      'missingCredentials',
      'user name and password are required',
      'create-token',
    ),
  }),
  uses('authentication/unusable-credentials/malformed-400', {
    'credentials-without-a-colon-400': onlyIf(
      (context) => !basicText(context).includes(':'),
      reject('wrongPassword', 400),
    ),
  }),
  uses('authentication/unusable-credentials/any-message', {
    'unusable-credentials-count-as-missing': reject('unusableCredentials', 'token is required'),
  }),
  uses('authentication/wrong-password-message/other-text-for-empty', {
    'empty-password-missing': onlyIf(
      (context) => basicText(context).endsWith(':'),
      reject('wrongPassword', 'token is required'),
    ),
  }),
  uses('authentication/unknown-token-message/query-token-required', {
    'unknown-query-token-required': onlyIf(
      usesScheme('query'),
      reject('unknownToken', 'token is required'),
    ),
  }),
  uses(tolerances('other-warnings', 'bearer-not-deprecated', 'legacy-warning-header'), {
    'other-warnings': [
      legacyWarning((warning) => `110 cache.example "stale", ${warning}`),
      { bearerHeaders: () => ({ Warning: '299 - "a backup is due", 110 cache.example "stale"' }) },
    ],
  }),
  uses('authentication/legacy-warning-header/optional-date', {
    'warning-with-date': legacyWarning((warning) => `${warning} "Fri, 02 Jan 2026 00:00:00 GMT"`),
  }),
  uses(tolerance(['any-text', 'any-agent'], 'authentication/legacy-warning-header'), {
    'warning-reworded': legacyWarning(
      () => '299 git.example:8443 "This way is DEPRECATED; say \\"BEARER\\", not \\"token\\""',
    ),
  }),
  uses('authentication/legacy-sunset-header/past-date', {
    'date-after-the-sunset': sendFields({ Date: 'Wed, 01 Jan 2031 00:00:00 GMT' }),
  }),
  uses(tolerances('deprecation-headers', 'query-token', 'query-access-token'), {
    'query-tokens-announced-as-deprecated': onlyIf(
      usesScheme('query'),
      sendFields({
        Deprecation: 'true',
        Warning: '299 - "tokens in the query are deprecated, use Bearer"',
      }),
    ),
  }),
  uses('authentication/query-disabled/any-message', {
    'query-disabled-with-a-message': {
      settings: { disableQueryAuthToken: true },
      change: onlyIf(inQuery, reject('missingCredentials', 'query tokens are switched off')),
    },
  }),
  uses('authentication/query-disabled/any-refusal-status', {
    'query-disabled-with-403': {
      settings: { disableQueryAuthToken: true },
      change: onlyIf(inQuery, reject('missingCredentials', 403)),
    },
  }),
  uses('authentication/bearer-not-deprecated/deprecated-endpoint', {
    'endpoints-deprecated': on(
      ['user', 'user-repositories'],
      alter('bearerHeaders', () => ({
        Deprecation: '@1767225600',
        Sunset: 'Thu, 31 Dec 2026 00:00:00 GMT',
      })),
    ),
  }),
  uses('authentication/sudo-admin-only/sudo-ignored', {
    'sudo-of-others-ignored': onlyIf(({ caller }) => !caller?.actor.siteAdmin, {
      sudoLogin: () => undefined,
    }),
  }),
  uses('authentication/sudo-admin-only/any-refusal-status', {
    'sudo-of-others-401': reject('sudoForbidden', 401),
  }),
  uses(tolerance('anonymous-401-or-404', 'errors/missing-repository', 'errors/hidden-repository'), {
    'missing-and-hidden-repositories-404-without-credentials': onlyIf(
      ({ parameters: { owner = '', repo = '' }, server }) =>
        server.store.repository(owner, repo)?.private !== false,
      on('repository', reject('missingCredentials', 404)),
    ),
  }),
  uses('authentication/one-time-code-accepted/once-only-codes', {
    'one-time-codes-once': codesOnce,
  }),
  uses('authentication/one-time-code-insufficient/any-refusal-status', {
    'one-time-codes-checked-first': rejectUsedCodesFirst,
  }),
  uses(tolerances('any-refusal-status', 'one-time-code-required', 'one-time-code-checked'), {
    'one-time-code-rejected-with-400-and-403': [
      reject('missingOneTimeCode', 400),
      reject('wrongOneTimeCode', 403),
    ],
  }),
  uses('errors/malformed-body/status-422', {
    'body-that-ends-too-early-422': {
      change: {
        parsedBody(text) {
          if (!text.includes('}')) throw new HttpError(422, 'the body ends too early')
          return JSON.parse(text)
        },
      },
    },
  }),
  uses('tokens/unknown-scope/status-400-or-422', {
    'unknown-scope-422': reject('unknownScope', 422),
  }),
  uses('scopes/public-only-grants-nothing/creation-refused', {
    'public-only-by-itself-rejected': {
      change: {
        scopesError: (requested) =>
          requested.every((scope) => scope === 'public-only')
            ? new HttpError(400, 'public-only needs another scope')
            : undefined,
      },
    },
  }),
  uses('tokens/own-credentials/any-refusal-status', {
    'tokens-of-others-404': reject('foreignTokens', 404),
  }),
  uses('tokens/documented-scopes/combinations-refused', {
    'scope-all-only-by-itself': {
      change: {
        scopesError: (requested) =>
          requested.includes('all') && requested.length > 1
            ? new HttpError(422, 'scopes: all goes with no other scope')
            : undefined,
      },
    },
  }),
  uses('tokens/basic-only/any-refusal-status', {
    'token-creation-by-token-403': reject('passwordRequired', 403),
  }),
  uses('tokens/created/any-value-form', {
    'token-values-in-base64': valuesInBase64,
    'token-values-of-five-kilobytes-inconclusive': {
      unjudged: ['tokens/created'],
      change: issuedValues((value) => value.padStart(5000, 'f')),
    },
  }),
  uses('tokens/value-shown-once/last-eight-characters', {
    'last-eight-characters-in-the-user-record': alter(
      'userRecord',
      (record, _account, context) => ({
        ...record,
        token_last_eight: presentedToken(context)?.slice(-8),
      }),
    ),
  }),
  uses('scopes/missing-scope-message/any-separators', {
    'scopes-separated-by-spaces': scopesNamed((names) => names.join(' ')),
  }),
  uses('scopes/missing-scope-message/any-order', {
    'scopes-in-another-order': scopesNamed((names) => names.toReversed().join()),
  }),
  uses('scopes/message-names-required/including-scopes', {
    'write-scopes-named-too': scopesNamed(String, (names) => {
      const including = names.map((scope) => scope.replace(/^read:/, 'write:'))
      return [...new Set([...names, ...including])].join()
    }),
  }),
  uses('scopes/message-names-required/either-category-for-repositories', {
    'repositories-need-read-user': on('user-repositories', { requiredScopes: () => ['read:user'] }),
  }),
  uses('scopes/public-only-hides-private/status-403-or-404', {
    'public-only-403': reject('hiddenByPublicOnly', 403),
  }),
  uses([], {
    'one-time-code-for-every-request-about-tokens': () => ({
      oneTimeCodeNeeded: ({ oneTimeSecret }) => oneTimeSecret !== undefined,
    }),
  }),
].flat()
