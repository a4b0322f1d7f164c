import { anonymous, type Credentials } from '../../lib/probe/credentials.ts'
import { type Exchange, type ProbeRequest, type Send, withParts } from '../../lib/probe/exchange.ts'
import { linkTargets } from '../../lib/probe/header-fields.ts'

/** Path of the repository list, below the base URL. */
const REPOSITORIES_PATH = '/api/v1/user/repos'

export const codeHostingEndpoints = {
  documentation: 'GET /api/swagger',
  createToken: 'POST /api/v1/users/{username}/tokens',
  user: 'GET /api/v1/user',
  repositories: 'GET /api/v1/user/repos',
  repository: 'GET /api/v1/repos/{owner}/{repo}',
  settings: 'GET /api/v1/settings/api',
} as const

/** What a call may change about its request. */
export interface CallOptions {
  credentials?: Credentials
  /** User in whose name a site admin acts, and where it is named. */
  sudo?: { as: string; in: 'header' | 'query' }
  /** Send it although the same GET was sent before. */
  fresh?: boolean
  /** Higher is sent earlier when more requests wait than may be under way. */
  priority?: number
}

/** Query parameters of the repository list; a string is sent as it is. */
export interface PageQuery {
  page?: number | string
  limit?: number | string
}

/** Body of a token creation. A string is sent as it is, so that it may be malformed. */
export type TokenRequest = { name?: string; scopes: readonly string[] } | string

/** A response of the repository list. */
export interface RepositoryPage extends Exchange {
  /** `full_name` of each record, in the order given; `undefined` when the body is not a list of records. */
  readonly names: string[] | undefined
  /** Targets of the `Link` field by relation, as written. */
  links: Map<string, string>
}

/** The documented endpoints of the code hosting service, and requests that an operator supplies. */
export interface CodeHostingClient {
  /** The API documentation; redirects within the origin are followed. */
  documentation(options?: CallOptions): Promise<Exchange>
  createToken(
    username: string,
    token: TokenRequest,
    options: CallOptions & {
      oneTimeCode?: string
      secretsIn?: ProbeRequest['secretsIn']
    },
  ): Promise<Exchange>
  user(options?: CallOptions): Promise<Exchange>
  repositories(query?: PageQuery, options?: CallOptions): Promise<RepositoryPage>
  /** Follows a target of `Link`, at the origin and prefix of the base URL whatever it names. */
  linkedRepositories(target: string, options?: CallOptions): Promise<RepositoryPage>
  /** @param fullName `owner/name` */
  repository(fullName: string, options?: CallOptions): Promise<Exchange>
  settings(options?: CallOptions): Promise<Exchange>
  /** A request that the document does not show: `path` is below the base URL. */
  undocumented(
    request: { method: string; path: string; body: string | null },
    options?: CallOptions & { oneTimeCode?: string },
  ): Promise<Exchange>
}

const MOST_REDIRECTS = 5

function oneTimeCodeField(code: string | undefined): Record<string, string> {
  return code === undefined ? {} : { 'X-Service-OTP': code }
}

function recordNames(json: unknown): string[] | undefined {
  if (!Array.isArray(json)) return undefined
  const names = json.map((record: { full_name?: unknown } | null) => record?.full_name)
  return names.every((name) => typeof name === 'string') ? names : undefined
}

function asPage(exchange: Exchange): RepositoryPage {
  const page = withParts(exchange, { links: linkTargets(exchange.headers.get('link')) })
  // Made anew at each reading like the body that they are a part of.
  const get = () => recordNames(page.json)
  return Object.defineProperty(page, 'names', { get, enumerable: true }) as RepositoryPage
}

/**
 * @param baseUrl without a trailing slash; may have a path
 * @param send sends one request and returns the exchange
 * @param defaults credentials of every call that names none
 */
export function createCodeHostingClient(
  baseUrl: string,
  send: Send,
  defaults: () => Promise<Credentials>,
): CodeHostingClient {
  async function call(
    endpoint: string | undefined,
    method: string,
    url: URL,
    options: CallOptions & Partial<ProbeRequest> = {},
  ): Promise<Exchange> {
    const { sudo, headers, ...rest } = options
    const target = new URL(url)
    if (sudo?.in === 'query') target.searchParams.set('sudo', sudo.as)
    return send({
      method,
      url: target,
      endpoint,
      ...rest,
      credentials: options.credentials ?? (await defaults()),
      headers: {
        Accept: 'application/json',
        ...headers,
        ...(sudo?.in === 'header' ? { Sudo: sudo.as } : {}),
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

  /**
   * A `Link` names the server's own idea of its address. Where that ends in the path of the list,
   * the list is asked for below the base URL; any other path is taken at the base URL's origin, and
   * so is a target that is no URL reference: the answer tells that it leads nowhere.
   */
  function linkedUrl(target: string): URL {
    const list = below(REPOSITORIES_PATH)
    const linked = URL.canParse(target, list.href) ? new URL(target, list) : undefined
    if (linked?.pathname.endsWith(REPOSITORIES_PATH)) {
      list.search = linked.search
      return list
    }
    const url = new URL(baseUrl)
    // Assigned, since a path such as `//host/path` would be resolved to another origin.
    url.pathname = linked?.pathname ?? target
    url.search = linked?.search ?? ''
    return url
  }

  return {
    async documentation(options) {
      let url = below('/api/swagger')
      for (let redirects = 0; ; redirects += 1) {
        const exchange = await call(codeHostingEndpoints.documentation, 'GET', url, {
          credentials: anonymous,
          headers: { Accept: 'text/html, application/json;q=0.9, */*;q=0.8' },
          ...options,
        })
        const location = exchange.headers.get('location')
        const redirected = exchange.status >= 300 && exchange.status < 400 && location !== null
        if (!redirected || redirects === MOST_REDIRECTS) return exchange
        const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
        if (next?.origin !== url.origin) return exchange
        url = next
      }
    },

    createToken(username, token, { oneTimeCode, ...options }) {
      return call(
        codeHostingEndpoints.createToken,
        'POST',
        below(`/api/v1/users/${encodeURIComponent(username)}/tokens`),
        {
          ...options,
          headers: { 'Content-Type': 'application/json', ...oneTimeCodeField(oneTimeCode) },
          body: typeof token === 'string' ? token : JSON.stringify(token),
        },
      )
    },

    user: (options) => call(codeHostingEndpoints.user, 'GET', below('/api/v1/user'), options),

    async repositories(query, options) {
      const url = below(REPOSITORIES_PATH, query)
      return asPage(await call(codeHostingEndpoints.repositories, 'GET', url, options))
    },

    async linkedRepositories(target, options) {
      const url = linkedUrl(target)
      return asPage(await call(codeHostingEndpoints.repositories, 'GET', url, options))
    },

    repository(fullName, options) {
      const path = fullName.split('/').map(encodeURIComponent).join('/')
      return call(codeHostingEndpoints.repository, 'GET', below(`/api/v1/repos/${path}`), options)
    },

    settings: (options) =>
      call(codeHostingEndpoints.settings, 'GET', below('/api/v1/settings/api'), options),

    undocumented({ method, path, body }, { oneTimeCode, ...options } = {}) {
      return call(undefined, method, new URL(`${baseUrl}${path}`), {
        ...options,
        headers: {
          ...(body === null ? {} : { 'Content-Type': 'application/json' }),
          ...oneTimeCodeField(oneTimeCode),
        },
        ...(body === null ? {} : { body }),
      })
    },
  }
}
