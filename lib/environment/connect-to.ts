import type { Proxies } from './proxies.ts'
import { type Format, text } from './variable.ts'

export const CONNECT_TO = 'PROBE_CONNECT_TO'

const HOST = String.raw`(\[[\da-f:.]+\]|[^\s:/?#@%[\]\\]+)?`
const PORT = String.raw`([1-9]\d{0,4})?`
const PATTERN = new RegExp(`^${HOST}:${PORT}:${HOST}:${PORT}$`, 'i')

/** Value of curl's `--connect-to`, whose empty parts mean any host or port, and the same address or port. */
export const connectToFormat: Format<string> = text((value) => {
  const [, host = 'any', port = '1', address, addressPort] = PATTERN.exec(value) ?? []
  if (address === undefined && addressPort === undefined) return false
  const places = [`${host}:${port}`, `${address ?? 'same'}:${addressPort ?? '1'}`]
  return places.every((place) => URL.canParse(`http://${place}`))
}, 'must be HOST:PORT:ADDRESS:PORT, the host and port of a base URL and where to connect instead, with IPv6 addresses in brackets')

/** Returns the `ADDRESS:PORT` to connect to for a URL; undefined if the value does not concern the URL. */
export function connectionFor(connectTo: string | undefined, url: URL): string | undefined {
  const parts = PATTERN.exec(connectTo ?? '')
  if (parts === null) return undefined
  const [, host, port, address, addressPort] = parts
  const normalize = (name = url.hostname) => new URL(`http://${name}`).hostname
  const urlPort = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (normalize(host) !== normalize() || (port ?? urlPort) !== urlPort) return undefined
  return `${normalize(address)}:${addressPort ?? urlPort}`
}

/** Returns the problem of a valid value, if any. @param urls base URLs */
export function findConnectToProblem(connectTo: string, urls: readonly string[], proxies: Proxies) {
  const valid = urls.flatMap((url) => (URL.canParse(url) ? new URL(url) : []))
  const concerned = valid.filter((url) => connectionFor(connectTo, url))
  if (concerned.length === 0)
    return 'has no effect, since no base URL has its HOST:PORT: correct or unset it'
  const schemes = concerned.map(({ protocol }) => (protocol === 'https:' ? 'https' : 'http'))
  if (schemes.every((scheme) => proxies[scheme] === undefined)) return undefined
  return 'cannot be used with a proxy: unset it, or the proxy (HTTPS_PROXY, HTTP_PROXY)'
}
