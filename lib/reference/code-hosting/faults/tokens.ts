import { createHash } from 'node:crypto'
import { HttpError } from '../../http.ts'
import {
  alter,
  alterParts,
  faultsOf,
  on,
  onlyIf,
  type RuleChange,
  reject,
  rejectionOf,
  within,
} from '../changes.ts'
import { documentedRules } from '../rules.ts'
import { type Endpoint, logins, type RequestContext } from '../server.ts'
import { usesScheme } from './authentication.ts'

const recordWith = (change: (record: { sha1: string; token_last_eight: string }) => object) =>
  alter('tokenRecord', (record) => ({ ...record, ...change(Object(record)) }))

const ending = (lastEight: (value: string) => string) => ({ lastEight })

const hashed = (by: string, value: string) => createHash(by).update(value).digest('hex')

export const presentedToken = ({ credentials }: RequestContext): string | undefined =>
  credentials !== undefined && 'token' in credentials ? credentials.token : undefined

const anyCredentials = { managesTokens: () => true }
const unknownScope = rejectionOf('unknownScope')

const firstScopeChecked: RuleChange = (rules) => {
  const checked = new WeakSet<RequestContext>()
  return {
    scopeKnown(scope, context) {
      if (checked.has(context)) return true
      checked.add(context)
      return rules.scopeKnown(scope, context)
    },
  }
}

const alsoKnown = (isKnown: (scope: string) => boolean) =>
  alter('scopeKnown', (known, scope) => known || isKnown(scope))

const tokens = faultsOf('tokens')
const scopes = faultsOf('scopes')

