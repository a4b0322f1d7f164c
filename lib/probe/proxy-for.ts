import { BlockList, isIP } from 'node:net'
import { NO_PROXY_ENTRY, type Proxies } from '../environment/connections.ts'

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns true if an entry of NO_PROXY excludes a host, by its name with subdomains, or by its address. */
function isExcluded(entry: string, hostname: string, port: string): boolean {
  const { address, length, host, port: ownPort = port } = NO_PROXY_ENTRY.exec(entry)?.groups ?? {}
  if (address === undefined) {
    if (host === undefined || !URL.canParse(`http://${host}`)) return entry === '*'
    const name = new URL(`http://${host}`).hostname
    const isBelow = isIP(withoutBrackets(name)) === 0 && hostname.endsWith(`.${name}`)
    return (hostname === name || isBelow) && ownPort === port
  }
  const other = withoutBrackets(hostname)
  if (isIP(address) === 0 || isIP(other) === 0) return false
  const maxLength = isIP(address) === 6 ? 128 : 32
  const subnet = new BlockList()
  subnet.addSubnet(address, Math.min(Number(length ?? maxLength), maxLength), familyOf(address))
  return subnet.check(other, familyOf(other))
}

/** Returns the URL of the proxy for a request; undefined if the host is reached directly. */
export function proxyFor(
  { protocol, hostname, port }: URL,
  { no = '', http, https }: Proxies = {},
) {
  const [proxy, defaultPort] = protocol === 'https:' ? [https, '443'] : [http, '80']
  const entries = no.split(/[,\s]+/)
  const isDirect = entries.some((entry) => isExcluded(entry, hostname, port || defaultPort))
  return isDirect ? undefined : proxy
}
