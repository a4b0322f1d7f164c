import { Agent, Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { ProxyFailure } from './transport-failure.ts'

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
 * without end; a failure with a code of its own it takes for final.
 */
function connectToProxy(origin: URL, options: Pool.Options): Dispatcher {
  const pool = new Pool(origin, options)
  const connect = pool.connect.bind(pool)
  return Object.assign(pool, {
    async connect(request: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      try {
        return await connect(request)
      } catch (error) {
        throw new ProxyFailure(error)
      }
    },
  })
}

/** A proxy for http alone is none for https, as everywhere; undici would take it for both. */
class ByScheme extends Dispatcher {
  readonly #plain: Dispatcher
  readonly #secure: Dispatcher

  constructor(plain: Dispatcher, secure: Dispatcher) {
    super()
    this.#plain = plain
    this.#secure = secure
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const { protocol } = new URL(String(options.origin))
    return (protocol === 'https:' ? this.#secure : this.#plain).dispatch(options, handler)
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#plain.destroy(), this.#secure.destroy()])
  }
}

/** The undici dispatcher of a run. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { connections, timeoutMs, maxBodyBytes, proxy } = options
  const settings: Agent.Options = {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
    maxHeaderSize: MOST_HEADER_BYTES,
    connect: { timeout: timeoutMs },
  }
  if (proxy?.http === undefined && proxy?.https === undefined) return new Agent(settings)
  const proxied = new EnvHttpProxyAgent({
    ...settings,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.no ?? '',
    proxyTls: { timeout: timeoutMs },
    clientFactory: (origin, rest) => connectToProxy(origin, { headersTimeout: timeoutMs, ...rest }),
  })
  return proxy.https === undefined ? new ByScheme(proxied, new Agent(settings)) : proxied
}