export const tokenFaults = [
  tokens(
    [
      'created',
      'name-unique-per-user',
      'documented-scopes',
      'authentication/one-time-code-accepted',
    ],
    {
      'token-created-with-200': { createdTokenStatus: () => 200 },
    },
  ),
  tokens('basic-only', {
    'tokens-created-with-a-token': anyCredentials,
    'tokens-created-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), anyCredentials),
    'tokens-created-with-a-token-in-the-query': onlyIf(usesScheme('query'), anyCredentials),
    'tokens-created-with-a-token-in-access-token': onlyIf(
      ({ url }) => url.searchParams.has('access_token'),
      anyCredentials,
    ),
    'token-accepted-in-place-of-the-password': alter(
      'passwordHolds',
      (holds, { login }, presented, { server }) =>
        holds || server.store.tokensOf(login).some(({ value }) => value === presented),
    ),
    'password-required-error-sent-with-200': reject('passwordRequired', 200),
  }),
  tokens('own-credentials', {
    'tokens-created-for-every-user': { managesTokensOf: () => true },
    'foreign-tokens-error-sent-with-200': reject('foreignTokens', 200),
  }),
  tokens('duplicate-name', {
    'duplicate-name-accepted-with-other-scopes': {
      tokenNameTaken: (tokens, { login }, name, scopes) =>
        tokens.some(
          (token) =>
            token.login === login && token.name === name && token.scopes.join() === scopes.join(),
        ),
    },
    'duplicate-name-accepted': { tokenNameTaken: () => false },
    'duplicate-name-answered-with-409': reject('duplicateTokenName', 409),
  }),
  tokens('name-unique-per-user', {
    'token-names-unique-across-users': {
      tokenNameTaken: (tokens, _account, name) => tokens.some((token) => token.name === name),
    },
  }),
  tokens('documented-scopes', {
    'documented-scope-refused': alter('scopeKnown', (is, one) => is && one !== 'read:activitypub'),
    'admin-scopes-refused-to-the-site-admin': { canGrant: (scope) => !scope.endsWith(':admin') },
  }),
  tokens('unknown-scope', {
    'unknown-scope-accepted': { scopeKnown: () => true },
    'scopes-of-unknown-categories-accepted': alsoKnown((scope) => /^(read|write):\w+$/.test(scope)),
    'scopes-of-unknown-levels-accepted': (rules) => ({
      scopeKnown: (scope, context) =>
        [scope, scope.replace(/^\w+:/, 'read:')].some((one) => rules.scopeKnown(one, context)),
    }),
    'unknown-scope-accepted-behind-a-known-one': firstScopeChecked,
    'unknown-scope-answered-with-403': unknownScope(new HttpError(403, '')),
    'unknown-scope-answered-with-500': unknownScope(new HttpError(500, '')),
  }),
  tokens('created', {
    'token-value-under-another-name': recordWith(({ sha1 }) => ({ sha1: undefined, token: sha1 })),
    'token-value-an-object': recordWith(({ sha1 }) => ({ sha1: { value: sha1 } })),
  }),
  tokens(['created', 'last-eight'], {
    'last-eight-missing': recordWith(() => ({ token_last_eight: undefined })),
    'last-eight-a-number': recordWith(({ token_last_eight: end }) => ({
      // Ten digits, whatever the value.
      token_last_eight: 4_000_000_000 + (Number.parseInt(end, 16) % 4_000_000_000),
    })),
  }),
  tokens('last-eight', {
    'last-eight-of-something-else': recordWith(() => ({ token_last_eight: '0a1b2c3d' })),
  }),
  tokens(['last-eight', 'last-eight-in-reads'], {
    'last-eight-is-first-eight': ending((value) => value.slice(0, 8)),
    'last-eight-is-last-seven': ending((value) => value.slice(-7)),
    'last-eight-is-last-nine': ending((value) => value.slice(-9)),
    'last-eight-without-the-last': ending((value) => value.slice(-9, -1)),
    'last-eight-behind-asterisks': ending((value) => `****${value.slice(-8)}`),
    'last-eight-of-a-hash': ending((value) => hashed('sha256', value).slice(-8)),
  }),
  tokens('authenticates', {
    'token-of-another-user-authenticates-the-main-one': on(
      'user',
      alter('tokenWithValue', (token) =>
        token?.login === logins.other ? { ...token, login: logins.main } : token,
      ),
    ),
    'token-value-cut-short': recordWith(({ sha1 }) => ({ sha1: sha1.slice(1) })),
    'token-value-is-a-hash-of-it': recordWith(({ sha1, token_last_eight: end }) => ({
      sha1: hashed('sha1', sha1).slice(0, -8) + end,
    })),
  }),
  tokens(['authenticates', 'resources/user'], {
    'token-authenticates-another-user': on(
      'user',
      alter('tokenWithValue', (token) =>
        token?.login === logins.main ? { ...token, login: logins.other } : token,
      ),
    ),
  }),
  tokens('value-shown-once', {
    'token-value-in-listing': on(
      'user-repositories',
      alter('repositoryRecord', (record, { owner, name }, context) => {
        const value = presentedToken(context)
        if (value === undefined) return record
        const address = context.server.baseUrl.replace('://', `://${value}@`)
        return { ...record, clone_url: `${address}/${owner}/${name}.git` }
      }),
    ),
    'token-value-in-duplicate-name-message': alter(
      'duplicateTokenName',
      ({ status, message }, name, { server }) => {
        const token = server.store.tokens.find((other) => other.name === name)
        return new HttpError(status, `${message} (${token?.value})`)
      },
    ),
    'token-value-in-the-user-record': alter('userRecord', (record, { login }, { server }) => {
      const tokens = server.store.tokensOf(login)
      return { ...record, tokens: tokens.map(({ name, value }) => ({ name, sha1: value })) }
    }),
    'token-value-in-a-cookie': alterParts(({ headers }, context) => {
      const value = context.caller && presentedToken(context)
      if (value !== undefined) headers.set('Set-Cookie', `session=${value}; HttpOnly`)
    }),
  }),
].flat()

type Scopes = readonly string[]

type Grants = (granted: Scopes, required: Scopes) => boolean

const alsoGranted = (grants: Grants) =>
  alter('grants', (is, granted, required) => is || grants(granted, required))

const notGranted = (denies: Grants) =>
  alter('grants', (is, granted, required) => is && !denies(granted, required))

