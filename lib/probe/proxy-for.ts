import { BlockList, isIP } from 'node:net'
import { HOST, type Proxies, SUBNET } from '../environment/proxies.ts'

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns true if an entry of NO_PROXY excludes a host. */
function isExcluded(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const { address = '', length } = SUBNET.exec(entry)?.groups ?? {}
  if (length !== undefined) {
    const other = withoutBrackets(host)
    if (isIP(address) === 0 || isIP(other) === 0) return false
    const subnet = new BlockList()
    const maxLength = isIP(address) === 6 ? 128 : 32
    subnet.addSubnet(address, Math.min(Number(length), maxLength), familyOf(address))
    return subnet.check(other, familyOf(other))
  }
  const found = HOST.exec(isIP(entry) === 6 ? `[${entry}]` : entry)?.groups
  if (found === undefined || !URL.canParse(`http://${found.host}`)) return false
  const name = new URL(`http://${found.host}`).hostname
  const isAddress = isIP(withoutBrackets(name)) !== 0
  const isHost = host === name || (!isAddress && host.endsWith(`.${name}`))
  return isHost && (found.port ?? port) === port
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
