import { isBelow, linkedUrl } from '../../lib/probe/base-url.ts'
import { anonymous, type Credentials } from '../../lib/probe/credentials.ts'
import {
  type Exchange,
  type ProbeRequest,
  type Send,
  type ServiceRequest,
  withParts,
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

/** The endpoint that lists tokens; the document does not state its path. */
const TOKENS = 'GET tokens'

/** Request lines of the documented endpoints, below the base URL. */
const endpointForms = Object.values(codeHostingEndpoints).map(
  (endpoint) => [endpoint, new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
)

export interface CallOptions
  extends Pick<ServiceRequest, 'credentials' | 'fresh' | 'asWritten' | 'headers' | 'priority'> {
  /** User that a site administrator acts as, and the part of the request that names the user. */
  sudo?: { as: string; in: 'header' | 'query' }
  oneTimeCode?: string
}

/** Query parameters of the repository list; a string is sent as it is. */
export interface PageQuery {
  page?: number | string
  limit?: number | string
}

/** Body of a token creation. A string is sent as it is, so that it may be malformed. */
export type TokenRequest = { name?: string; scopes: readonly string[] } | string

export interface RepositoryPage extends Exchange {
  /** `full_name` of each record in order; undefined if the body is not a list of such records. */
  readonly names: string[] | undefined
}

const MAX_REDIRECTS = 5

function asPage(exchange: Exchange): RepositoryPage {
  const page = withParts(exchange, {})
  // Computed on each access, like the body.
  const get = () => {
    if (!Array.isArray(page.json)) return undefined
    const names = page.json.map((record: { full_name?: unknown } | null) => record?.full_name)
    return names.every((name) => typeof name === 'string') ? names : undefined
  }
  return Object.defineProperty(page, 'names', { get, enumerable: true }) as RepositoryPage
}

export interface CodeHostingClient {
  /**
   * Follows redirects below the base URL.
   *
   * @param link URL from an error response, at the origin of the base URL
   */
  documentation(options?: CallOptions, link?: URL): Promise<Exchange>
  createToken(
    username: string,
    token: TokenRequest,
    options: CallOptions & Pick<ProbeRequest, 'secretsIn'>,
  ): Promise<Exchange>
  user(options?: CallOptions): Promise<Exchange>
  repositories(query?: PageQuery, options?: CallOptions): Promise<RepositoryPage>
  leadsBelow(target: string): boolean
  /** Requests a target of `Link`, always at the origin of the base URL. */
  linkedRepositories(target: string, options?: CallOptions): Promise<RepositoryPage>
  repository(fullName: string, options?: CallOptions): Promise<Exchange>
  settings(options?: CallOptions): Promise<Exchange>
  /** Lists tokens; `path` is relative to the base URL. */
  tokens(request: SuppliedRequest, options?: CallOptions): Promise<Exchange>
  /** Sends an undocumented request; `path` is relative to the base URL. */
  undocumented(request: SuppliedRequest, options?: CallOptions): Promise<Exchange>
}

/**
 * @param baseUrl without a trailing slash; may have a path
 * @param defaults credentials of every call that names none
 */
export function createCodeHostingClient(
  baseUrl: string,
  send: Send,
  defaults: () => Promise<Credentials>,
): CodeHostingClient {
  const root = new URL(baseUrl).pathname.replace(/\/$/, '')

  function endpointOf(method: string, { pathname }: URL): string | undefined {
    if (!pathname.startsWith(root)) return undefined
    const request = `${method} ${pathname.slice(root.length)}`
    return endpointForms.find(([, form]) => form.test(request))?.[0]
  }

  async function call(
    url: URL,
    { sudo, oneTimeCode, ...request }: CallOptions & Partial<ProbeRequest> = {},
  ): Promise<Exchange> {
    const target = new URL(url)
    if (sudo?.in === 'query') target.searchParams.set('sudo', sudo.as)
    const { method = 'GET' } = request
    return send({
      ...request,
      method,
      url: target,
      endpoint: request.endpoint ?? endpointOf(method, target),
      credentials: request.credentials ?? (await defaults()),
      headers: {
        Accept: 'application/json',
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(oneTimeCode === undefined ? {} : { 'X-Service-OTP': oneTimeCode }),
        ...(sudo?.in === 'header' ? { Sudo: sudo.as } : {}),
        ...request.headers,
      },
    })
  }

  function below(path: string, query: PageQuery = {}): URL {
    const url = new URL(`${baseUrl}${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    return url
  }

  async function list(url: URL, options?: CallOptions): Promise<RepositoryPage> {
    return asPage(await call(url, options))
  }

  return {
    async documentation(options, link) {
      let url = link ?? below('/api/swagger')
      for (let redirects = 0; ; redirects += 1) {
        const exchange = await call(url, {
          credentials: anonymous,
          headers: { Accept: 'text/html, application/json;q=0.9, */*;q=0.8' },
          ...options,
        })
        const location = exchange.headers.get('location')
        const redirected = exchange.status >= 300 && exchange.status < 400 && location !== null
        if (!redirected || redirects === MAX_REDIRECTS) return exchange
        const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
        if (next === undefined || !isBelow(next, baseUrl)) return exchange
        url = next
      }
    },

    createToken: (username, token, options) =>
      call(below(`/api/v1/users/${encodeURIComponent(username)}/tokens`), {
        ...options,
        method: 'POST',
        body: typeof token === 'string' ? token : JSON.stringify(token),
      }),

    user: (options) => call(below('/api/v1/user'), options),

    repositories: (query, options) => list(below(REPOSITORIES_PATH, query), options),

    leadsBelow: (target) => isBelow(linkedUrl(target, baseUrl, REPOSITORIES_PATH), baseUrl),

    linkedRepositories: (target, options) =>
      list(linkedUrl(target, baseUrl, REPOSITORIES_PATH), { ...options, asWritten: true }),

    repository(fullName, options) {
      const path = fullName.split('/').map(encodeURIComponent).join('/')
      return call(below(`/api/v1/repos/${path}`), options)
    },

    settings: (options) => call(below('/api/v1/settings/api'), options),

    tokens: ({ path }, options) =>
      call(new URL(`${baseUrl}${path}`), { ...options, endpoint: TOKENS }),

    undocumented: ({ method, path, body }, options) =>
      call(new URL(`${baseUrl}${path}`), { ...options, method, ...(body !== null && { body }) }),
  }
}