/** Accepts matching scopes like the documented one. */
const opened = (documented: string, also: RegExp) =>
  alsoGranted(
    (granted, required) =>
      required.includes(documented) && granted.some((scope) => also.test(scope)),
  )

const readGrantsNothing = notGranted(
  (granted, required) =>
    !granted.includes('all') &&
    !required.some((scope) => granted.includes(scope.replace('read:', 'write:'))),
)
const inclusionLost = notGranted(
  (granted, required) => !granted.some((scope) => scope === 'all' || required.includes(scope)),
)
const allLost = notGranted((granted) => granted.includes('all'))
const allWritten = alsoGranted((granted) => granted.some((scope) => /^write:/.test(scope)))
const hasPublicOnly = alsoGranted((granted) => granted.includes('public-only'))

const missing = rejectionOf('missingScope')
const withoutScopes = 'token does not have at least one of required scope(s)'

const named = (change: (required: Scopes, granted: Scopes) => [Scopes, Scopes]) =>
  alter('missingScope', (_result, required, granted) =>
    documentedRules.missingScope(...change(required, granted)),
  )
const requiredNamed = (change: (scopes: Scopes) => Scopes) =>
  named((required, granted) => [change(required), granted])
const grantedNamed = (change: (scopes: Scopes) => Scopes) =>
  named((required, granted) => [required, change(granted)])

const everythingGranted = { grants: () => true }

const bothNeeded = notGranted(
  (granted) =>
    !granted.includes('all') &&
    !['user', 'repository'].every((category) =>
      granted.some((one) => one.endsWith(`:${category}`)),
    ),
)

const readSuffices = (endpoint: Endpoint) =>
  on(
    endpoint,
    alter('requiredScopes', (scopes) => scopes.map((scope) => scope.replace('write:', 'read:'))),
  )

const ignoreWith = (other: RegExp) =>
  on(
    'repository',
    alter(
      'publicOnlyHides',
      (hides, _, scopes) => hides && !scopes.some((scope) => other.test(scope)),
    ),
  )

const ignored = { publicOnlyHides: () => false }
const hidesAll = alter('publicOnlyHides', (_hides, _, scopes) => scopes.includes('public-only'))

const list = 'user-repositories'
const listedAll = on(list, ignored)

