import { createHash } from 'node:crypto'
import { Refusal } from '../../endpoints.ts'
import { altered, faultsOf, on, type Rules, refused, refusing, sent, where } from '../changes.ts'
import type { RequestContext } from '../deployment.ts'
import { logins } from '../population.ts'
import { sentBy } from './authentication.ts'

const recordWith = (change: (record: { sha1: string; token_last_eight: string }) => object) =>
  altered('tokenRecord', (record) => ({ ...record, ...change(Object(record)) }))

const ending = (lastEight: (value: string) => string) => ({ lastEight })

const hashed = (by: string, value: string) => createHash(by).update(value).digest('hex')

export const sentToken = ({ credentials }: RequestContext): string | undefined =>
  credentials !== undefined && 'token' in credentials ? credentials.token : undefined

const anyCredentials: Partial<Rules> = { managesTokens: () => true }
const unknownScope = refusing('unknownScope')

const alsoKnown = (isKnown: (scope: string) => boolean) =>
  altered('scopeKnown', (known, scope) => known || isKnown(scope))

export const tokenFaults = faultsOf('tokens', {
  'created + name-unique-per-user + documented-scopes + authentication/one-time-code-accepted': {
    'token-created-with-200': { createdTokenStatus: () => 200 },
  },
  'basic-only': {
    'tokens-created-with-a-token': anyCredentials,
    'tokens-created-with-the-legacy-prefix': where(sentBy('legacy'), anyCredentials),
    'tokens-created-with-a-token-in-the-query': where(sentBy('query'), anyCredentials),
    'password-required-error-sent-with-200': refused('passwordRequired', 200),
  },
  'duplicate-name': {
    'duplicate-name-accepted': { tokenNameTaken: () => false },
    'duplicate-name-answered-with-409': refused('duplicateTokenName', 409),
  },
  'name-unique-per-user': {
    'token-names-unique-across-users': {
      tokenNameTaken: (tokens, _account, name) => tokens.some((token) => token.name === name),
    },
  },
  'documented-scopes': {
    'documented-scope-refused': altered(
      'scopeKnown',
      (is, one) => is && one !== 'read:activitypub',
    ),
    'admin-scopes-refused-to-the-site-admin': { mayGrant: (scope) => !scope.endsWith(':admin') },
  },
  'unknown-scope': {
    'unknown-scope-accepted': { scopeKnown: () => true },
    'scopes-of-unknown-categories-accepted': alsoKnown((scope) => /^(read|write):\w+$/.test(scope)),
    'scopes-of-unknown-levels-accepted': (rules) => ({
      scopeKnown: (scope, context) =>
        [scope, scope.replace(/^\w+:/, 'read:')].some((one) => rules.scopeKnown(one, context)),
    }),
    'unknown-scope-answered-with-403': unknownScope(new Refusal(403, '')),
    'unknown-scope-answered-with-500': unknownScope(new Refusal(500, '')),
  },
  created: {
    'token-value-under-another-name': recordWith(({ sha1 }) => ({ sha1: undefined, token: sha1 })),
    'token-value-an-object': recordWith(({ sha1 }) => ({ sha1: { value: sha1 } })),
    'token-value-of-five-kilobytes': recordWith(({ sha1 }) => ({ sha1: sha1.padStart(5000, 'f') })),
  },
  'created + last-eight': {
    'last-eight-missing': recordWith(() => ({ token_last_eight: undefined })),
    'last-eight-a-number': recordWith(({ token_last_eight: end }) => ({
      token_last_eight: Number.parseInt(end, 16),
    })),
  },
  'last-eight': {
    'last-eight-is-first-eight': ending((value) => value.slice(0, 8)),
    'last-eight-is-last-seven': ending((value) => value.slice(-7)),
    'last-eight-is-last-nine': ending((value) => value.slice(-9)),
    'last-eight-without-the-last': ending((value) => value.slice(-9, -1)),
    'last-eight-behind-asterisks': ending((value) => `****${value.slice(-8)}`),
    'last-eight-of-a-hash': ending((value) => hashed('sha256', value).slice(-8)),
  },
  authenticates: {
    'token-value-cut-short': recordWith(({ sha1 }) => ({ sha1: sha1.slice(1) })),
    'token-value-is-a-hash-of-it': recordWith(({ sha1, token_last_eight: end }) => ({
      sha1: hashed('sha1', sha1).slice(0, -8) + end,
    })),
  },
  'authenticates + resources/user': {
    'token-authenticates-another-user': on(
      'user',
      altered('tokenWithValue', (token) =>
        token?.login === logins.main ? { ...token, login: logins.other } : token,
      ),
    ),
  },
  'value-shown-once': {
    'token-value-in-listing': on(
      'user-repositories',
      altered('repositoryRecord', (record, { owner, name }, context) => {
        const value = sentToken(context)
        if (value === undefined) return record
        const address = context.deployment.baseUrl.replace('://', `://${value}@`)
        return { ...record, clone_url: `${address}/${owner}/${name}.git` }
      }),
    ),
    'token-value-in-duplicate-name-message': altered(
      'duplicateTokenName',
      ({ status, message }, name, { deployment }) => {
        const token = deployment.store.tokens.find((other) => other.name === name)
        return new Refusal(status, `${message} (${token?.value})`)
      },
    ),
    'token-value-in-the-user-record': altered('userRecord', (record, { login }, { deployment }) => {
      const tokens = deployment.store.tokensOf(login)
      return { ...record, tokens: tokens.map(({ name, value }) => ({ name, sha1: value })) }
    }),
    'token-value-in-a-cookie': sent(({ headers }, context) => {
      const value = context.caller && sentToken(context)
      if (value !== undefined) headers.set('Set-Cookie', `session=${value}; HttpOnly`)
    }),
  },
})
