import {
  altered,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  refusing,
  where,
  within,
} from '../changes.ts'

type Scopes = readonly string[]

type Grants = (granted: Scopes, required: Scopes) => boolean

const alsoGranted = (grants: Grants) =>
  altered('grants', (is, granted, required) => is || grants(granted, required))

const notGranted = (denies: Grants) =>
  altered('grants', (is, granted, required) => is && !denies(granted, required))

/** Opens what the one scope opens to those that match too. */
const opened = (documented: string, also: RegExp) =>
  alsoGranted(
    (granted, required) =>
      required.includes(documented) && granted.some((scope) => also.test(scope)),
  )

/** Nothing for a token without `all` that has no write scope which opens the endpoint. */
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

const missing = refusing('missingScope')
const withoutScopes = 'token does not have at least one of required scope(s)'

/** Names other scopes than those that are missing and those that are there. */
const named =
  (change: (required: Scopes, granted: Scopes) => [Scopes, Scopes]): RuleChange =>
  ({ missingScope }) => ({
    missingScope: (required, granted, context) =>
      missingScope(...change(required, granted), context),
  })
const requiredNamed = (change: (scopes: Scopes) => Scopes) =>
  named((required, granted) => [change(required), granted])
const grantedNamed = (change: (scopes: Scopes) => Scopes) =>
  named((required, granted) => [required, change(granted)])

const ignored: Partial<Rules> = { publicOnlyHides: () => false }
const hidesAll: Partial<Rules> = { publicOnlyHides: (_, scopes) => scopes.includes('public-only') }

const list = 'user-repositories'
const listedAll = on(list, ignored)

export const scopeFaults = faultsOf('scopes', {
  'missing-scope-status + public-only-grants-nothing': { 'scope-answered-with-401': missing(401) },
  'missing-scope-status': {
    'scope-answered-with-401-on-repositories': missing(401, 'repository'),
    'scope-answered-with-404-on-repositories': missing(404, 'repository'),
  },
  'read-suffices': {
    'read-scope-of-repositories-grants-nothing': on('repository', readGrantsNothing),
    'read-scope-of-the-user-grants-nothing': on('user', readGrantsNothing),
    'read-scopes-do-not-open-the-list': on(list, readGrantsNothing),
  },
  'write-includes-read': {
    'write-does-not-include-read': inclusionLost,
    'write-of-repositories-does-not-include-read': on('repository', inclusionLost),
  },
  'all + resources/repository': { 'all-does-not-open-repositories': on('repository', allLost) },
  all: { 'all-does-not-open-the-user': on('user', allLost) },
  'categories-separate': {
    'write-scopes-grant-every-category': allWritten,
    'write-of-organizations-opens-repositories': opened('read:repository', /^write:organization$/),
    'read-of-packages-opens-repositories': opened('read:repository', /^read:package$/),
    'scopes-of-repositories-open-the-user': opened('read:user', /:repository$/),
  },
  'missing-scope-message + message-names-required + message-names-granted': {
    'missing-scope-message-without-scopes': missing(withoutScopes),
    'missing-scope-message-without-scopes-on-a-repository': missing(withoutScopes, 'repository'),
  },
  'missing-scope-message': {
    'missing-scope-message-without-brackets': missing((text) => text.replace(/[[\]]/g, '')),
    'missing-scope-message-in-another-case': missing((text) => text.replace(/^t/, 'T')),
    'missing-scope-message-with-full-stop': missing((text) => `${text}.`),
    'missing-scope-message-in-other-words': missing((text) => text.replace('token scope=', 'has ')),
  },
  'message-names-required': {
    'missing-scope-message-names-other-required': requiredNamed(() => ['read:package']),
    'missing-scope-message-names-write-as-required': requiredNamed((scopes) =>
      scopes.map((scope) => scope.replace('read:', 'write:')),
    ),
  },
  'message-names-granted': {
    'missing-scope-message-names-other-granted': grantedNamed((has) => [...has, 'read:package']),
    'missing-scope-message-names-none-granted': grantedNamed(() => []),
  },
  'message-names-required + message-names-granted': {
    'missing-scope-message-with-scopes-swapped': named((required, granted) => [granted, required]),
  },
  'public-only-grants-nothing': {
    'public-only-grants-everything': hasPublicOnly,
    'public-only-opens-public-repositories': on('repository', hasPublicOnly),
    'public-only-opens-the-list': on(list, hasPublicOnly),
  },
  'public-only-listing': {
    'public-only-ignored-in-listing': listedAll,
    'public-only-ignored-far-from-the-ends': within('account-of-many-repositories', listedAll),
  },
  // What is hidden on the first page alone is not counted there either.
  'public-only-listing + pagination/total-count': {
    'public-only-ignored-behind-the-first-page': where(
      ({ endpoint, url }) => endpoint === list && (url.searchParams.get('page') ?? '1') !== '1',
      ignored,
    ),
  },
  'public-only-hides-private': {
    'public-only-ignored-on-the-record': on('repository', ignored),
    'public-only-answered-with-401': refused('hiddenByPublicOnly', 401),
    'public-only-error-sent-with-200': refused('hiddenByPublicOnly', 200),
  },
  'public-only-shows-public': {
    'public-only-hides-public': on('repository', hidesAll),
    'public-only-empties-the-list': on(list, hidesAll),
  },
})
