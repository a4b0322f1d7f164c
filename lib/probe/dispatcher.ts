import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'

export interface DispatcherOptions {
  /** Connections to an origin, kept alive between requests. */
  connections: number
  timeoutMs: number
  maxBodyBytes: number
  /** Proxy URLs and the hosts reached without one; absent: no proxy. */
  proxy?: { http?: string; https?: string; no?: string }
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
    connect: { timeout: timeoutMs },
  }
  return proxy?.http === undefined && proxy?.https === undefined
    ? new Agent(settings)
    : new EnvHttpProxyAgent({
        ...settings,
        httpProxy: proxy.http ?? '',
        httpsProxy: proxy.https ?? '',
        noProxy: proxy.no ?? '',
      })
}
