import {
  altered,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  where,
  within,
} from '../rules.ts'

type Scopes = readonly string[]

type Grants = (granted: Scopes, required: Scopes) => boolean

/** Grants more than the document does. */
function alsoGranted(grants: Grants): RuleChange {
  return altered('grants', (isGranted, granted, required) => isGranted || grants(granted, required))
}

/** Grants less than the document does. */
function notGranted(denies: Grants): RuleChange {
  return altered(
    'grants',
    (isGranted, granted, required) => isGranted && !denies(granted, required),
  )
}

/** A token without `all` that has no write scope which opens the endpoint. */
const readsAlone: Grants = (granted, required) =>
  !granted.includes('all') &&
  !required.some((scope) => granted.includes(scope.replace('read:', 'write:')))

const hasAll: Grants = (granted) => granted.includes('all')
const hasPublicOnly = alsoGranted((granted) => granted.includes('public-only'))

/** Names other scopes than those that are missing and those that are there. */
function named(change: (required: Scopes, granted: Scopes) => [Scopes, Scopes]): RuleChange {
  return ({ missingScope }) => ({
    missingScope: (required, granted, context) =>
      missingScope(...change(required, granted), context),
  })
}

/** Names the same scopes in another text. */
const worded = (change: (message: string) => string) => refused('missingScope', change)

const withoutScopes = refused(
  'missingScope',
  'token does not have at least one of required scope(s)',
)

/** Repositories that tokens with `public-only` do not see, and no others. */
function hidden(isHidden: boolean): Partial<Rules> {
  return {
    publicOnlyHides: (_repository, scopes) => isHidden && scopes.includes('public-only'),
  }
}

/** Faults in what scopes grant, in the refusal of a token that lacks one, and in `public-only`. */
export const scopeFaults = faultsOf('scopes', {
  'missing-scope-status + public-only-grants-nothing': {
    'scope-answered-with-401': refused('missingScope', 401),
  },
  'missing-scope-status': {
    'scope-answered-with-401-on-repositories': on('repository', refused('missingScope', 401)),
    'scope-answered-with-404-on-repositories': on('repository', refused('missingScope', 404)),
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
    'public-only-ignored-far-from-the-ends': within(
      'account-of-many-repositories',
      on('user-repositories', hidden(false)),
    ),
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
    'public-only-answered-with-401': refused('hiddenByPublicOnly', 401),
    'public-only-error-sent-with-200': refused('hiddenByPublicOnly', 200),
  },
  'public-only-shows-public': {
    'public-only-hides-public': on('repository', hidden(true)),
    'public-only-empties-the-list': on('user-repositories', hidden(true)),
  },
})
