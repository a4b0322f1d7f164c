import { createHash } from 'node:crypto'
import type { RequestContext } from '../deployment.ts'
import { logins } from '../population.ts'
import { altered, faultsOf, on, type RuleChange, refused, sent, where } from '../rules.ts'

/** Changes fields of the record that creation is answered with. */
function recordWith(change: (record: Readonly<Record<string, unknown>>) => object): RuleChange {
  return altered('tokenRecord', (record) => ({ ...record, ...change(Object(record)) }))
}

/** The token that the request was sent with. */
function sentToken({ credentials }: RequestContext): string | undefined {
  return credentials !== undefined && 'token' in credentials ? credentials.token : undefined
}

/** Faults in which tokens are created, and in their records and values. */
export const tokenFaults = faultsOf('tokens', {
  'created + name-unique-per-user + documented-scopes + authentication/one-time-code-accepted': {
    'token-created-with-200': { createdTokenStatus: () => 200 },
  },
  'basic-only': {
    'tokens-created-with-a-token': { managesTokens: () => true },
    'tokens-created-with-the-legacy-prefix': where(
      ({ credentials }) => credentials?.scheme === 'legacy',
      { managesTokens: () => true },
    ),
    'tokens-created-with-a-token-in-the-query': where(
      ({ credentials }) => credentials?.scheme === 'query',
      { managesTokens: () => true },
    ),
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
      (known, scope) => known && scope !== 'read:activitypub',
    ),
    'admin-scopes-refused-to-the-site-admin': { mayGrant: (scope) => !scope.endsWith(':admin') },
  },
  'unknown-scope': {
    'unknown-scope-accepted': { scopeKnown: () => true },
    'scopes-of-unknown-categories-accepted': altered(
      'scopeKnown',
      (known, scope) => known || /^(read|write):\w+$/.test(scope),
    ),
    'scopes-of-unknown-levels-accepted': (rules) => ({
      scopeKnown: (scope, context) =>
        rules.scopeKnown(scope.replace(/^\w+:/, 'read:'), context) ||
        rules.scopeKnown(scope, context),
    }),
    'unknown-scope-answered-with-403': refused('unknownScope', { status: 403, message: '' }),
    'unknown-scope-answered-with-500': refused('unknownScope', { status: 500, message: '' }),
  },
  created: {
    'token-value-under-another-name': recordWith(({ sha1 }) => ({ sha1: undefined, token: sha1 })),
    'token-value-an-object': recordWith(({ sha1 }) => ({ sha1: { value: sha1 } })),
    'token-value-of-five-kilobytes': recordWith(({ sha1 }) => ({
      sha1: String(sha1).padStart(5000, 'f'),
    })),
  },
  'created + last-eight': {
    'last-eight-missing': recordWith(() => ({ token_last_eight: undefined })),
    'last-eight-a-number': recordWith(({ token_last_eight: end }) => ({
      token_last_eight: Number.parseInt(String(end), 16),
    })),
  },
  'last-eight': {
    'last-eight-is-first-eight': { lastEight: (value) => value.slice(0, 8) },
    'last-eight-is-last-seven': { lastEight: (value) => value.slice(-7) },
    'last-eight-is-last-nine': { lastEight: (value) => value.slice(-9) },
    'last-eight-without-the-last': { lastEight: (value) => value.slice(-9, -1) },
    'last-eight-behind-asterisks': { lastEight: (value) => `****${value.slice(-8)}` },
    'last-eight-of-a-hash': {
      lastEight: (value) => createHash('sha256').update(value).digest('hex').slice(-8),
    },
  },
  authenticates: {
    'token-value-cut-short': recordWith(({ sha1 }) => ({ sha1: String(sha1).slice(1) })),
    'token-value-is-a-hash-of-it': recordWith(({ sha1, token_last_eight: end }) => {
      const hash = createHash('sha1').update(String(sha1)).digest('hex')
      return { sha1: hash.slice(0, -8) + String(end) }
    }),
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
        return { status, message: `${message} (${token?.value})` }
      },
    ),
    'token-value-in-the-user-record': altered('userRecord', (record, account, { deployment }) => ({
      ...record,
      tokens: deployment.store.tokens
        .filter(({ login }) => login === account.login)
        .map(({ name, value }) => ({ name, sha1: value })),
    })),
    'token-value-in-a-cookie': where(
      ({ caller }) => caller !== undefined,
      sent(({ headers }, context) => {
        const value = sentToken(context)
        if (value !== undefined) headers.set('Set-Cookie', `session=${value}; HttpOnly`)
      }),
    ),
  },
})
