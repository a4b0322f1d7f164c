// Tokens with several scopes, of which the server reads only some.

import { alter, faultsOf, on, type RuleChange } from '../changes.ts'
import { grantedNamed, notGranted, type Scopes } from './scopes.ts'

const list = 'user-repositories'

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

const openToNone = on('repository', ofPublicOnly('write:repository'))

const hiddenIfFirst = alter(
  'publicOnlyHides',
  (hides, _, scopes) => hides && scopes[0] === 'public-only',
)

const scopes = faultsOf('scopes')

export const severalScopesFaults = [
  scopes('read-suffices', {
    'only-the-first-of-several-read-scopes-counts': onlyGranted(first, /^read:/),
    'only-the-last-of-several-read-scopes-counts': onlyGranted(last, /^read:/),
  }),
  scopes('write-includes-read', {
    'only-the-first-of-several-write-scopes-counts': onlyGranted(first, /^write:/),
    'only-the-last-of-several-write-scopes-counts': onlyGranted(last, /^write:/),
  }),
  scopes('public-only-shows-public', {
    'write-of-the-user-without-read-with-public-only': on(list, ofPublicOnly('write:user')),
    'write-of-repositories-without-read-with-public-only': openToNone,
  }),
  scopes('all', {
    'all-counts-only-alone': notGranted(
      (scopes) => withoutPublicOnly(scopes).length > 1 && scopes.includes('all'),
    ),
  }),
  scopes('message-names-granted', {
    'missing-scope-message-names-only-the-first-granted': grantedNamed(first),
    'missing-scope-message-names-only-the-last-granted': grantedNamed(last),
    'missing-scope-message-leaves-out-public-only': grantedNamed((has) =>
      has.length > 1 ? withoutPublicOnly(has) : has,
    ),
  }),
  scopes('public-only-hides-private', {
    'public-only-counts-only-as-the-first-scope': on('repository', hiddenIfFirst),
  }),
  scopes('public-only-listing', {
    'public-only-counts-only-as-the-first-scope-on-the-list': on(list, hiddenIfFirst),
  }),
  faultsOf('tokens')('unknown-scope', {
    'unknown-scope-accepted-before-a-known-one': (rules) => ({
      scopeKnown: () => true,
      scopesError: ([...scopes], context) => {
        const end = scopes.pop() ?? 'all'
        return rules.scopeKnown(end, context) ? undefined : rules.unknownScope(end, context)
      },
    }),
  }),
].flat()
