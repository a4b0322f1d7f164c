/** Connections: through proxies (HTTPS_PROXY), to another address (PROBE_CONNECT_TO), with certificates (PROBE_TLS_*). */
import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { unescape as decodePercent } from 'node:querystring'
import type { SecureContext } from 'node:tls'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import { type Problem, type SetTexts, text } from './variable.ts'

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

/** Entry of NO_PROXY: `*`, an address or a subnet, or a host with its subdomains. */
export const NO_PROXY_ENTRY =
  /^(?:\*|\[?(?<address>[\da-f]*:[\da-f:.]*|\d+(?:\.\d+){3})\]?(?:\/(?<length>\d{1,3}))?|(?:\*?\.)?(?<host>[^\s.:*/[\]<>@?#][^\s:*/[\]<>@?#]*|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?)$/i

const noProxyFormat = text(
  (value) => value.split(/[,\s]+/).every((entry) => entry === '' || NO_PROXY_ENTRY.test(entry)),
  'must be a list of hosts, such as example.com, .example.com:8080, 10.0.0.7, ::1, 10.0.0.0/8 or *: correct or unset it',
)

export const PROXY_IN_FILE =
  'must not be set in .env: set it in the process environment, or name the file with --env-file'

/** Returns the URL of a proxy with a scheme; default: `http`, as in curl. */
const normalizeProxyUrl = (text: string) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`

const proxyFormat = text((value) => {
  const url = normalizeProxyUrl(value)
  if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
  return /^(.{4,1024})?$/.test(new URL(url).password)
}, 'must be the URL of a proxy with the scheme http, https or socks5, without a path, and with at least 4 characters in a password: correct or unset it')

/** Returns the proxies that are set, and their problems. */
export function readProxies(settings: SetTexts): { proxies: Proxies; problems: Problem[] } {
  const proxies: Proxies = {}
  const problems: Problem[] = []
  for (const scheme of ['http', 'https', 'no'] as const) {
    const variable = proxyVariables[scheme].find((name) => settings.has(name)) ?? ''
    const { text, source } = settings.get(variable) ?? {}
    if (text === undefined) continue
    proxies[scheme] = scheme === 'no' ? text : normalizeProxyUrl(text)
    const problem = (scheme === 'no' ? noProxyFormat : proxyFormat).problem(text)
    // Without a proxy, hosts that are reached directly have no effect.
    const isUsed = scheme !== 'no' || Object.keys(proxies).length > 1
    const message = source === '.env' ? PROXY_IN_FILE : isUsed && problem
    if (message) problems.push({ variable, message, source })
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

const HOST = String.raw`(\[[\da-f:.]+\]|[^\s:/?#@%[\]\\]+)?`
const PORT = String.raw`([1-9]\d{0,4})?`
const CONNECT_TO = new RegExp(`^${HOST}:${PORT}:${HOST}:${PORT}$`, 'i')

/** Value of curl's `--connect-to`, whose empty parts mean any host or port, and the same address or port. */
export const connectToFormat = text((value) => {
  const [, host = 'any', port = '1', address, addressPort] = CONNECT_TO.exec(value) ?? []
  if (address === undefined && addressPort === undefined) return false
  const places = [`${host}:${port}`, `${address ?? 'same'}:${addressPort ?? '1'}`]
  return places.every((place) => URL.canParse(`http://${place}`))
}, 'must be HOST:PORT:ADDRESS:PORT, the host and port of a base URL and where to connect instead, with IPv6 addresses in brackets')

/** Returns the `ADDRESS:PORT` to connect to for a URL; undefined if the value does not concern the URL. */
export function connectionFor(connectTo: string | undefined, url: URL): string | undefined {
  const parts = CONNECT_TO.exec(connectTo ?? '')
  if (parts === null) return undefined
  const [, host, port, address, addressPort] = parts
  const normalize = (name = url.hostname) => new URL(`http://${name}`).hostname
  const urlPort = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (normalize(host) !== normalize() || (port ?? urlPort) !== urlPort) return undefined
  return `${normalize(address)}:${addressPort ?? urlPort}`
}

const files = { ca: 'PROBE_TLS_CA', cert: 'PROBE_TLS_CERT', key: 'PROBE_TLS_KEY' } as const
const PASSPHRASE = 'PROBE_TLS_KEY_PASSPHRASE'

export interface TlsOptions {
  /** The only authorities that are trusted; absent: the authorities of Node.js. */
  ca?: string
  cert?: string
  key?: string
  passphrase?: string
}

/** Loads `node:tls` only when it is needed, since that delays the start. */
export const createTlsContext = (options: TlsOptions): SecureContext =>
  process.getBuiltinModule('node:tls').createSecureContext(options)

/** @throws Error without the content of such a file, and for a damaged certificate, which OpenSSL ignores among authorities */
function requirePem(text: string, option: keyof typeof files): void {
  const label = option === 'key' ? '-----BEGIN ' : '-----BEGIN CERTIFICATE-'
  const blocks = text.split(/(?=-----BEGIN )/).filter((block) => block.startsWith(label))
  if (blocks.length === 0) throw new Error('it has no such block')
  if (option !== 'key') for (const block of blocks) new X509Certificate(block)
}

/** Reads and checks the TLS files. Returns nothing if no variable is set. */
export function readTls(settings: SetTexts, directory: string) {
  const passphrase = settings.get(PASSPHRASE)?.text
  const tls: TlsOptions = passphrase === undefined ? {} : { passphrase }
  const problems: Problem[] = []
  const report = (variable: string, message: string) =>
    problems.push({ variable, message, source: settings.get(variable)?.source })
  for (const option of ['ca', 'cert', 'key'] as const) {
    const variable = files[option]
    const path = settings.get(variable)?.text
    if (path === undefined) continue
    try {
      tls[option] = readRegularFile(resolve(directory, path))
      requirePem(tls[option], option)
    } catch (error) {
      const isRead = tls[option] !== undefined
      const reason = isRead
        ? 'is not valid PEM: replace it'
        : `${readingProblem(error)}, relative to the working directory`
      report(variable, `names a file that ${reason}`)
    }
  }
  if (problems.length > 0 || Object.keys(tls).length === 0) return { tls: undefined, problems }
  try {
    createTlsContext(tls)
  } catch (error) {
    const code = codeOf(error)
    // The key of another certificate, damaged or too weak, or a weak signature of an authority.
    if (!tls.key?.includes('ENCRYPTED') || code.includes('MISMATCH'))
      report(tls.key ? files.key : files.ca, `is not accepted by OpenSSL (${code}): replace it`)
    else report(PASSPHRASE, `must be the passphrase of ${files.key}, which is encrypted`)
  }
  return { tls, problems }
}
