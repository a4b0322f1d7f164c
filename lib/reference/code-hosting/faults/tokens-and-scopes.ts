import { createHash } from 'node:crypto'
import { faultsOf } from '../../service.ts'
import { on, type RuleChange, refused, where } from '../changes.ts'
import { logins } from '../population.ts'
import type { RequestContext } from '../request-context.ts'
import type { Rules } from '../rules.ts'

type Scopes = readonly string[]

/** Changes fields of the record that creation is answered with. */
function recordWith(change: (record: Readonly<Record<string, unknown>>) => object): RuleChange {
  return (rules) => ({
    tokenRecord: (...parameters) => {
      const record = Object(rules.tokenRecord(...parameters))
      return { ...record, ...change(record) }
    },
  })
}

/** The token that the request was sent with. */
function sentToken({ credentials }: RequestContext): string | undefined {
  return credentials !== undefined && 'token' in credentials ? credentials.token : undefined
}

type Grants = (granted: Scopes, required: Scopes) => boolean

/** Grants more than the document does. */
function alsoGranted(grants: Grants): RuleChange {
  return (rules) => ({
    grants: (granted, required, context) =>
      grants(granted, required) || rules.grants(granted, required, context),
  })
}

/** Grants less than the document does. */
function notGranted(denies: Grants): RuleChange {
  return (rules) => ({
    grants: (granted, required, context) =>
      !denies(granted, required) && rules.grants(granted, required, context),
  })
}

/** A token without `all` that has no write scope which opens the endpoint. */
const readsAlone: Grants = (granted, required) =>
  !granted.includes('all') &&
  !required.some((scope) => granted.includes(scope.replace('read:', 'write:')))

const hasAll: Grants = (granted) => granted.includes('all')
const hasPublicOnly = alsoGranted((granted) => granted.includes('public-only'))

/** Names other scopes than those that are missing and those that are there. */
function named(change: (required: Scopes, granted: Scopes) => [Scopes, Scopes]): RuleChange {
  return (rules) => ({
    missingScope: (required, granted, context) =>
      rules.missingScope(...change(required, granted), context),
  })
}

/** Names the same scopes in another text. */
function worded(change: (message: string) => string): RuleChange {
  return refused('missingScope', ({ message }) => ({ message: change(message) }))
}

const withoutScopes = refused('missingScope', {
  message: 'token does not have at least one of required scope(s)',
})

/** Repositories that tokens with `public-only` do not see, and no others. */
function hidden(isHidden: boolean): Partial<Rules> {
  return {
    publicOnlyHides: (_repository, scopes) => isHidden && scopes.includes('public-only'),
  }
}

/** Faults in which tokens are created, and in their records and values. */
export const tokenFaults = faultsOf<Rules>('code-hosting/tokens', {
  [[
    'created',
    'name-unique-per-user',
    'documented-scopes',
    'authentication/one-time-code-accepted',
  ].join(' + ')]: {
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
    'password-required-error-sent-with-200': refused('passwordRequired', { status: 200 }),
  },
  'duplicate-name': {
    'duplicate-name-accepted': { tokenNameTaken: () => false },
    'duplicate-name-answered-with-409': refused('duplicateTokenName', { status: 409 }),
  },
  'name-unique-per-user': {
    'token-names-unique-across-users': {
      tokenNameTaken: (tokens, _account, name) => tokens.some((token) => token.name === name),
    },
  },
  'documented-scopes': {
    'documented-scope-refused': (rules) => ({
      scopeKnown: (scope, context) =>
        scope !== 'read:activitypub' && rules.scopeKnown(scope, context),
    }),
    'admin-scopes-refused-to-the-site-admin': { mayGrant: (scope) => !scope.endsWith(':admin') },
  },
  'unknown-scope': {
    'unknown-scope-accepted': { scopeKnown: () => true },
    'scopes-of-unknown-categories-accepted': (rules) => ({
      scopeKnown: (scope, context) =>
        /^(read|write):\w+$/.test(scope) || rules.scopeKnown(scope, context),
    }),
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
    'token-authenticates-another-user': on('user', (rules) => ({
      tokenWithValue: (value, context) => {
        const token = rules.tokenWithValue(value, context)
        return token?.login === logins.main ? { ...token, login: logins.other } : token
      },
    })),
  },
  'value-shown-once': {
    'token-value-in-listing': on('user-repositories', (rules) => ({
      repositoryRecord: (repository, context) => {
        const record = rules.repositoryRecord(repository, context)
        const value = sentToken(context)
        if (value === undefined) return record
        const address = context.deployment.baseUrl.replace('://', `://${value}@`)
        return {
          ...Object(record),
          clone_url: `${address}/${repository.owner}/${repository.name}.git`,
        }
      },
    })),
    'token-value-in-duplicate-name-message': (rules) => ({
      duplicateTokenName: (name, context) => {
        const refusal = rules.duplicateTokenName(name, context)
        const token = context.deployment.store.tokens().find((other) => other.name === name)
        return { ...refusal, message: `${refusal.message} (${token?.value})` }
      },
    }),
    'token-value-in-the-user-record': (rules) => ({
      userRecord: (account, context) => ({
        ...Object(rules.userRecord(account, context)),
        tokens: context.deployment.store
          .tokens()
          .filter(({ login }) => login === account.login)
          .map(({ name, value }) => ({ name, sha1: value })),
      }),
    }),
    'token-value-in-a-cookie': where(
      ({ caller }) => caller !== undefined,
      (rules) => ({
        finish: (parts, context) => {
          const value = sentToken(context)
          if (value !== undefined) parts.headers.set('Set-Cookie', `session=${value}; HttpOnly`)
          return rules.finish(parts, context)
        },
      }),
    ),
  },
})

