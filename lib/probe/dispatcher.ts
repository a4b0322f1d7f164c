import type { Socket } from 'node:net'
import { unescape as decodePercent } from 'node:querystring'
import { checkServerIdentity } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import {
  connectionFor,
  createTlsContext,
  type Proxies,
  proxyPasswords,
} from '../environment/connections.ts'
import type { ProbeLimits } from '../environment/probe-variables.ts'
import { getOrCreate } from '../text/group-by.ts'
import { basic } from './credentials.ts'
import { proxyFor } from './proxy-for.ts'
import { ProxyFailure } from './transport-error.ts'

const MAX_HEADER_BYTES = 16 * 1024

type ConnectionLimits = 'concurrency' | 'timeoutMs' | 'connectTo' | 'maxBodyBytes' | 'tls'

/** Limits of connections. The certificates are for the server, a proxy never gets them. */
export interface DispatcherOptions extends Pick<ProbeLimits, ConnectionLimits> {
  proxy?: Proxies
}

/** Creates a pool of connections to a proxy. undici would retry failures of `connect` without end: they get their own code. */
function connectToProxy(origin: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(origin, options)
  const connect = pool.connect.bind(pool)
  return Object.assign(pool, {
    connect: (request: Dispatcher.ConnectOptions) =>
      connect(request).catch((error) => {
        throw new ProxyFailure(error)
      }),
  })
}

/** Returns a connector to another address, which still verifies the host of the URL. */
function createConnector(connectTo: string, options: Agent.Options['connect']) {
  return (origin: buildConnector.Options, callback: buildConnector.Callback) => {
    const { hostname, protocol, host } = origin
    const place = connectionFor(connectTo, new URL(`${protocol}//${host}`)) ?? ''
    const [, address = hostname, port = origin.port] = /^\[?(.+?)\]?:(\d+)$/.exec(place) ?? []
    // Without a server name, as for an address, Node.js would verify the address of the connection.
    const verifyHost: typeof checkServerIdentity = (_, peer) => checkServerIdentity(hostname, peer)
    const connect = buildConnector({ ...options, checkServerIdentity: verifyHost })
    connect({ ...origin, hostname: address, port }, callback)
  }
}

function poolOptions({ concurrency, timeoutMs, maxBodyBytes }: DispatcherOptions): Pool.Options {
  return {
    connections: concurrency,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
    maxHeaderSize: MAX_HEADER_BYTES,
  }
}

const certificatesFor = ({ tls }: DispatcherOptions, isTls: boolean) =>
  tls && isTls ? { secureContext: createTlsContext(tls) } : undefined

function connectDirectly(options: DispatcherOptions, isTls: boolean): Dispatcher {
  const { connectTo, timeoutMs } = options
  // A plain HTTP server may never respond to a TLS handshake.
  const timeout = isTls ? timeoutMs / 2 : timeoutMs
  const settings = { timeout, ...certificatesFor(options, isTls) }
  const connect = connectTo ? createConnector(connectTo, settings) : settings
  return new Agent({ ...poolOptions(options), connect })
}

/** Returns true for a URL whose requests a proxy gets as they are, in absolute-form (RFC 9112, 3.2.2). */
export function isForwarded(url: URL, proxies: Proxies | undefined): boolean {
  const proxy = proxyFor(url, proxies)
  return url.protocol === 'http:' && proxy !== undefined && /^https?:/i.test(proxy)
}

/** Returns true for a response by which a proxy says that it does not forward the request (RFC 9209; Squid). */
export function isRefusal(status: number, headers: Headers): boolean {
  const isOfProxy =
    headers.has('x-squid-error') || /;\s*error=/i.test(headers.get('proxy-status') ?? '')
  return status === 407 || (status >= 400 && status < 500 && isOfProxy)
}

function forwardBy(proxy: string, options: DispatcherOptions): Dispatcher {
  const { origin, username } = new URL(proxy)
  const [password = ''] = proxyPasswords(proxy)
  const { value } = basic(decodePercent(username), password)
  const credentials = username === '' ? {} : { 'Proxy-Authorization': value }
  const connector = buildConnector({ timeout: options.timeoutMs })
  const connect: typeof connector = (place, callback) =>
    connector(place, (...[error, socket]) =>
      error ? callback(new ProxyFailure(error), null) : callback(null, socket as Socket),
    )
  return new Pool(origin, { ...poolOptions(options), connect }).compose(
    (dispatch) => (request, handler) => {
      const { host } = new URL(String(request.origin))
      return dispatch(
        {
          ...request,
          origin,
          path: `${request.origin}${request.path}`,
          headers: { Host: host, ...credentials, ...(request.headers as object) },
        },
        handler,
      )
    },
  )
}

function tunnelThrough(proxy: string, options: DispatcherOptions, isTls: boolean): Dispatcher {
  const { timeoutMs } = options
  const requestTls = certificatesFor(options, isTls)
  return new ProxyAgent({
    ...poolOptions(options),
    uri: proxy,
    proxyTls: { timeout: timeoutMs },
    ...(requestTls && { requestTls }),
    clientFactory: (origin, rest) => connectToProxy(origin, { headersTimeout: timeoutMs, ...rest }),
  })
}

function createDispatcher(url: URL, proxy: string | undefined, options: DispatcherOptions) {
  const isTls = url.protocol === 'https:'
  if (proxy === undefined) return connectDirectly(options, isTls)
  return isForwarded(url, options.proxy)
    ? forwardBy(proxy, options)
    : tunnelThrough(proxy, options, isTls)
}

/** Returns dispatchers by scheme, proxy and connection, created when they are needed. */
export function createDispatchers(options: DispatcherOptions) {
  const created = new Map<string, Dispatcher>()
  return {
    /** @param connection name of a single connection that only requests with this name use */
    for(url: URL, connection?: string): Dispatcher {
      const proxy = proxyFor(url, options.proxy)
      const own = connection === undefined ? options : { ...options, concurrency: 1 }
      const key = `${url.protocol} ${proxy} ${connection}`
      return getOrCreate(created, key, () => createDispatcher(url, proxy, own))
    },

    async destroy(): Promise<void> {
      await Promise.all([...created.values()].map((dispatcher) => dispatcher.destroy()))
    },
  }
}
