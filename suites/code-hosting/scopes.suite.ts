/** Access by the scopes of a token, and messages about missing ones. */
import { skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { requireStatus } from '../../lib/conformance/controls.ts'
import { displayQuotedMessage, messageOf } from '../../lib/conformance/deviations.ts'
import { allOrWorst, each, judgeOptionalCase } from '../../lib/conformance/judge.ts'
import { statusOf } from '../../lib/conformance/requirements.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { served } from './authentication.suite.ts'
import { hasName } from './client.ts'
import type {
  CodeHostingObservation,
  CodeHostingRequirements,
  RequirementParts,
} from './context.ts'
import {
  type Case,
  caseOf,
  categoriesOf,
  cross,
  isChange,
  isLacking,
  isPrivate,
  isPublicOnly,
  opened,
  publicOnly,
  type Resource,
  readable,
  type ScopeSet,
  schemes,
  scopeSets,
  scopesExcept,
  sudoBoth,
  type TokenScope,
} from './levels.ts'
import { movingData } from './lists.ts'
import { expect, parseScopeMessage, scopesNamed, tokenValue } from './matchers.ts'
import { creating } from './variables.ts'

const covered = 'the table of scopes has {endpoint} in a category of the token'
const uncovered = 'the table of scopes has {endpoint} in no category of the token'
const form = 'the section Scopes gives the form of the message'
const restricted = 'the table of special scopes restricts such a token to public repositories'

/** The token with all scopes and the first page are put back. */
const withAll: readonly Partial<Case>[] = [{ scopes: 'all', limit: 'maximum', page: '1' }]

/** Returns true for a request that must be rejected because its token lacks a scope. */
const isRejectedForScope = (one: Case) =>
  isLacking(one) &&
  one.after === undefined &&
  one.actor !== 'anonymous' &&
  one.sudo?.as !== 'unknown'

/** Returns the cases of a scope set: each resource with Bearer, and one with each of two other ways of sending it. */
const sentIn = (scopes: ScopeSet, legacy: 'token' | 'TOKEN' = 'token') =>
  cross(
    { scopes, sentAs: 'Bearer', resource: readable },
    { scopes, sentAs: legacy, resource: 'repositories' },
    { scopes, sentAs: '?token=', resource: 'public repository' },
  )

const requiredBy = (one: Case): string[] =>
  isChange(one)
    ? scopesExcept().filter((scope) => scope.startsWith('write:'))
    : categoriesOf(one).map((category) => `read:${category}`)

/**
 * Judges the messages of all rejections because of a missing scope.
 *
 * @param judge receives alternative scopes that grant the request, and the scopes of the token
 */
const namesScopes = (
  judge: (
    message: string,
    required: readonly string[],
    granted: readonly TokenScope[],
  ) => readonly [pass: boolean, expected: string],
): RequirementParts => ({
  also: isRejectedForScope,
  given: withAll,
  shows(response, _context, one) {
    if (response.status !== 403) skipUnobserved(`the status was ${response.status} instead of 403`)
    const message = messageOf(response) ?? ''
    const [pass, expected] = judge(message, requiredBy(one), scopeSets[one.scopes])
    const actual = displayQuotedMessage(response) ?? 'no message'
    expect(response).toShow(pass, expected, actual, { pointer: '/message' })
  },
})

const withoutWrite = { scopes: 'read:repository+write:package' } as const
const byAdmin = { resource: 'admin request', actor: 'admin', sentAs: 'Bearer' } as const

/** The scopes that grant a request of the operator, and all others. A token with the first ones serves two requests. */
const scopesOfRequests = {
  'activitypub request': ['activitypub and notification', 'all but activitypub'],
  'issue request': ['unrelated', 'all but issue'],
  'notification request': ['activitypub and notification', 'all but notification'],
  'organization request': ['organization and package', 'all but organization'],
  'package request': ['organization and package', 'all but package'],
  'repository request': ['read', 'all but repository'],
  'files request': ['write', 'all but repository'],
} as const satisfies Partial<Record<Resource, readonly [ScopeSet, ScopeSet]>>

/** Expects that the scopes of a category, and no others, grant the requests of the operator. */
const ofRequests = (...names: (keyof typeof scopesOfRequests)[]): RequirementParts => ({
  cases: names.flatMap((resource) =>
    cross({ resource, sentAs: 'Bearer', scopes: scopesOfRequests[resource] }),
  ),
  given: (one) => [
    { scopes: isLacking(one) ? scopesOfRequests[one.resource as 'issue request'][0] : 'all' },
  ],
  rejects: (one) => (isLacking(one) ? [403] : undefined),
  shows: (response) => expect(response).toBeAccepted(),
})

async function requireAllowed(response: Exchange): Promise<void> {
  expect(response).toBeAllowed()
  await requireStatus(200, response)
}

export const requirements = {
  'scopes/missing-scope-status': {
    statement: 'The server returns 403, not 401, for a valid token that lacks the required scope.',
    because: uncovered,
    needs: creating,
    cases: [
      ...sentIn('unrelated', 'TOKEN'),
      ...cross(
        { scopes: 'none', sentAs: 'bearer' },
        { scopes: 'none', sentAs: '?access_token=', resource: 'public repository' },
        {
          actor: 'admin',
          scopes: 'admin',
          sentAs: 'Bearer',
          sudo: sudoBoth('main'),
          resource: 'public repository',
        },
      ),
    ],
    also: isRejectedForScope,
    given: withAll,
    rejects: (one) => (isPrivate(one) && isPublicOnly(one) ? [403, 404] : [403]),
    unlike: ({ scopes, sudo }) => [
      ...(sudo ? [{ sudo: undefined, resource: 'public repository' as const }] : []),
      // Other sentences judge what other scopes open.
      ...(['unrelated', 'none'].includes(scopes) || sudo ? [] : withAll),
    ],
  },
  'scopes/missing-scope-message': {
    statement:
      'For a missing scope, the message of the 403 response is "token does not have at least one of required scope(s), required=[…], token scope=…".',
    because: form,
    level: 'wording',
    needs: creating,
    tolerances: {
      'any-separators': 'The message may separate scopes with commas, spaces, or both.',
      'any-order': 'The message may list the scopes in any order.',
    },
    ...namesScopes((message) => [
      parseScopeMessage(message) !== undefined,
      'message "token does not have at least one of required scope(s), required=[<scopes>], token scope=<scopes>"',
    ]),
  },
  'scopes/message-names-required': {
    impact: 'format',
    statement: 'For a missing scope, the message of the 403 response names the required scopes.',
    because: form,
    needs: creating,
    tolerances: {
      'either-category-for-repositories':
        'For GET /user/repos, the message may name a scope of the user category, of the repository category, or both.',
      'including-scopes':
        'The message may also name the write scope that includes a required read scope.',
    },
    ...namesScopes((message, required) => {
      const named = scopesNamed(message).required
      const suffices = (scope: string) =>
        scope === 'all' ||
        required.includes(scope.replace('write:', 'read:')) ||
        required.includes(scope)
      const isRight = parseScopeMessage(message) === undefined || named.every(suffices)
      return [
        isRight && named.some((scope) => required.includes(scope)),
        `a message that names ${required.join(' or ')} as required`,
      ]
    }),
  },
  'scopes/message-names-granted': {
    impact: 'format',
    statement:
      'For a missing scope, the message of the 403 response names the scopes of the token.',
    because: form,
    needs: creating,
    ...namesScopes((message, _required, granted) => {
      const has = new Set<string>(granted)
      const named = new Set(scopesNamed(message).granted)
      const isForm = parseScopeMessage(message) !== undefined
      // A read scope that the token's write scope includes may be named or not.
      const isIncluded = (scope: string) =>
        scope.startsWith('read:') && has.has(scope.replace('read:', 'write:'))
      return [
        granted.every((scope) => named.has(scope) || isIncluded(scope)) &&
          (!isForm || [...named].every((scope) => has.has(scope) || isIncluded(scope))),
        `a message that names ${granted.join(', ')} as what the token has`,
      ]
    }),
  },
  'scopes/read-suffices': {
    statement: "A token with a category's read scope can make read requests in that category.",
    because: covered,
    needs: creating,
    cases: [
      ...sentIn('read'),
      ...cross(
        { scopes: 'read:user', sentAs: ['Bearer', '?token='] },
        {
          scopes: 'read:repository+write:package',
          sentAs: 'token',
          resource: 'public repository',
        },
      ),
    ],
    given: withAll,
    shows: served,
  },
  'scopes/write-includes-read': {
    statement:
      "A token with a category's write scope can also make read requests in that category.",
    because: 'each category has a scope for writing, which includes reading',
    needs: creating,
    cases: [
      ...sentIn('write'),
      ...cross(
        { scopes: 'read:issue+write:user', sentAs: ['Bearer', '?access_token='] },
        { scopes: 'write:repository+read:issue', sentAs: 'token', resource: 'public repository' },
      ),
    ],
    given: withAll,
    shows: served,
  },
  'scopes/all': {
    statement: 'The scope all grants access to every category.',
    needs: ['main account', 'token'],
    cases: cross(
      { sentAs: 'Bearer', resource: [...opened, 'repository request'] },
      { ...byAdmin, scopes: 'all' },
    ),
    given: ({ resource }) => (resource === 'admin request' ? [{ scopes: 'admin' }] : []),
    async shows(response, { tokens }) {
      await tokens.working()
      await requireAllowed(response)
    },
    async steps({ codeHosting, tokens }) {
      await tokens.working()
      await judgeOptionalCase('a token with every scope, GET /user', async () => {
        const credentials = bearer(tokenValue(await tokens.creationWithEveryScope()))
        const user = await codeHosting.user({ credentials })
        // The scope public-only is among them.
        if (user.status === 403) skip('the scope public-only may restrict it')
        await requireAllowed(user)
      })
    },
  },
  'scopes/categories-separate': {
    statement: 'A scope grants access to its own category and to no other.',
    because: uncovered,
    needs: creating,
    cases: cross(
      { scopes: 'other categories', sentAs: 'Bearer', resource: opened },
      { scopes: 'other categories', sentAs: '?access_token=', resource: 'repositories', page: '2' },
      { scopes: 'read:user', sentAs: 'Bearer', resource: 'public repository' },
      { scopes: 'read:issue+write:user', sentAs: '?token=', resource: 'private repository' },
      { scopes: 'read:user', sentAs: 'token', resource: 'public repository' },
      {
        scopes: ['read:repository+write:package', 'write:repository+read:issue'],
        sentAs: 'Bearer',
      },
      { scopes: 'write:repository+read:issue', sentAs: ['token', '?access_token='] },
      { actor: 'admin', scopes: 'admin', sentAs: 'Bearer', resource: opened },
    ),
    given: withAll,
    rejects: 'any',
  },
  'scopes/changes-need-write': {
    since: '0.2.0',
    statement: "A token without a category's write scope cannot make changes in that category.",
    isSupplied: true,
    needs: [...creating, 'request to change something'],
    cases: cross(
      { ...withoutWrite, sentAs: 'Bearer', resource: ['archived change', 'no-content change'] },
      { ...withoutWrite, sentAs: '?access_token=', resource: 'conflicting change' },
      { ...withoutWrite, sentAs: ['token', '?token='], resource: 'no-content change' },
    ),
    given: withAll,
    rejects: [403],
    // A server may find first that the change is not possible.
    unlike: ({ resource }) => (resource === 'no-content change' ? [] : withAll),
  },
  'scopes/public-only-hides-private': {
    statement: 'A token with the scope public-only cannot access a private repository.',
    because: restricted,
    needs: [...creating, 'private repository'],
    tolerances: { 'status-403-or-404': 'The server may return either 403 or 404.' },
    cases: cross(
      { scopes: publicOnly, sentAs: 'Bearer', resource: 'private repository' },
      { scopes: 'read+public-only', sentAs: schemes.slice(1), resource: 'private repository' },
      { scopes: 'public-only+all', sentAs: 'bearer', resource: 'private repository' },
      {
        scopes: 'read+public-only',
        sentAs: 'Bearer',
        resource: 'private repository in other letters',
      },
      {
        actor: 'admin',
        scopes: 'read+public-only',
        sentAs: 'Bearer',
        sudo: sudoBoth('main'),
        resource: 'private repository',
      },
    ),
    // Letter case may distinguish names.
    given: ({ sudo }) =>
      sudo
        ? [
            { scopes: 'all', resource: 'user' },
            { scopes: 'all', sudo: undefined, actor: 'main' },
          ]
        : [{ scopes: 'all', resource: 'private repository' }],
    rejects: [403, 404],
    unlike: ({ resource }) =>
      resource === 'private repository in other letters'
        ? [{ resource: 'private repository' }]
        : [],
  },
  'scopes/public-only-listing': {
    statement: 'A token with the scope public-only sees no private repository in a list.',
    because: restricted,
    needs: [...creating, 'private repository', 'listed private repository', 'complete list'],
    async steps({ codeHosting, lists, repositories, tokens }) {
      const [publicOnlyToken, unrestricted, hidden] = await allOrWorst([
        tokens.with(...scopeSets['read+public-only']),
        tokens.with(...scopeSets.read),
        repositories.readablePrivateName(),
      ])
      const { reading, shownBy } = await lists.list('public-only')
      for (const page of shownBy) expect(page).toLackItem(hidden)
      await lists.requireListed(hidden)
      const read = (name: string, token: string, fresh?: true) =>
        codeHosting.repository(name, { credentials: bearer(token), ...(fresh && { fresh }) })
      await judgeOptionalCase('each listed repository with the public-only token', async () => {
        await requireStatus(200, read(await repositories.readablePublicName(), publicOnlyToken))
        // The list must not show a repository that its token cannot read.
        await each(repositories.sampleOf(shownBy), async ({ name, page }) => {
          if ((await read(name, publicOnlyToken)).status === 200) return
          if ((await read(name, unrestricted)).status !== 200) return
          // It may have been created meanwhile.
          const { status } = await read(name, publicOnlyToken, true)
          if (status === 200) return
          const actual = `${name} in it, but GET /repos/{owner}/{repo} returns ${status}`
          expect(page).toShow(false, 'a list of repositories that the token may read', actual)
        })
      })
      await reading.requireComplete()
    },
  },
  'scopes/public-only-shows-public': {
    statement: 'A token with the scope public-only can still read public repositories.',
    needs: [...creating, 'public repository'],
    tolerances: movingData,
    cases: cross({
      scopes: publicOnly,
      sentAs: 'Bearer',
      resource: ['repositories', 'public repository'],
    }),
    given: ({ scopes }) => [
      {
        scopes:
          scopes === 'read+public-only' ? 'read' : scopes === 'public-only+all' ? 'all' : 'write',
      },
    ],
    shows: served,
    steps: ({ codeHosting, lists, repositories, tokens }) =>
      judgeOptionalCase('the whole list of the public-only token', async () => {
        const [unrestricted, name] = await allOrWorst([
          tokens.with(...scopeSets.read),
          repositories.readablePublicName(),
        ])
        const credentials = bearer(unrestricted)
        await requireStatus(200, codeHosting.repositories({}, { credentials }))
        await lists.requireListed(name)
        await lists.stable('public-only', async () => {
          const { names, reading, shownBy } = await lists.list('public-only')
          if (hasName(names, name)) return
          await reading.requireComplete()
          expect(shownBy[0]).toShow(false, `${name} on a page of the list`, `${names.size} others`)
        })
      }),
  },
  'scopes/public-only-grants-nothing': {
    statement:
      'The scope public-only restricts what other scopes grant and grants nothing by itself.',
    because:
      'the table of special scopes combines public-only with other scopes: it only restricts',
    needs: creating,
    tolerances: {
      'creation-refused':
        'The server may reject the creation of a token that has only the scope public-only.',
    },
    cases: cross(
      { scopes: 'public-only', sentAs: 'Bearer', resource: readable },
      { scopes: 'public-only', sentAs: '?token=' },
      { scopes: 'public-only', sentAs: 'token', resource: 'repositories' },
      {
        scopes: 'public-only+read:issue',
        sentAs: 'Bearer',
        resource: ['user', 'public repository'],
      },
    ),
    given: withAll,
    rejects: ({ resource }) => (resource === 'user' ? [403] : 'any'),
  },
  'scopes/public-only-organizations': {
    since: '0.2.0',
    statement: 'A token with the scope public-only cannot access a private organization.',
    untestable: 'The document specifies no path for organizations.',
  },
  'scopes/repository-category': {
    since: '0.2.0',
    statement: 'The scopes of the category repository grant access to files, branches, and hooks.',
    isSupplied: true,
    needs: [...creating, 'repository category request'],
    ...ofRequests('repository request', 'files request'),
  },
  'scopes/admin-needs-site-admin': {
    statement:
      'The server restricts the endpoints of the admin category to site administrators, with a scope of this category.',
    isSupplied: true,
    needs: [...creating, 'admin request'],
    controlNeeds: ['site administrator'],
    cases: cross(
      { resource: 'admin request', sentAs: 'Bearer' },
      { resource: 'admin request', actor: 'other', sentAs: 'token' },
      { ...byAdmin, scopes: 'unrelated' },
      { ...byAdmin, sentAs: 'Basic', sudo: sudoBoth('main') },
      { resource: 'admin request', actor: 'anonymous' },
    ),
    given: [{ ...byAdmin, scopes: 'admin', sudo: undefined }],
    rejects: ({ actor }) => (actor === 'anonymous' ? 'any' : [403]),
  },
  'scopes/other-categories': {
    statement:
      'The scopes of the categories activitypub, issue, notification, organization, and package grant access to their endpoints.',
    isSupplied: true,
    needs: [...creating, 'category request'],
    ...ofRequests(
      ...(['activitypub request', 'issue request', 'notification request'] as const),
      ...(['organization request', 'package request'] as const),
    ),
  },
} satisfies CodeHostingRequirements

export const observations = {
  'scopes/public-only-hides-private/status': {
    of: ['scopes/public-only-hides-private'],
    description: 'Status code of a request for a private repository with a public-only token.',
    value: statusOf(
      caseOf({ scopes: 'read+public-only', sentAs: 'Bearer', resource: 'private repository' }),
    ),
  },
  'scopes/repositories/required': {
    of: ['scopes/message-names-required'],
    description: 'Scopes that GET /user/repos names as required.',
    async value({ sender }) {
      const one = caseOf({ scopes: 'unrelated', sentAs: 'Bearer', resource: 'repositories' })
      return parseScopeMessage(messageOf(await sender.send(one)) ?? '')?.required
    },
  },
} satisfies Record<string, CodeHostingObservation>
