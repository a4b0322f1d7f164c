import { HttpError } from '../../http.ts'
import { alter, on, onlyIf, type RuleChange, scopes } from '../changes.ts'
import { hasQuery, list, underSudo, usesScheme } from '../requests.ts'
import { documentedRules } from '../rules.ts'
import type { FurtherEndpoint } from '../server.ts'

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
const allLost = notGranted((granted) => granted.includes('all'))
const hasPublicOnly = alsoGranted((granted) => granted.includes('public-only'))

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

const listedAll = on(list, ignored)

const requireScopes = (endpoint: FurtherEndpoint, ...scopes: readonly string[]) =>
  on(endpoint, { requiredScopes: () => scopes })

const alsoOpenTo = (endpoint: FurtherEndpoint, category: string) =>
  on(
    endpoint,
    alter(
      'grants',
      (grants, granted) => grants || granted.some((scope) => scope.endsWith(`:${category}`)),
    ),
  )

const first = (scopes: Scopes) => scopes.slice(0, 1)
const last = (scopes: Scopes) => scopes.slice(-1)
const withoutPublicOnly = (scopes: Scopes) => scopes.filter((scope) => scope !== 'public-only')

/** Compares a part of the scopes of tokens that have only scopes of this kind. */
const onlyGranted = (part: (scopes: Scopes) => Scopes, kind: RegExp): RuleChange =>
  on(['user', list, 'repository'], (rules) => ({
    grants: (granted, ...all) =>
      rules.grants(granted.every((scope) => kind.test(scope)) ? part(granted) : granted, ...all),
  }))

const ofPublicOnly = (scope: string) =>
  notGranted((granted) => granted.includes('public-only') && granted.includes(scope))

const hiddenIfFirst = alter(
  'publicOnlyHides',
  (hides, _, scopes) => hides && scopes[0] === 'public-only',
)

/** The requirements of pages that show more than a public-only token may see. */
const inPages = (...others: string[]) =>
  ['limit-honoured', 'total-count', ...others].map((name) => `pagination/${name}`)

const everyScope = ['missing-scope-status', 'categories-separate', 'public-only-grants-nothing']

