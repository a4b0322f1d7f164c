import { BlockList, isIP } from 'node:net'
import { unescape as decodePercent } from 'node:querystring'
import type { Problem, SetTexts } from './errors.ts'
import { text } from './variable.ts'

/** Proxy URLs by scheme, and hosts that are reached directly. */
export interface Proxies {
  http?: string
  https?: string
  no?: string
}

/** Names by scheme. The name in lower case takes precedence, as in curl. */
export const proxyVariables: Readonly<Record<keyof Proxies, readonly string[]>> = {
  http: ['http_proxy', 'HTTP_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY'],
  no: ['no_proxy', 'NO_PROXY'],
}

export const PROXY_IN_FILE =
  'must not be set in .env: set it in the process environment, or name the file with --env-file'

const CIDR = /^\[?(?<address>[\da-f:.]+?)\]?\/(?<length>\d{1,3})$/i
const HOST =
  /^(?:\*?\.)?(?<host>[^\s.:*/[\]<>@?#][^\s:*/[\]<>@?#]*|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Returns true if an entry of NO_PROXY excludes a host; undefined for a form that is not supported. */
function isExcluded(entry: string, host: string, port: string): boolean | undefined {
  if (entry === '*') return true
  const { address = '', length } = CIDR.exec(entry)?.groups ?? {}
  if (length !== undefined) {
    if (isIP(address) === 0 || Number(length) > (isIP(address) === 6 ? 128 : 32)) return undefined
    const subnet = new BlockList()
    subnet.addSubnet(address, Number(length), familyOf(address))
    const other = withoutBrackets(host)
    return isIP(other) !== 0 && subnet.check(other, familyOf(other))
  }
  const found = HOST.exec(isIP(entry) === 6 ? `[${entry}]` : entry)?.groups
  if (found === undefined || !URL.canParse(`http://${found.host}`)) return undefined
  const name = new URL(`http://${found.host}`).hostname
  const isAddress = isIP(withoutBrackets(name)) !== 0
  const isHost = host === name || (!isAddress && host.endsWith(`.${name}`))
  return isHost && (found.port ?? port) === port
}

const entriesOf = (text = '') => text.split(/[,\s]+/).filter((entry) => entry !== '')

export const noProxyFormat = text(
  (value) => entriesOf(value).every((entry) => isExcluded(entry, '', '') !== undefined),
  'must be a list of hosts, such as example.com, .example.com:8080, 10.0.0.7, ::1, 10.0.0.0/8 or *: correct or unset it',
)

/** Returns the URL of the proxy for a request; undefined if the host is reached directly. */
export function proxyFor({ protocol, hostname, port }: URL, { no, http, https }: Proxies = {}) {
  const [proxy, defaultPort] = protocol === 'https:' ? [https, '443'] : [http, '80']
  const isDirect = entriesOf(no).some((entry) => isExcluded(entry, hostname, port || defaultPort))
  return isDirect ? undefined : proxy
}

/** Returns the URL of a proxy with a scheme; default: `http`, as in curl. */
const normalizeProxyUrl = (text: string) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`

const proxyFormat = text((value) => {
  const url = normalizeProxyUrl(value)
  if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
  return /^(.{4,1024})?$/.test(new URL(url).password)
}, 'must be the URL of a proxy with the scheme http, https or socks5, without a path, and with at least 4 characters in a password: correct or unset it')

/** Returns the proxies that are set, and their problems. Without a proxy, hosts that are reached directly have no effect. */
export function readProxies(settings: SetTexts): { proxies: Proxies; problems: Problem[] } {
  const proxies: Proxies = {}
  const problems: Problem[] = []
  for (const scheme of ['http', 'https', 'no'] as const) {
    const variable = proxyVariables[scheme].find((name) => settings.has(name)) ?? ''
    const set = settings.get(variable)
    if (set === undefined) continue
    const isList = scheme === 'no'
    const isUsed = !isList || Object.keys(proxies).length > 0
    proxies[scheme] = isList ? set.text : normalizeProxyUrl(set.text)
    const problem = (isList ? noProxyFormat : proxyFormat).problem(set.text)
    const message = set.source === '.env' ? PROXY_IN_FILE : isUsed && problem
    if (message) problems.push({ variable, message, source: set.source })
  }
  return { proxies, problems }
}

/** Returns the password in a proxy URL: decoded, percent-encoded and as written. */
export function proxyPasswords(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return []
  // Read from the text too: URL changes the encoding.
  const written = /^[^/]*\/\/[^/@:]*:([^/]*)@/.exec(proxy)?.[1] ?? ''
  const { password } = new URL(proxy)
  return [...new Set([decodePercent(password), password, written])].filter((text) => text !== '')
}