export const scopeFaults = [
  scopes(
    [
      'missing-scope-status',
      'public-only-grants-nothing',
      'repository-category',
      'admin-needs-site-admin',
    ],
    {
      'scope-answered-with-401': missing(401),
    },
  ),
  scopes('missing-scope-status', {
    'scopes-ignored-in-the-query': onlyIf(usesScheme('query'), everythingGranted),
    'scopes-ignored-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), everythingGranted),
    'no-scope-grants-everything': alsoGranted((granted) => granted.length === 0),
    'scopes-ignored-with-sudo': onlyIf(
      ({ headers, url }) => headers.has('Sudo') || url.searchParams.has('sudo'),
      everythingGranted,
    ),
    'scope-answered-with-401-on-repositories': missing(401, 'repository'),
    'scope-answered-with-404-on-repositories': missing(404, 'repository'),
  }),
  scopes('read-suffices', {
    'read-scope-of-repositories-grants-nothing': on('repository', readGrantsNothing),
    'read-scope-of-the-user-grants-nothing': on('user', readGrantsNothing),
    'read-scopes-do-not-open-the-list': on(list, readGrantsNothing),
  }),
  scopes(['read-suffices', 'write-includes-read'], {
    'repositories-need-scopes-of-both-categories': on('repository', bothNeeded),
    'user-needs-scopes-of-both-categories': on('user', bothNeeded),
  }),
  scopes('changes-need-write', {
    'read-scope-creates-repositories': readSuffices('create-repository'),
    'read-scope-changes-repositories': readSuffices('change-repository'),
  }),
  scopes('write-includes-read', {
    'write-does-not-include-read': inclusionLost,
    'write-of-repositories-does-not-include-read': on('repository', inclusionLost),
  }),
  scopes(['all', 'resources/repository'], {
    'all-does-not-open-repositories': on('repository', allLost),
  }),
  scopes('all', { 'all-does-not-open-the-user': on('user', allLost) }),
  scopes(['categories-separate', 'repository-category'], {
    'write-scopes-grant-every-category': allWritten,
    'write-of-organizations-opens-repositories': opened('read:repository', /^write:organization$/),
    'read-of-packages-opens-repositories': opened('read:repository', /^read:package$/),
  }),
  scopes('categories-separate', {
    'scopes-of-repositories-open-the-user': opened('read:user', /:repository$/),
    'scopes-of-organizations-open-the-list': on(list, opened('read:user', /:organization$/)),
    'scopes-of-administration-open-everything': alsoGranted((granted) =>
      granted.some((scope) => scope.endsWith(':admin')),
    ),
  }),
  scopes(['missing-scope-message', 'message-names-required', 'message-names-granted'], {
    'missing-scope-message-without-scopes': missing(withoutScopes),
    'missing-scope-message-without-scopes-on-a-repository': missing(withoutScopes, 'repository'),
  }),
  scopes('missing-scope-message', {
    'missing-scope-message-without-brackets': missing((text) => text.replace(/[[\]]/g, '')),
    'missing-scope-message-in-another-case': missing((text) => text.replace(/^t/, 'T')),
    'missing-scope-message-with-full-stop': missing((text) => `${text}.`),
    'missing-scope-message-in-other-words': missing((text) => text.replace('token scope=', 'has ')),
  }),
  scopes('message-names-required', {
    'missing-scope-message-names-other-required': requiredNamed(() => ['read:package']),
    'missing-scope-message-names-write-as-required': requiredNamed((scopes) =>
      scopes.map((scope) => scope.replace('read:', 'write:')),
    ),
  }),
  scopes('message-names-granted', {
    'missing-scope-message-names-other-granted': grantedNamed((has) => [...has, 'read:package']),
    'missing-scope-message-names-none-granted': grantedNamed(() => []),
  }),
  scopes(['message-names-required', 'message-names-granted'], {
    'missing-scope-message-with-scopes-swapped': named((required, granted) => [granted, required]),
  }),
  scopes('public-only-grants-nothing', {
    'public-only-grants-everything': hasPublicOnly,
    'public-only-opens-public-repositories': on('repository', hasPublicOnly),
    'public-only-opens-the-list': on(list, hasPublicOnly),
  }),
  scopes('public-only-listing', {
    'public-only-ignored-in-listing': listedAll,
    'public-only-lists-other-private-repositories': on(
      list,
      alter('publicOnlyHides', (hides, { name }) => hides && name === 'diary'),
    ),
    'public-only-ignored-far-from-the-ends': within('account-of-many-repositories', listedAll),
  }),
  // Repositories that only the first page hides are missing in its count too.
  scopes(['public-only-listing', 'pagination/total-count'], {
    'public-only-ignored-behind-the-first-page': onlyIf(
      ({ endpoint, url }) => endpoint === list && (url.searchParams.get('page') ?? '1') !== '1',
      ignored,
    ),
  }),
  scopes('public-only-hides-private', {
    'public-only-ignored-on-the-record': on('repository', ignored),
    'public-only-ignored-beside-all': ignoreWith(/^all$/),
    'public-only-ignored-beside-write-scopes': ignoreWith(/^write:/),
    'public-only-ignored-in-the-query': onlyIf(usesScheme('query'), ignored),
    'public-only-ignored-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), ignored),
    'public-only-answered-with-401': reject('hiddenByPublicOnly', 401),
    'public-only-error-sent-with-200': reject('hiddenByPublicOnly', 200),
  }),
  scopes('public-only-shows-public', {
    'public-only-hides-public': on('repository', hidesAll),
    'public-only-empties-the-list': on(list, hidesAll),
    'public-only-may-not-list': on(
      list,
      notGranted((granted) => granted.includes('public-only')),
    ),
  }),
].flat()
