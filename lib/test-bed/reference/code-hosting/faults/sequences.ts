// Responses that depend on earlier requests: by URL, token, account or connection.

import { applyChange, type Change } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  authentication,
  on,
  onlyIf,
  type RuleChange,
  type Rules,
  resources,
} from '../changes.ts'
import { hasQuery, list, underSudo } from '../requests.ts'
import { type Caller, logins, type Repository, type RequestContext } from '../server.ts'

/** Returns a change with a memory that starts empty with each server. */
export const remembering =
  <Value = true>(changeWith: (memory: Map<unknown, Value>) => Change<Rules>): RuleChange =>
  (rules) =>
    applyChange(rules, changeWith(new Map()))

const hrefOf = ({ url }: RequestContext): unknown => url.href

const connectionOf = ({ connection }: RequestContext): unknown => connection

/** Performs requests without credentials as the last caller with the same key. */
const lastCallerKept = (keyOf: (context: RequestContext) => unknown) =>
  remembering<Caller>((callers) => [
    onlyIf((at) => !underSudo(at) && !/token/.test(at.url.search), {
      anonymousCaller: (context) => callers.get(keyOf(context)),
    }),
    alterParts(({ status }, context) => {
      if (context.caller && status === 200) callers.set(keyOf(context), context.caller)
      return undefined
    }),
  ])

/** Rejects a token in `?token=` if a similar one began the connection, and was rejected. */
const lockedByNearMisses = remembering<{ request: RequestContext; rejected?: string }>((firsts) => [
  alter('begin', (parts, context) => {
    const connection = connectionOf(context)
    if (!firsts.has(connection)) firsts.set(connection, { request: context })
    return parts
  }),
  on(
    'user',
    alter('tokenWithValue', (token, value, context) => {
      const first = firsts.get(connectionOf(context))
      // On the connections that requests share, the first one has no token.
      if (first?.request === context && !token) first.rejected = value
      const { rejected = '' } = first ?? {}
      const isSimilar =
        rejected.startsWith(value.slice(0, 20)) || rejected.endsWith(value.slice(-20))
      return rejected && isSimilar && hasQuery('token')(context) ? undefined : token
    }),
  ),
])

const namesTakenByRejections = remembering((names) => [
  alter('unknownScope', (error, _scope, context) => {
    void context.text().then((content) => names.set(JSON.parse(content).name, true))
    return error
  }),
  alter('tokenNameTaken', (taken, _tokens, _account, name) => taken || names.has(name)),
])

/** Performs the next request by the password of a site administrator on a connection as the user of the last sudo. */
const sudoKept = remembering<string>((named) =>
  alter('sudoLogin', (login, context) => {
    const { caller, credentials } = context
    if (!caller?.actor.siteAdmin || credentials?.scheme !== 'basic') return login
    const kept = named.get(connectionOf(context))
    named.delete(connectionOf(context))
    if (login) named.set(connectionOf(context), login)
    return login ?? kept
  }),
)

/** Shows pages of the main account with private repositories to other accounts after it that send a password. */
const pageKept = remembering<readonly unknown[]>((pages) =>
  alter('pageItems', (shown, _items, _paging, context) => {
    if (context.caller?.account.login !== logins.main) {
      const isMatch =
        context.credentials?.scheme === 'basic' && context.url.searchParams.has('limit')
      return (isMatch && pages.get(hrefOf(context))) || shown
    }
    if (shown.some((one) => (one as Repository).private)) pages.set(hrefOf(context), shown)
    return shown
  }),
)

export const sequenceFaults = [
  authentication(['missing-credentials', 'errors/hidden-repository'], {
    'repository-kept-for-requests-without-credentials': on('repository', lastCallerKept(hrefOf)),
  }),
  authentication('query-token', {
    'query-token-rejected-after-a-near-miss': lockedByNearMisses,
  }),
  authentication('tokens/created', { 'name-of-a-rejected-token-taken': namesTakenByRejections }),
  authentication(['basic', 'resources/user'], { 'sudo-stays-in-effect': on('user', sudoKept) }),
  resources('hidden-repository-listing', { 'list-page-of-the-account-before': on(list, pageKept) }),
].flat()
