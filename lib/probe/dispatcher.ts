import type { Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { ProxyFailure, SilentHandshake, UnusedTunnel } from './transport-failure.ts'

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
          throw new UnusedTunnel()
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

/**
 * Connects, and waits half the time for the first byte of a TLS handshake. A server that speaks plain
 * HTTP may wait for the rest of what it takes for a request as long as it likes.
 */
function connectWithin(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs })
  return (options, callback) => {
    if (options.protocol !== 'https:') return connect(options, callback)
    const port = options.port || '443'
    connect({ ...options, protocol: 'http:', port }, (failure, socket) => {
      if (failure !== null) return callback(failure, null)
      let isDone = false
      const tell: buildConnector.Callback = (...outcome) => {
        clearTimeout(waiting)
        if (!isDone) callback(...outcome)
        isDone = true
      }
      const waiting = setTimeout(() => {
        if (socket.bytesRead > 0) return
        // The TLS socket above it does not tell of its end.
        tell(new SilentHandshake(), null)
        socket.destroy()
      }, timeoutMs / 2)
      connect({ ...options, httpSocket: socket }, tell)
    })
  }
}

/** The undici dispatchers of a run, by scheme. */
export function createDispatchers(
  options: DispatcherOptions,
): Record<'http:' | 'https:', Dispatcher> {
  const { connections, timeoutMs, maxBodyBytes, proxy } = options
  const settings: Agent.Options = {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
    maxHeaderSize: MOST_HEADER_BYTES,
    connect: connectWithin(timeoutMs),
  }
  const direct = new Agent(settings)
  if (proxy?.http === undefined && proxy?.https === undefined) {
    return { 'http:': direct, 'https:': direct }
  }
  const proxied = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.no ?? '',
    proxyTls: { timeout: timeoutMs },
    clientFactory: (origin, rest) => connectToProxy(origin, { headersTimeout: timeoutMs, ...rest }),
  })
  // A proxy for http alone is none for https, as everywhere; undici would take it for both.
  return { 'http:': proxied, 'https:': proxy.https === undefined ? direct : proxied }
}
