import { isBelow, linkedUrl } from '../../lib/probe/base-url.ts'
import { anonymous, type Credentials } from '../../lib/probe/credentials.ts'
import {
  type Exchange,
  endpointOf,
  type ProbeRequest,
  type Send,
  type ServiceRequest,
} from '../../lib/probe/exchange.ts'
import type { SuppliedRequest } from './variables.ts'

const REPOSITORIES_PATH = '/api/v1/user/repos'

export const codeHostingEndpoints = {
  documentation: 'GET /api/swagger',
  createToken: 'POST /api/v1/users/{username}/tokens',
  user: 'GET /api/v1/user',
  repositories: 'GET /api/v1/user/repos',
  repository: 'GET /api/v1/repos/{owner}/{repo}',
  settings: 'GET /api/v1/settings/api',
} as const

export interface CallOptions
  extends Pick<
    ServiceRequest,
    'credentials' | 'connection' | 'fresh' | 'asWritten' | 'headers' | 'priority'
  > {
  /** User that a site administrator acts as, and the part of the request that names the user. */
  sudo?: { as: string; in: 'header' | 'query' }
  oneTimeCode?: string | undefined
  /** Further parameters of the query. */
  query?: PageQuery
}

/** Query parameters of the repository list; a string is sent as it is. */
export interface PageQuery {
  page?: number | string
  limit?: number | string
}

/** Body of a token creation. A string is sent as it is, so that it may be malformed. */
export type TokenRequest = { name?: string | number; scopes: unknown } | string

export interface RepositoryPage extends Exchange {
  /** `full_name` of each record in order; undefined if the body is not a list of such records. */
  readonly names: string[] | undefined
}

/** Returns a text in a record; undefined without one. */
export function textIn({ json }: Exchange, field: string): string | undefined {
  const value: unknown = Object(json)[field]
  return typeof value === 'string' ? value : undefined
}

export const loginIn = (user: Exchange) => textIn(user, 'login')

/** Returns true for the record of this user. */
export const isRecordOf = (user: Exchange, name: string) =>
  user.status === 200 && loginIn(user)?.toLowerCase() === name.toLowerCase()

export const hasName = (names: Iterable<string>, name: string) =>
  [...names].some((listed) => listed.toLowerCase() === name.toLowerCase())

function setQuery({ searchParams }: URL, query: PageQuery): void {
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) searchParams.set(name, String(value))
  }
}

/** High priority, since most requests depend on a token. */
export const TOKEN_PRIORITY = 100
/** Priority of requests on which other requests depend; most requests have 0. */
export const FOUNDATION_PRIORITY = 50

const MAX_REDIRECTS = 5

/** Returns the response with its names, which are computed on each access, like the body. */
const asPage = (exchange: Exchange): RepositoryPage =>
  Object.create(exchange, {
    names: {
      get() {
        if (!Array.isArray(exchange.json)) return undefined
        const names = exchange.json.map(
          (record: { full_name?: unknown } | null) => record?.full_name,
        )
        return names.every((name) => typeof name === 'string') ? names : undefined
      },
    },
  })

/** Sends requests to the documented endpoints. */
export class CodeHostingClient {
  readonly #baseUrl: string
  readonly #send: Send
  readonly #defaults: () => Promise<Credentials>

  /**
   * @param baseUrl without a trailing slash; may have a path
   * @param defaults credentials of every call that names none
   */
  constructor(baseUrl: string, send: Send, defaults: () => Promise<Credentials>) {
    this.#baseUrl = baseUrl
    this.#send = send
    this.#defaults = defaults
  }

  /**
   * Follows redirects below the base URL.
   *
   * @param link URL from an error response, at the origin of the base URL
   */
  async documentation(options?: CallOptions, link?: URL): Promise<Exchange> {
    let url = link ?? this.#below('/api/swagger')
    for (let redirects = 0; ; redirects += 1) {
      const exchange = await this.#call(url, {
        credentials: anonymous,
        headers: { Accept: 'text/html, application/json;q=0.9, */*;q=0.8' },
        ...options,
      })
      const location = exchange.headers.get('location')
      const redirected = exchange.status >= 300 && exchange.status < 400 && location !== null
      if (!redirected || redirects === MAX_REDIRECTS) return exchange
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
      if (next === undefined || !isBelow(next, this.#baseUrl)) return exchange
      url = next
    }
  }

  createToken(
    username: string,
    token: TokenRequest,
    options: CallOptions & Pick<ProbeRequest, 'secretsIn'>,
  ): Promise<Exchange> {
    const body = typeof token === 'string' ? token : JSON.stringify(token)
    const url = this.#below(`/api/v1/users/${encodeURIComponent(username)}/tokens`)
    return this.#call(url, { ...options, method: 'POST', body })
  }

  readonly user = (options?: CallOptions) => this.#call(this.#below('/api/v1/user'), options)

  readonly settings = (options?: CallOptions) =>
    this.#call(this.#below('/api/v1/settings/api'), options)

  async repositories(query: PageQuery = {}, options?: CallOptions): Promise<RepositoryPage> {
    const url = this.#below(REPOSITORIES_PATH)
    setQuery(url, query)
    return asPage(await this.#call(url, options))
  }

  readonly leadsBelow = (target: string) => isBelow(this.#linkedUrl(target), this.#baseUrl)

  /** Requests a target of `Link`, always at the origin of the base URL. */
  async linkedRepositories(target: string, options?: CallOptions): Promise<RepositoryPage> {
    return asPage(await this.#call(this.#linkedUrl(target), { ...options, asWritten: true }))
  }

  repository(fullName: string, options?: CallOptions): Promise<Exchange> {
    const path = fullName.split('/').map(encodeURIComponent).join('/')
    return this.#call(this.#below(`/api/v1/repos/${path}`), options)
  }

  /** Sends an undocumented request; `path` is relative to the base URL. */
  undocumented(request: SuppliedRequest, options?: CallOptions): Promise<Exchange> {
    const { method, path, body } = request
    return this.#call(this.#below(path), { ...options, method, ...(body !== null && { body }) })
  }

  async #call(
    url: URL,
    { sudo, oneTimeCode, query = {}, ...request }: CallOptions & Partial<ProbeRequest> = {},
  ): Promise<Exchange> {
    const { method = 'GET' } = request
    setQuery(url, query)
    if (sudo?.in === 'query') url.searchParams.set('sudo', sudo.as)
    return this.#send({
      ...request,
      method,
      url,
      endpoint: endpointOf(Object.values(codeHostingEndpoints), method, url, this.#baseUrl),
      credentials: request.credentials ?? (await this.#defaults()),
      headers: {
        Accept: 'application/json',
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(oneTimeCode === undefined ? {} : { 'X-Service-OTP': oneTimeCode }),
        ...(sudo?.in === 'header' ? { Sudo: sudo.as } : {}),
        ...request.headers,
      },
    })
  }

  #below(path: string): URL {
    return new URL(`${this.#baseUrl}${path}`)
  }

  #linkedUrl(target: string): URL {
    return linkedUrl(target, this.#baseUrl, REPOSITORIES_PATH)
  }
}
