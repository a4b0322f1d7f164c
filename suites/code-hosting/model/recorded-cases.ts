/** The cases of recorded requests, as far as the recording and the operator's variables show them. */
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { codeHostingEndpoints } from '../client.ts'
import type { TokenScope } from '../tokens/scopes.ts'
import { valueIn } from '../tokens/token-creation.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { type Account, type Case, isPrivate, type Resource, type SentAs } from './case.ts'
import { isListPage, loginIn } from './exchange-filters.ts'

/** A token that was created in the recording. */
interface RecordedToken {
  value: string
  /** Exchange that issued it; undefined if several recordings have it. */
  exchange: string | undefined
  account: string
  name: unknown
  scopes: unknown
  /** Time from which it exists. */
  from: number
  /** Time from which it may be deleted. */
  until: number
}

/** Returns the username and password of basic authentication; reports write them in parentheses. */
function userIn(value: string): string {
  const [, reported, encoded = ''] = /^basic (?:base64\((.*)\)|(.*))$/i.exec(value) ?? []
  return reported ?? Buffer.from(encoded, 'base64').toString()
}

/** Returns the token of a request, and how it is sent. */
function tokenIn(credentials: Credentials): { sentAs: string; value: string } | undefined {
  if (credentials.kind === 'query') {
    const { parameters, token } = credentials
    const isDocumented = /^(?:access_)?token$/.test(parameters[0] ?? '')
    return isDocumented ? { sentAs: `?${parameters[0]}=`, value: token } : undefined
  }
  if (credentials.kind !== 'authorization') return undefined
  const [, password] = /^[^:]*:(.*)$/.exec(userIn(credentials.value)) ?? []
  if (password !== undefined) return { sentAs: 'password', value: password }
  const [, sentAs = '', value = ''] = CREDENTIALS.exec(credentials.value) ?? []
  return value === '' ? undefined : { sentAs, value }
}

const SCOPE = /^(?:(?:read|write):[a-z]+|all|public-only)$/
const CREDENTIALS = /^(bearer|token) (\S+)$/i

export const hasSudo = ({ request: { headers = {}, url } }: Exchange) =>
  url.searchParams.has('sudo') || 'Sudo' in headers

const repositoryIn = ({ pathname }: URL) =>
  decodeURIComponent(pathname).split('/').slice(-2).join('/').toLowerCase()

const lastSegment = ({ pathname }: URL) => decodeURIComponent(pathname.split('/').at(-1) ?? '')

function createdTokens(exchanges: readonly RecordedExchange[]): RecordedToken[] {
  const tokens = new Map<string, RecordedToken>()
  for (const exchange of exchanges) {
    const { id, request, status, endedAt: from } = exchange
    if (request.endpoint !== codeHostingEndpoints.createToken || status !== 201) continue
    const value = valueIn(contentOf(() => exchange.json))
    if (value === undefined) continue
    const { name, scopes } = Object(contentOf(() => JSON.parse(request.body ?? '')))
    const account = decodeURIComponent(request.url.pathname.split('/').at(-2) ?? '')
    const created = { value, account, name, scopes, from, until: Number.POSITIVE_INFINITY }
    tokens.set(value, { ...created, exchange: tokens.has(value) ? undefined : id })
  }
  for (const { request, startedAt } of exchanges) {
    if (request.method !== 'DELETE') continue
    const deleted = lastSegment(request.url)
    for (const token of tokens.values()) {
      // A server may also delete a token by its number.
      const isNamed = deleted === token.name || /^\d+$/.test(deleted)
      if (isNamed) token.until = Math.min(token.until, startedAt)
    }
  }
  return [...tokens.values()]
}

/** Returns what was read of a body; undefined if it is not recorded or cannot be parsed. */
export function contentOf<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The credentials that the recording or the operator's variables show. */
export class RecordedCases {
  readonly issuedTokens: readonly { value: string; exchange: string }[]
  readonly #target: CodeHostingTarget
  readonly #tokens: ReadonlyMap<string, RecordedToken>
  readonly #working: ReadonlySet<string>
  /** Names of repositories that a request read. */
  readonly #shown: ReadonlySet<string>

