import { HttpError, responseParts } from '../../http.ts'
import { inSection, tolerance } from '../../rule-tables.ts'
import { alter, on, onlyIf, type RuleChange, reject, sendFields, uses } from '../changes.ts'
import { usesScheme } from '../requests.ts'
import type { RequestContext } from '../server.ts'

const required = 'token is required'

const tolerances = (name: string, ...requirements: readonly string[]) =>
  tolerance(name, ...inSection('authentication', ...requirements))

const inQuery = ({ url: { searchParams } }: RequestContext) =>
  searchParams.has('token') || searchParams.has('access_token')

/** Returns the username and the password of a request with Basic authentication. */
const basicText = ({ headers }: RequestContext) =>
  Buffer.from(headers.get('Authorization')?.split(' ')[1] ?? '', 'base64').toString('utf8')

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

export const authenticationVariants = [
  uses(
    tolerances(
      'no-challenge',
      ...['missing-credentials', 'unusable-credentials', 'unknown-token', 'unknown-username'],
      'wrong-password',
    ),
    { 'no-challenge': { change: { challenge: () => undefined } } },
  ),
  uses(
    [
      tolerances('other-text-without-password', 'missing-credentials-message'),
      tolerances('any-message', 'unusable-credentials'),
      tolerances('other-text-for-empty', 'wrong-password-message'),
      tolerances('query-token-required', 'unknown-token-message'),
    ],
    {
      'rejections-with-other-messages': [
        reject('missingCredentials', 'user name and password are required', 'create-token'),
        reject('unusableCredentials', required),
        onlyIf((context) => basicText(context).endsWith(':'), reject('wrongPassword', required)),
        onlyIf(usesScheme('query'), reject('unknownToken', required)),
      ],
    },
  ),
  uses(
    [
      tolerances('malformed-400', 'unusable-credentials'),
      tolerances('any-refusal-status', 'one-time-code-required', 'one-time-code-checked'),
      tolerances('any-refusal-status', 'sudo-admin-only'),
      tolerance('any-refusal-status', 'tokens/own-credentials', 'tokens/basic-only'),
      tolerance('status-400-or-422', 'tokens/unknown-scope'),
      tolerance('status-403-or-404', 'scopes/public-only-hides-private'),
    ],
    {
      'rejections-with-other-statuses': [
        onlyIf((context) => !basicText(context).includes(':'), reject('wrongPassword', 400)),
        reject('missingOneTimeCode', 400),
        reject('wrongOneTimeCode', 403),
        reject('sudoForbidden', 401),
        reject('foreignTokens', 404),
        reject('passwordRequired', 403),
        reject('unknownScope', 422),
        reject('hiddenByPublicOnly', 403),
      ],
    },
  ),
  uses(
    [
      tolerances('other-warnings', 'bearer-not-deprecated', 'legacy-warning-header'),
      tolerances('deprecated-endpoint', 'bearer-not-deprecated'),
      tolerance(['any-text', 'any-agent', 'optional-date'], 'authentication/legacy-warning-header'),
      tolerances('past-date', 'legacy-sunset-header'),
      tolerances('deprecation-headers', 'query-token', 'query-access-token'),
    ],
    {
      'deprecation-announced-differently': [
        alter('legacyHeaders', (headers) => ({
          ...headers,
          Warning: [
            '110 cache.example "stale"',
            '299 git.example:8443 "This way is DEPRECATED; say \\"BEARER\\", not \\"token\\"" "Fri, 02 Jan 2026 00:00:00 GMT"',
          ].join(', '),
        })),
        {
          bearerHeaders: () => ({ Warning: '299 - "a backup is due", 110 cache.example "stale"' }),
        },
        on(
          ['user', 'user-repositories'],
          alter('bearerHeaders', (headers) => ({
            ...headers,
            Deprecation: '@1767225600',
            Sunset: 'Thu, 31 Dec 2026 00:00:00 GMT',
          })),
        ),
        sendFields({ Date: 'Wed, 01 Jan 2031 00:00:00 GMT' }),
        onlyIf(
          usesScheme('query'),
          sendFields({
            Deprecation: 'true',
            Warning: '299 - "tokens in the query are deprecated, use Bearer"',
          }),
        ),
      ],
    },
  ),
  uses(tolerance(['any-message', 'any-refusal-status'], 'authentication/query-disabled'), {
    'query-disabled-with-403': {
      settings: { disableQueryAuthToken: true },
      change: onlyIf(inQuery, reject('missingCredentials', new HttpError(403, 'not in the query'))),
    },
  }),
  uses('authentication/sudo-admin-only/sudo-ignored', {
    'sudo-of-others-ignored': onlyIf(({ caller }) => !caller?.actor.siteAdmin, {
      sudoLogin: () => undefined,
    }),
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
  uses('scopes/public-only-hides-private/status-403-or-404', {
    'private-repositories-hidden-before-scopes-count': onlyIf(
      ({ caller, parameters: { owner = '', repo = '' }, server }) =>
        caller?.scopes?.includes('public-only') === true &&
        server.store.repository(owner, repo)?.private === true,
      on('repository', reject('missingScope', new HttpError(404, 'there is no such repository'))),
    ),
  }),
  uses(
    [
      tolerance('creation-refused', 'scopes/public-only-grants-nothing'),
      tolerance('combinations-refused', 'tokens/documented-scopes'),
    ],
    {
      'public-only-only-with-others-and-all-by-itself': {
        change: {
          scopesError: (requested) =>
            requested.join() === 'public-only' ||
            (requested.includes('all') && requested.length > 1)
              ? new HttpError(400, 'scopes: not in this combination')
              : undefined,
        },
      },
    },
  ),
  uses('tokens/created/any-value-form', {
    'token-values-in-base64': valuesInBase64,
    'token-values-of-five-kilobytes-inconclusive': {
      unjudged: ['tokens/created'],
      change: issuedValues((value) => value.padStart(5000, 'f')),
    },
  }),
  uses(
    [
      tolerance(['any-separators', 'any-order'], 'scopes/missing-scope-message'),
      tolerance('including-scopes', 'scopes/message-names-required'),
    ],
    {
      'scopes-in-another-order-with-write-scopes': {
        change: {
          missingScope(required, granted) {
            const including = required.map((scope) => scope.replace(/^read:/, 'write:'))
            const named = [...new Set([...including, ...required])].join(' ')
            return new HttpError(
              403,
              `token does not have at least one of required scope(s), required=[${named}], token scope=${granted.toReversed().join(' ')}`,
            )
          },
        },
      },
    },
  ),
  uses('scopes/message-names-required/either-category-for-repositories', {
    'repositories-need-read-user': on('user-repositories', { requiredScopes: () => ['read:user'] }),
  }),
].flat()