/** Faults in what scopes grant, in what a token that lacks one is told, and in `public-only`. */
export const scopeFaults = faultsOf<Rules>('code-hosting/scopes', {
  'missing-scope-status + public-only-grants-nothing': {
    'scope-answered-with-401': refused('missingScope', { status: 401 }),
  },
  'missing-scope-status': {
    'scope-answered-with-401-on-repositories': on(
      'repository',
      refused('missingScope', { status: 401 }),
    ),
    'scope-answered-with-404-on-repositories': on(
      'repository',
      refused('missingScope', { status: 404 }),
    ),
  },
  'read-suffices': {
    'read-scope-of-repositories-grants-nothing': on('repository', notGranted(readsAlone)),
    'read-scope-of-the-user-grants-nothing': on('user', notGranted(readsAlone)),
    'read-scopes-do-not-open-the-list': on('user-repositories', notGranted(readsAlone)),
  },
  'write-includes-read': {
    'write-does-not-include-read': {
      grants: (granted, required) =>
        granted.includes('all') || required.some((scope) => granted.includes(scope)),
    },
    'write-of-repositories-does-not-include-read': on(
      'repository',
      notGranted(
        (granted, required) =>
          !granted.some((scope) => scope === 'all' || required.includes(scope)),
      ),
    ),
  },
  'all + resources/repository': {
    'all-does-not-open-repositories': on('repository', notGranted(hasAll)),
  },
  all: {
    'all-does-not-open-the-user': on('user', notGranted(hasAll)),
  },
  'categories-separate': {
    'write-scopes-grant-every-category': alsoGranted((granted) =>
      granted.some((scope) => scope.startsWith('write:')),
    ),
    'write-of-organizations-opens-repositories': alsoGranted(
      (granted, required) =>
        required.includes('read:repository') && granted.includes('write:organization'),
    ),
    'read-of-packages-opens-repositories': alsoGranted(
      (granted, required) =>
        required.includes('read:repository') && granted.includes('read:package'),
    ),
    'scopes-of-repositories-open-the-user': alsoGranted(
      (granted, required) =>
        required.includes('read:user') && granted.some((scope) => scope.endsWith(':repository')),
    ),
  },
  'missing-scope-message + message-names-required + message-names-granted': {
    'missing-scope-message-without-scopes': withoutScopes,
    'missing-scope-message-without-scopes-on-a-repository': on('repository', withoutScopes),
  },
  'missing-scope-message': {
    'missing-scope-message-without-brackets': worded((message) => message.replace(/[[\]]/g, '')),
    'missing-scope-message-in-another-case': worded((message) => message.replace(/^t/, 'T')),
    'missing-scope-message-with-full-stop': worded((message) => `${message}.`),
    'missing-scope-message-in-other-words': worded((message) =>
      message.replace('token scope=', 'but it has '),
    ),
  },
  'message-names-required': {
    'missing-scope-message-names-other-required': named((_required, granted) => [
      ['read:package'],
      granted,
    ]),
    'missing-scope-message-names-write-as-required': named((required, granted) => [
      required.map((scope) => scope.replace('read:', 'write:')),
      granted,
    ]),
  },
  'message-names-granted': {
    'missing-scope-message-names-other-granted': named((required, granted) => [
      required,
      [...granted, 'read:package'],
    ]),
    'missing-scope-message-names-none-granted': named((required) => [required, []]),
  },
  'message-names-required + message-names-granted': {
    'missing-scope-message-with-scopes-swapped': named((required, granted) => [granted, required]),
  },
  'public-only-grants-nothing': {
    'public-only-grants-everything': hasPublicOnly,
    'public-only-opens-public-repositories': on('repository', hasPublicOnly),
    'public-only-opens-the-list': on('user-repositories', hasPublicOnly),
  },
  'public-only-listing': {
    'public-only-ignored-in-listing': on('user-repositories', hidden(false)),
    'public-only-ignored-far-from-the-ends': {
      variant: 'account-of-many-repositories',
      change: on('user-repositories', hidden(false)),
    },
  },
  // What is hidden on the first page alone is not counted there either.
  'public-only-listing + pagination/total-count': {
    'public-only-ignored-behind-the-first-page': where(
      ({ endpoint, url }) =>
        endpoint === 'user-repositories' && (url.searchParams.get('page') ?? '1') !== '1',
      hidden(false),
    ),
  },
  'public-only-hides-private': {
    'public-only-ignored-on-the-record': on('repository', hidden(false)),
    'public-only-answered-with-401': refused('hiddenByPublicOnly', { status: 401 }),
    'public-only-error-sent-with-200': refused('hiddenByPublicOnly', { status: 200 }),
  },
  'public-only-shows-public': {
    'public-only-hides-public': on('repository', hidden(true)),
    'public-only-empties-the-list': on('user-repositories', hidden(true)),
  },
})
