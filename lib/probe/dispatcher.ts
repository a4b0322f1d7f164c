import type { Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { connectionFor } from '../environment/connect-to.ts'
import { createTlsContext, type TlsOptions } from '../environment/tls.ts'
import { ProxyFailure } from './transport-error.ts'

const MAX_HEADER_BYTES = 16 * 1024

export interface DispatcherOptions {
  concurrency: number
  timeoutMs: number
  /** Value of curl's `--connect-to`, without effect on requests through a proxy. */
  connectTo?: string
  maxBodyBytes: number
  /** Proxy URLs, and hosts that are reached directly; absent: no proxy. */
  proxy?: { http?: string; https?: string; no?: string }
  /** Authorities and client certificate for the server; a proxy never gets them. */
  tls?: TlsOptions
}

/**
 * Creates a pool of connections to a proxy. Failures of `connect` and tunnels that close unused get their own
 * code: undici would take them for idle connections that ended, and retry without end.
 */
function connectToProxy(origin: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(origin, options)
  const connect = pool.connect.bind(pool)
  let wasUnused = false
  return Object.assign(pool, {
    async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      try {
        if (wasUnused) {
          wasUnused = false
          throw Object.assign(new Error('unused tunnel'), { code: 'UNUSED_TUNNEL' })
        }
        const tunnel = await connect(request)
        const { bytesWritten } = tunnel.socket as Socket
        tunnel.socket.once('close', () => {
          wasUnused ||= (tunnel.socket as Socket).bytesWritten === bytesWritten
        })
        return tunnel
      } catch (error) {
        throw new ProxyFailure(error)
      }
    },
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

function createDispatcher(
  { concurrency, timeoutMs, maxBodyBytes, proxy, connectTo, tls }: DispatcherOptions,
  scheme: 'http' | 'https',
): Dispatcher {
  const serverTls = tls && scheme === 'https' ? { secureContext: createTlsContext(tls) } : undefined
  const settings: Agent.Options = {
    connections: concurrency,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
    maxHeaderSize: MAX_HEADER_BYTES,
    // A plain HTTP server may never respond to a TLS handshake.
    connect: { timeout: scheme === 'https' ? timeoutMs / 2 : timeoutMs, ...serverTls },
  }
  // undici would use a proxy for http also for https.
  const url = proxy?.[scheme]
  if (url === undefined) {
    const connect = connectTo ? createConnector(connectTo, settings.connect) : settings.connect
    return new Agent({ ...settings, connect })
  }
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: url,
    httpsProxy: url,
    noProxy: proxy?.no ?? '',
    proxyTls: { timeout: timeoutMs },
    ...(serverTls && { requestTls: serverTls }),
    clientFactory: (origin, rest) => connectToProxy(origin, { headersTimeout: timeoutMs, ...rest }),
  })
}

export type Dispatchers = Record<'http:' | 'https:', Dispatcher>

export const createDispatchers = (options: DispatcherOptions): Dispatchers => ({
  'http:': createDispatcher(options, 'http'),
  'https:': createDispatcher(options, 'https'),
})
