import type { Exchange } from '../probe/exchange.ts'

/**
 * The base URL to which a redirect of a request below the present one points, when it leads to the
 * same path below another one; `undefined` for any other response.
 */
export function redirectedBase(baseUrl: string, exchange: Exchange): string | undefined {
  const { status, headers, request } = exchange
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  if (!URL.canParse(location, request.url.href)) return undefined
  const target = new URL(location, request.url)
  const path = request.url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length)
  if (!/^https?:$/.test(target.protocol) || !target.pathname.endsWith(path)) return undefined
  const base = target.origin + target.pathname.slice(0, -path.length)
  return base === baseUrl ? undefined : base
}
