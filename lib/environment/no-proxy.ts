import { BlockList, isIP } from 'node:net'
import type { Rule } from './variable.ts'

/** Proxy URLs by scheme, and hosts that are reached directly. */
export interface Proxies {
  http?: string
  https?: string
  no?: string
}

const CIDR = /^(?<address>[\d.]+|\[?[\da-f:.]+\]?)\/(?<length>\d{1,3})$/i
const HOST =
  /^(?:\*?\.)?(?<host>[^\s.:*/[\]<>@?#][^\s:*/[\]<>@?#]*|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i

/** Returns the host as in a URL; undefined if it is none. */
function normalizeHost(host: string): string | undefined {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

type Matcher = (host: string, port: string) => boolean

function createSubnetMatcher(address: string, length: number): Matcher | undefined {
  if (isIP(address) === 0 || length > (isIP(address) === 6 ? 128 : 32)) return undefined
  const subnet = new BlockList()
  subnet.addSubnet(address, length, familyOf(address))
  return (host) => {
    const other = withoutBrackets(host)
    return isIP(other) !== 0 && subnet.check(other, familyOf(other))
  }
}

/** Returns a function that finds the hosts of an entry of NO_PROXY; undefined for a form that is not supported. */
function toMatcher(entry: string): Matcher | undefined {
  if (entry === '*') return () => true
  const { address, length } = CIDR.exec(entry)?.groups ?? {}
  if (address !== undefined) return createSubnetMatcher(withoutBrackets(address), Number(length))
  const { host = '', port } = isIP(entry) === 6 ? { host: entry } : (HOST.exec(entry)?.groups ?? {})
  const name = host === '' ? undefined : normalizeHost(host)
  if (name === undefined) return undefined
  const isAddress = isIP(withoutBrackets(name)) !== 0
  return (other, otherPort) =>
    (port === undefined || port === otherPort) &&
    (other === name || (!isAddress && other.endsWith(`.${name}`)))
}

const entriesOf = (text: string) => text.split(/[,\s]+/).filter((entry) => entry !== '')

export const noProxyRule: Rule = [
  (text) => entriesOf(text).every((entry) => toMatcher(entry) !== undefined),
  'must be a list of hosts, such as example.com, .example.com:8080, 10.0.0.7, ::1, 10.0.0.0/8 or *: correct or unset it',
]

/** Returns the URL of the proxy for a request; undefined if the host is reached directly. */
export function proxyFor({ protocol, hostname, port }: URL, proxies: Proxies = {}) {
  const { no = '', ...byScheme } = proxies
  const isTls = protocol === 'https:'
  const otherPort = port || (isTls ? '443' : '80')
  const isDirect = entriesOf(no).some((entry) => toMatcher(entry)?.(hostname, otherPort))
  return isDirect ? undefined : byScheme[isTls ? 'https' : 'http']
}
