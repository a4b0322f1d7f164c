import { type Format, text } from './variable.ts'

export const CONNECT_TO = 'PROBE_CONNECT_TO'
export const CONNECT_TO_EXAMPLE = 'git.example.com:443:10.0.0.7:443'

const HOST = String.raw`(\[[\da-f:.]+\]|[^\s:/?#@%[\]\\]+)?`
const PORT = String.raw`([1-9]\d{0,4})?`
const PATTERN = new RegExp(`^${HOST}:${PORT}:${HOST}:${PORT}$`, 'i')

function isConnectTo(text: string): boolean {
  const [, host = 'any', port = '1', address, addressPort] = PATTERN.exec(text) ?? []
  if (address === undefined && addressPort === undefined) return false
  const places = [`${host}:${port}`, `${address ?? 'same'}:${addressPort ?? '1'}`]
  return places.every((place) => URL.canParse(`http://${place}`))
}

/** Value of curl's `--connect-to`, whose empty parts mean any host or port, and the same address or port. */
export const connectToFormat: Format<string> = text(
  isConnectTo,
  'must be HOST:PORT:ADDRESS:PORT, the host and port of a base URL and where to connect instead, with IPv6 addresses in brackets',
)

/** Host and port of a TCP connection. An IPv6 address has brackets. */
export interface Connection {
  host: string
  port: string
}

/** Returns where to connect for a URL; undefined if the value does not concern its host and port. */
export function connectionFor(connectTo: string | undefined, url: URL): Connection | undefined {
  const parts = PATTERN.exec(connectTo ?? '')
  if (parts === null) return undefined
  const [, host, port, address, addressPort] = parts
  const normalize = (name = url.hostname) => new URL(`http://${name}`).hostname
  const urlPort = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (normalize(host) !== normalize() || (port ?? urlPort) !== urlPort) return undefined
  return { host: normalize(address), port: addressPort ?? urlPort }
}

/** Returns the problem of a valid value, if any. @param proxied schemes with a proxy */
export function findConnectToProblem(
  connectTo: string,
  baseUrls: readonly string[],
  proxied: readonly string[],
): string | undefined {
  const urls = baseUrls.map((text) => new URL(text))
  const affected = urls.filter((url) => connectionFor(connectTo, url) !== undefined)
  if (affected.length === 0) {
    return `has no effect, since its HOST:PORT is that of no base URL: correct or unset it; for example ${CONNECT_TO_EXAMPLE}`
  }
  if (!affected.some(({ protocol }) => proxied.includes(protocol.slice(0, -1)))) return undefined
  return 'cannot be used with a proxy: unset it, or the proxy (HTTPS_PROXY, HTTP_PROXY)'
}
