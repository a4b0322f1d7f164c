// Responses that depend on earlier requests: by URL, token, account or connection.

import { executionAsyncResource } from 'node:async_hooks'
import { applyChange, type Change } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  faultsOf,
  hasQuery,
  on,
  onlyIf,
  type RuleChange,
  type Rules,
  underSudo,
  usesScheme,
} from '../changes.ts'
import { type AccessToken, type Caller, logins, type RequestContext } from '../server.ts'
import { presentedToken } from './tokens.ts'

type Predicate = (context: RequestContext) => boolean

const list = 'user-repositories'

/** Returns a change with a memory that starts empty with each server. */
const remembering =
  <Value = true>(
    changeWith: (memory: Map<unknown, Value>, rules: Rules) => Change<Rules>,
  ): RuleChange =>
  (rules) =>
    applyChange(rules, changeWith(new Map(), rules))

const hrefOf = ({ url }: RequestContext): unknown => url.href

/** Decides once per URL: what a rule once decided holds for matching requests too. */
const decidedOnce = (
  rule: 'grants' | 'maySee' | 'publicOnlyHides',
  decision: boolean,
  isMatch: Predicate,
) =>
  remembering((decided) =>
    alter(rule, (result, ...all) => {
      const context = all.at(-1) as RequestContext
      if (result === decision) decided.set(hrefOf(context), true)
      return isMatch(context) && decided.has(hrefOf(context)) ? decision : result
    }),
  )

const isStranger: Predicate = (context) => !context.caller?.account.siteAdmin && !underSudo(context)
const isOwner: Predicate = ({ caller, parameters }) =>
  caller?.actor.login === parameters.owner && caller?.account === caller?.actor
const ownerBy =
  (scheme: Parameters<typeof usesScheme>[0]): Predicate =>
  (context) =>
    isOwner(context) && usesScheme(scheme)(context)
const ownerWithAll: Predicate = (context) =>
  ownerBy('bearer')(context) && context.caller?.scopes?.join() === 'all'

/** Performs requests without credentials as the caller that was authenticated before with the same key. */
const lastCallerKept = (keyOf: (context: RequestContext) => unknown) =>
  remembering<Caller>((callers) => [
    alter('anonymousCaller', (none, context) =>
      underSudo(context) ? none : callers.get(keyOf(context)),
    ),
    alterParts(({ status }, context) => {
      if (context.caller && status === 200) callers.set(keyOf(context), context.caller)
      return undefined
    }),
  ])

const pageOfTheMainAccountKept = remembering<readonly unknown[]>((pages) =>
  alter('pageItems', (shown, _items, _paging, context) => {
    if (context.caller?.account.login !== logins.main) return pages.get(hrefOf(context)) ?? shown
    pages.set(hrefOf(context), shown)
    return shown
  }),
)

const isNear = (one: string, other: string) =>
  one.slice(0, 20) === other.slice(0, 20) || one.slice(-20) === other.slice(-20)

/** Rejects a token in matching requests once a similar value was rejected. */
const lockedByNearMisses = (isMatch: Predicate) =>
  remembering((rejected) =>
    alter('tokenWithValue', (token, value, context) => {
      if (!token) rejected.set(value, true)
      const isLocked = [...rejected.keys()].some((other) => isNear(value, String(other)))
      return isMatch(context) && isLocked ? undefined : token
    }),
  )

const namesTakenByRejections = remembering((names) => [
  alter('unknownScope', (error, _scope, context) => {
    void context.text().then((content) => names.set(JSON.parse(content).name, true))
    return error
  }),
  alter('tokenNameTaken', (taken, _tokens, _account, name) => taken || names.has(name)),
])

const duplicateRejectedOnce = remembering((names) =>
  alter('tokenNameTaken', (taken, _tokens, _account, name) => {
    const isAgain = names.has(name)
    if (taken) names.set(name, true)
    return taken && !isAgain
  }),
)

const announcedOnce = (keyOf: (context: RequestContext) => unknown) =>
  remembering((announced) =>
    alter('legacyHeaders', (fields, context) => {
      const isAgain = announced.has(keyOf(context))
      announced.set(keyOf(context), true)
      return isAgain ? {} : fields
    }),
  )

const announcedToBearer = remembering((legacy, rules) => [
  alter('legacyHeaders', (fields, context) => {
    legacy.set(hrefOf(context), true)
    return fields
  }),
  alter('bearerHeaders', (fields, context) =>
    legacy.has(hrefOf(context)) ? rules.legacyHeaders(context) : fields,
  ),
])

const sudoKept = remembering<string>((named) =>
  alter('sudoLogin', (login, { caller, endpoint }) => {
    const actor = caller?.actor
    if (!actor?.siteAdmin) return login
    if (login !== undefined) named.set(actor.login, login)
    if (login !== undefined || endpoint !== 'user') return login
    const kept = named.get(actor.login)
    named.delete(actor.login)
    return kept
  }),
)

const limitKept = remembering<string>((limits, rules) => ({
  effectiveLimit: (requested, settings, context) => {
    const login = context.caller?.account.login
    if (requested !== null) limits.set(login, requested)
    return rules.effectiveLimit(limits.get(login) ?? null, settings, context)
  },
}))