export const scopeFaults = [
  scopes([...everyScope, 'changes-need-write'], {
    'scopes-ignored-in-the-query': onlyIf(usesScheme('query'), everythingGranted),
    'scopes-ignored-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), everythingGranted),
  }),
  scopes('missing-scope-status', {
    'no-scope-grants-everything': alsoGranted((granted) => granted.length === 0),
    'scopes-ignored-with-sudo': onlyIf(underSudo, everythingGranted),
    'scope-of-issues-rejected-with-404': on(
      'user',
      alter('missingScope', (error, _required, granted) =>
        granted.join() === 'read:issue' ? new HttpError(404, 'not found') : error,
      ),
    ),
  }),
  scopes('read-suffices', {
    'read-scopes-do-not-open-the-list': on(list, readGrantsNothing),
  }),
  scopes(['read-suffices', 'write-includes-read'], {
    'repositories-need-scopes-of-both-categories': on('repository', bothNeeded),
    'user-needs-scopes-of-both-categories': on('user', bothNeeded),
  }),
  scopes('all', { 'all-does-not-open-the-user': on('user', allLost) }),
  scopes(['all', 'resources/repositories'], { 'all-does-not-open-the-list': on(list, allLost) }),
  scopes('categories-separate', {
    'scopes-of-repositories-open-the-user': opened('read:user', /:repository$/),
    'scopes-of-organizations-open-the-list': on(list, opened('read:user', /:organization$/)),
    'scopes-of-administration-open-everything': alsoGranted((granted) =>
      granted.some((scope) => scope.endsWith(':admin')),
    ),
  }),
  scopes('message-names-required', {
    'missing-scope-message-names-other-required': requiredNamed(() => ['read:package']),
  }),
  scopes(['missing-scope-message', 'message-names-required', 'message-names-granted'], {
    'missing-scope-message-with-scopes-swapped': named((required, granted) => [granted, required]),
  }),
  scopes('public-only-grants-nothing', {
    'public-only-opens-public-repositories': on('repository', hasPublicOnly),
  }),
  scopes('public-only-listing', {
    'public-only-lists-other-private-repositories': on(
      list,
      alter('publicOnlyHides', (hides, { name }) => hides && name === 'diary'),
    ),
    'public-only-ignored-far-from-the-ends in account-of-many-repositories': listedAll,
  }),
  // Repositories that only the first page hides are missing in its count and its last link too.
  scopes(['public-only-listing', 'pagination/total-count'], {
    'public-only-ignored-after-the-first-page': onlyIf(
      ({ endpoint, url }) => endpoint === list && (url.searchParams.get('page') ?? '1') !== '1',
      ignored,
    ),
  }),
  scopes(['public-only-hides-private', 'pagination/limit-honoured', 'pagination/total-count'], {
    'public-only-ignored-in-the-query': onlyIf(usesScheme('query'), ignored),
  }),
  scopes(['pagination/limit-honoured', 'pagination/total-count'], {
    'public-only-lifted-from-the-list-by-sudo': onlyIf(underSudo, listedAll),
    'public-only-lifted-from-the-list-by-access-token-parameter': onlyIf(
      hasQuery('access_token'),
      listedAll,
    ),
  }),
  scopes('public-only-hides-private', {
    'public-only-ignored-with-all': ignoreWith(/^all$/),
    'public-only-ignored-with-write-scopes': ignoreWith(/^write:/),
    'public-only-ignored-with-the-legacy-prefix': on(
      'repository',
      onlyIf(usesScheme('legacy'), ignored),
    ),
  }),
  scopes('public-only-shows-public', {
    'public-only-empties-the-list': on(list, hidesAll),
  }),
  scopes('repository-category', {
    'files-open-to-every-scope': requireScopes('files'),
    'hooks-open-to-scopes-of-organizations': alsoOpenTo('hooks', 'organization'),
  }),
  scopes('admin-needs-site-admin', {
    'admin-endpoints-open-if-the-main-account-is-a-site-admin in main-account-a-site-admin': {
      canAdministrate: () => true,
    },
    'admin-endpoints-open-to-every-scope': requireScopes('admin'),
  }),
  scopes('other-categories', {
    'activities-open-to-every-scope in every-category-supplied': requireScopes('activity'),
    'issues-open-to-every-scope-if-no-other-category-is-supplied in one-category-supplied':
      requireScopes('issues'),
    'issues-open-to-scopes-of-repositories in every-category-supplied': alsoOpenTo(
      'issues',
      'repository',
    ),
    'notifications-open-to-every-scope in every-category-supplied': requireScopes('notifications'),
    'organizations-need-a-scope-of-repositories in every-category-supplied': requireScopes(
      'organization',
      'read:repository',
    ),
  }),
  scopes(['other-categories', 'message-names-required'], {
    'issues-need-a-write-scope in every-category-supplied': requireScopes('issues', 'write:issue'),
  }),
  // Tokens with several scopes, of which the server reads only some.
  scopes('read-suffices', {
    'only-the-first-of-several-read-scopes-counts': onlyGranted(first, /^read:/),
    'only-the-last-of-several-read-scopes-counts': onlyGranted(last, /^read:/),
  }),
  scopes('public-only-shows-public', {
    'write-of-the-user-without-read-with-public-only': on(list, ofPublicOnly('write:user')),
    'write-of-repositories-without-read-with-public-only': on(
      'repository',
      ofPublicOnly('write:repository'),
    ),
  }),
  scopes('message-names-granted', {
    'missing-scope-message-leaves-out-public-only': grantedNamed((has) =>
      has.length > 1 ? withoutPublicOnly(has) : has,
    ),
  }),
  scopes('public-only-hides-private', {
    'public-only-counts-only-as-the-first-scope': on('repository', hiddenIfFirst),
  }),
  scopes(['public-only-listing', ...inPages()], {
    'public-only-counts-only-as-the-first-scope-on-the-list': on(list, hiddenIfFirst),
  }),
].flat()
