import type { Socket } from 'node:net'
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { ProxyFailure } from './transport-error.ts'

const MOST_HEADER_BYTES = 16 * 1024

export interface DispatcherOptions {
  /** Connections to an origin, kept alive between requests. */
  connections: number
  timeoutMs: number
  maxBodyBytes: number
  /** Proxy URLs and the hosts reached without one; absent: no proxy. */
  proxy?: { http?: string; https?: string; no?: string }
}

/**
 * Connections to a proxy, over which tunnels are asked for. A proxy that closes the connection
 * instead of answering looks to undici like an idle connection that ended, and it would ask again
 * without end; a failure with a code of its own it takes for final. The same goes for a tunnel that
 * ends before anything was sent through it, as where the proxy answers in the place of the server.
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

function createDispatcher(
  { connections, timeoutMs, maxBodyBytes, proxy }: DispatcherOptions,
  scheme: 'http' | 'https',
): Dispatcher {
  const settings: Agent.Options = {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
    maxHeaderSize: MOST_HEADER_BYTES,
    // A server that speaks plain HTTP may wait for more than a TLS handshake as long as it likes.
    connect: { timeout: scheme === 'https' ? timeoutMs / 2 : timeoutMs },
  }
  // A proxy for http alone is none for https, as everywhere; undici would take it for both.
  const url = proxy?.[scheme]
  if (url === undefined) return new Agent(settings)
  return new EnvHttpProxyAgent({
    ...settings,
    httpProxy: url,
    httpsProxy: url,
    noProxy: proxy?.no ?? '',
    proxyTls: { timeout: timeoutMs },
    clientFactory: (origin, rest) => connectToProxy(origin, { headersTimeout: timeoutMs, ...rest }),
  })
}

/** By scheme. */
export type Dispatchers = Record<'http:' | 'https:', Dispatcher>

export const createDispatchers = (options: DispatcherOptions): Dispatchers => ({
  'http:': createDispatcher(options, 'http'),
  'https:': createDispatcher(options, 'https'),
})