const settingsClosed = remembering((authenticated) => [
  alter(
    'needsCaller',
    (needed, { headers, server }) =>
      needed || (!headers.has('Authorization') && authenticated.has(server)),
  ),
  alterParts((_parts, { caller, server }) => {
    if (caller) authenticated.set(server, true)
    return undefined
  }),
])

// Connections, which the requests of one HTTP parser share.
const connections = new WeakMap<RequestContext, object>()
const connectionOf = (context: RequestContext): unknown => connections.get(context)
const onConnection = (change: Change<Rules>): Change<Rules> => [
  on('user', change),
  alter('begin', (parts, context) => {
    connections.set(context, executionAsyncResource())
    return parts
  }),
]

const tokenOfTheConnectionKept = remembering<AccessToken>((tokens) =>
  alter('tokenWithValue', (token, _value, context) => {
    if (token) tokens.set(connectionOf(context), token)
    return token ?? tokens.get(connectionOf(context))
  }),
)

const passwordCheckedOnce = remembering<string>((accepted) =>
  alter('passwordHolds', (holds, { login }, _password, context) => {
    if (holds) accepted.set(connectionOf(context), login)
    return holds || accepted.get(connectionOf(context)) === login
  }),
)

const rejectedWithTheConnection = remembering((rejected) =>
  alter('tokenWithValue', (token, _value, context) => {
    const isAfter = rejected.delete(connectionOf(context))
    if (!token) rejected.set(connectionOf(context), true)
    return isAfter && hasQuery('access_token')(context) ? undefined : token
  }),
)

const authentication = faultsOf('authentication')
const errors = faultsOf('errors')
const scopes = faultsOf('scopes')
const tokens = faultsOf('tokens')

export const sequenceFaults = [
  errors('hidden-repository', {
    'private-repository-returned-to-strangers-after-its-owner': decidedOnce(
      'maySee',
      true,
      isStranger,
    ),
  }),
  errors(['hidden-repository', 'authentication/missing-credentials'], {
    'repository-returned-without-credentials-after-its-owner': on(
      'repository',
      lastCallerKept(hrefOf),
    ),
  }),
  authentication('missing-credentials', {
    'user-returned-without-credentials-after-an-authenticated-request': on(
      'user',
      lastCallerKept(hrefOf),
    ),
    'list-returned-without-credentials-after-an-authenticated-request': on(
      list,
      lastCallerKept(hrefOf),
    ),
    'credentials-needed-once-per-connection': onConnection(lastCallerKept(connectionOf)),
  }),
  // The document states no other reason than the credentials for the 404 of a request that succeeded before.
  authentication('basic', {
    'private-repository-missing-for-the-password-after-a-stranger': decidedOnce(
      'maySee',
      false,
      ownerBy('basic'),
    ),
  }),
  authentication('bearer', {
    'private-repository-missing-for-its-owner-after-a-stranger': decidedOnce(
      'maySee',
      false,
      ownerWithAll,
    ),
  }),
  authentication('legacy-accepted', {
    'private-repository-missing-for-its-owner-after-public-only': on(
      'repository',
      decidedOnce('publicOnlyHides', true, ownerBy('legacy')),
    ),
    'legacy-token-rejected-after-a-near-miss': on(list, lockedByNearMisses(usesScheme('legacy'))),
  }),
  authentication('query-token', {
    'query-token-rejected-after-a-near-miss': on('user', lockedByNearMisses(hasQuery('token'))),
  }),
  authentication('query-access-token', {
    'query-token-rejected-after-another-on-the-connection': onConnection(rejectedWithTheConnection),
  }),
  authentication('unknown-token', {
    'token-checked-once-per-connection': onConnection(tokenOfTheConnectionKept),
  }),
  authentication('wrong-password', {
    'password-checked-once-per-connection': onConnection(passwordCheckedOnce),
  }),
  authentication(['legacy-deprecation-header', 'legacy-sunset-header', 'legacy-warning-header'], {
    'deprecation-headers-sent-once-per-token': announcedOnce(presentedToken),
    'deprecation-headers-sent-once-per-url': announcedOnce(hrefOf),
  }),
  authentication('bearer-not-deprecated', {
    'deprecation-headers-on-bearer-after-the-legacy-prefix': announcedToBearer,
  }),
  scopes('public-only-hides-private', {
    'private-repository-returned-to-public-only-after-its-owner': on(
      'repository',
      decidedOnce('publicOnlyHides', false, () => true),
    ),
  }),
  scopes('public-only-grants-nothing', {
    'public-only-grants-what-another-token-was-granted': on(
      'user',
      decidedOnce('grants', true, ({ caller }) => caller?.scopes?.join() === 'public-only'),
    ),
  }),
  tokens('created', { 'name-of-a-rejected-token-taken': namesTakenByRejections }),
  tokens('duplicate-name', { 'duplicate-name-accepted-the-second-time': duplicateRejectedOnce }),
  faultsOf('resources')('user', { 'sudo-stays-in-effect': sudoKept }),
  faultsOf('resources')('hidden-repository-listing', {
    'list-page-of-the-account-before': on(list, pageOfTheMainAccountKept),
  }),
  faultsOf('pagination')('default-limit', {
    'limit-of-the-request-before-kept': on(list, onlyIf(usesScheme('basic'), limitKept)),
  }),
  faultsOf('settings')('readable-by-any-client', {
    'settings-need-credentials-after-an-authenticated-request': on('settings', settingsClosed),
  }),
].flat()