  constructor(exchanges: readonly RecordedExchange[], target: CodeHostingTarget) {
    const tokens = createdTokens(exchanges)
    this.issuedTokens = tokens.flatMap(({ value, exchange }) =>
      exchange === undefined ? [] : { value, exchange },
    )
    this.#target = target
    this.#tokens = new Map(tokens.map((token) => [token.value, token]))
    this.#shown = new Set(
      exchanges.flatMap(({ request: { endpoint, url }, status }) =>
        endpoint === codeHostingEndpoints.repository && status === 200 ? repositoryIn(url) : [],
      ),
    )
    this.#working = new Set(
      exchanges.flatMap(({ request: { credentials, endpoint }, status }) => {
        const isAuthenticated =
          endpoint !== codeHostingEndpoints.settings && [200, 403].includes(status)
        if (!isAuthenticated || credentials === undefined) return []
        const sent = credentials.kind === 'authorization' ? [credentials.value] : []
        return [...sent, tokenIn(credentials)?.value ?? []].flat()
      }),
    )
  }

  /** Returns true if the token exists for sure while the request is served. */
  isValid(value: string, exchange: RecordedExchange): boolean {
    const { request, status } = exchange
    const { user, repositories } = codeHostingEndpoints
    // These endpoints require a token.
    if (status === 200 && request.endpoint === user) return loginIn(exchange) !== undefined
    if (status === 200 && request.endpoint === repositories) return isListPage(exchange)
    return this.#exists(value, exchange)
  }

  #exists(value: string, { startedAt, endedAt }: RecordedExchange): boolean {
    const token = this.#tokens.get(value)
    const isCreated = token !== undefined && token.from <= startedAt && endedAt < token.until
    return isCreated || value === this.#target.token
  }

  /** Returns true if the token authenticated a request: another requirement judges whether new tokens do. */
  #isWorking(value: string): boolean {
    return this.#working.has(value)
  }

  /** Returns the case of a request as if it were for this resource; undefined if the sender is unknown. */
  caseAt(resource: Resource, exchange: RecordedExchange): Case | undefined {
    const { credentials } = exchange.request
    return credentials && this.#caseBy(credentials, resource, exchange)
  }

  /** Returns the case of a request; undefined if the resource, the account or the scopes are unknown. */
  caseOf(exchange: RecordedExchange): Case | undefined {
    const { credentials } = exchange.request
    const resource = this.resourceOf(exchange)
    const sudo = this.#sudoOf(exchange)
    if (resource === undefined || credentials === undefined || sudo === null) return undefined
    const one = this.#caseBy(credentials, resource, exchange)
    // A name that nobody could read may be configured wrongly.
    const isUnseen = isPrivate({ resource }) && !this.#shown.has(repositoryIn(exchange.request.url))
    if (isUnseen && one?.actor === 'main') return undefined
    return one && sudo ? { ...one, sudo } : one
  }

  #caseBy(credentials: Credentials, resource: Resource, exchange: RecordedExchange) {
    if (credentials.kind === 'none') {
      return { resource, actor: 'anonymous', sentAs: 'any valid', scopes: ['all'] } as const
    }
    const { username, password, other, admin } = this.#target
    const main = username && password ? { username, password } : undefined
    const accounts = Object.entries({ main, other, admin })
    const { value } = credentials.kind === 'authorization' ? credentials : { value: '' }
    const [actor] =
      accounts.find(([, one]) => one && basic(one.username, one.password).value === value) ?? []
    // The variables may have a wrong password.
    if (actor && !this.#working.has(value)) return undefined
    if (actor) {
      return { resource, actor: actor as Account, sentAs: 'Basic', scopes: ['all'] } as const
    }
    const token = tokenIn(credentials)
    return token && this.#caseOfToken(resource, token.sentAs, token.value, exchange)
  }

  /** Returns the user of Sudo; null if it is unknown. */
  #sudoOf({ request: { url, headers } }: RecordedExchange): Case['sudo'] | null {
    const [field, parameter] = [headers?.Sudo, url.searchParams.get('sudo') ?? undefined]
    const name = field ?? parameter
    if (name === undefined) return undefined
    const { username, other } = this.#target
    const as = name === username ? 'main' : name === other?.username ? 'other' : undefined
    const isOnce = field === undefined || parameter === undefined
    return as && isOnce ? { as, in: field === undefined ? 'query' : 'header' } : null
  }

  #caseOfToken(resource: Resource, sentAs: string, value: string, exchange: RecordedExchange) {
    if (!this.#exists(value, exchange) || !this.#isWorking(value)) return undefined
    const { username, other, admin } = this.#target
    const { account, scopes } = this.#tokens.get(value) ?? { account: username, scopes: ['all'] }
    const areKnown = Array.isArray(scopes) && scopes.every((one) => SCOPE.test(String(one)))
    const names = { admin: admin?.username, other: other?.username, main: username ?? account }
    const [actor] = Object.entries(names).find(([, name]) => name === account) ?? []
    if (!areKnown || actor === undefined) return undefined
    return { resource, actor, sentAs: sentAs as SentAs, scopes: scopes as TokenScope[] } as Case
  }

  /** Returns the resource of a request; undefined if it is unknown. */
  resourceOf({ request: { endpoint, url } }: RecordedExchange): Resource | undefined {
    const { user, repositories, settings, repository, createToken } = codeHostingEndpoints
    const { username, other, admin } = this.#target
    if (endpoint === createToken) {
      const owner = decodeURIComponent(url.pathname.split('/').at(-2) ?? '')
      if (owner === other?.username) return 'tokens of the other account'
      const isMain = username === undefined ? owner !== admin?.username : owner === username
      return isMain ? 'tokens of the main account' : undefined
    }
    if (endpoint === user) return 'user'
    if (endpoint === repositories) return 'repositories'
    if (endpoint === settings) return 'settings'
    if (endpoint !== repository) return undefined
    const name = repositoryIn(url)
    const { publicRepository, privateRepository } = this.#target
    if (name === publicRepository?.toLowerCase()) return 'public repository'
    return name === privateRepository?.toLowerCase() ? 'private repository' : undefined
  }
}
