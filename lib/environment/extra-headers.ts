import { isUtf8 } from 'node:buffer'
import { isJson } from '../text/json.ts'
import type { Format } from './variable.ts'

/** Fields of every request, and fields of the connection (RFC 9110 and RFC 9112). */
export const reservedFields = [
  ...['Accept', 'Accept-Encoding', 'Authorization', 'Content-Type', 'User-Agent'],
  ...['Connection', 'Content-Encoding', 'Content-Length', 'Expect', 'Host', 'HTTP2-Settings'],
  ...['Keep-Alive', 'Proxy-Authorization', 'Proxy-Connection', 'TE', 'Trailer'],
  ...['Transfer-Encoding', 'Upgrade'],
]

function parseFields(text: string): [name: string, value: string][] | undefined {
  const json: unknown = isJson(text) ? JSON.parse(text) : undefined
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const fields = Object.entries(json)
  return fields.every(([, value]) => typeof value === 'string') ? fields : undefined
}

/** Returns the name that replaces the value of a field in reports, and the shell variable of commands. */
export const headerPlaceholder = (name: string) =>
  `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** A token of 12 characters or more within a value, such as a cookie or `Bearer …`, without its name. */
const TOKEN = /(?<=^|[\s;,])(?:[\w-]{1,64}=)?([^\s;,]{12,})/g

/** Value of a cookie, without its quotes (RFC 6265, 4.2.1). */
const COOKIE = /(?<=^|;)\s*[^\s=;]+="?([^";]+)/g

/** Scheme and credentials (RFC 9110, 11.4), also in other fields than `Authorization`. */
const CREDENTIALS = /^(?<scheme>[\w!#$%&'*+.^`|~-]+) +(?<credentials>.+)$/

/** `user:password`, but no URL. */
const PAIR = /^(?<user>[^\s:]*):(?!\/\/)(?<password>\S.*)$/

/** Minimum length of a part: a shorter one occurs in any text. */
const MIN_PART_CHARS = 4

/** Returns the scheme of a value, a public word; undefined if it has none. */
export const authorizationScheme = (value: string) => CREDENTIALS.exec(value)?.groups?.scheme

/** Returns a text, and the halves of `user:password`. A plain word and a host with a port are not secret. */
function withHalves(text: string): string[] {
  const { user = '', password = '' } = PAIR.exec(text)?.groups ?? {}
  const isPublic = /^[a-z]*$/i.test(user) || /^\d{1,5}$/.test(password)
  return [text, password, ...(isPublic ? [] : [user])]
}

/** Returns a value, and the parts of it that are secrets by themselves. */
function secretParts(field: string, value: string): string[] {
  const { scheme = '', credentials = '' } = CREDENTIALS.exec(value)?.groups ?? {}
  const patterns = /^cookie$/i.test(field) ? [COOKIE, TOKEN] : [TOKEN]
  const found = patterns.flatMap((pattern) => [...value.matchAll(pattern)])
  const parts = [value, credentials, ...found.map(([, part = '']) => part)]
  if (/^basic$/i.test(scheme)) {
    // RFC 7617.
    const bytes = Buffer.from(credentials, 'base64')
    parts.push(bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1'))
  }
  const all = new Set(parts.flatMap(withHalves))
  // Any JSON text may have one of these values.
  const rare = [...all].filter((part) => !/^(?:true|false|null)$/i.test(part))
  return rare.filter((part) => part === value || part.length >= MIN_PART_CHARS)
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/

// Other characters have no common encoding, so that curl would send other bytes.
const VALUE = /^(?=[\x21-\x7e])[\t\x20-\x7e]{0,4095}[\x21-\x7e]$/

/** Texts by name of a header field, with the names as the operator wrote them. */
export const extraHeaders: Format<Record<string, string>> = {
  problem(text) {
    const fields = parseFields(text)
    if (!fields?.every(([name, value]) => NAME.test(name) && VALUE.test(value)))
      return 'must be a JSON object of header fields with values of 1 to 4096 characters of printable ASCII, without a space at either end; in an environment file put it in single quotes'
    const placeholders = new Set(fields.map(([name]) => headerPlaceholder(name)))
    if (placeholders.size === fields.length) return undefined
    return 'must name each header field once, in names that differ in more than case and punctuation'
  },
  read: (text) => Object.fromEntries(parseFields(text) ?? []),
  secretsIn(headers: Record<string, string>) {
    return Object.entries(headers).flatMap(([field, text]) => {
      return secretParts(field, text).map((value) => ({ name: headerPlaceholder(field), value }))
    })
  },
  redact(headers: Record<string, string>) {
    const fields = Object.keys(headers).map((name) => [name, `$${headerPlaceholder(name)}`])
    return JSON.stringify(Object.fromEntries(fields))
  },
}
