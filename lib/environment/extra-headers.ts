import type { Problem } from './errors.ts'
import { isJson } from './json.ts'
import type { Format, Rule } from './variable.ts'

/** Texts by name of a header field, with the names as the operator wrote them. */
export type ExtraHeaders = Record<string, string>

/** Fields of every request, and fields of the connection (RFC 9110 and RFC 9112). */
const reservedFields = [
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

/** Returns a problem for each field that requests and connections have already. */
export function findReservedFields(text: string, ofServices: readonly string[]): Problem[] {
  const names = new Set((parseFields(text) ?? []).map(([name]) => name.toLowerCase()))
  return [...new Set([...reservedFields, ...ofServices])]
    .filter((field) => names.has(field.toLowerCase()))
    .map((field) => ({
      variable: 'PROBE_HEADERS',
      message: `must not contain ${field}, which requests set themselves: remove it`,
    }))
}

/** Returns the name that replaces the value of a field in reports, and the shell variable of commands. */
export const headerPlaceholder = (name: string) =>
  `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** A token of 12 characters or more within a value, such as a cookie or `Bearer …`, without its name. */
const TOKEN = /(?<=^|[\s;,])(?:[\w-]{1,64}=)?([^\s;,]{12,})/g

const VALUE = /^(?=[\x21-\x7e])[\t\x20-\x7e]{0,4095}[\x21-\x7e]$/

const fieldsRule = (
  isValid: (fields: [name: string, value: string][]) => boolean,
  instruction: string,
): Rule => [(text) => isValid(parseFields(text) ?? []), instruction]

export const extraHeaders: Format<ExtraHeaders> = {
  rules: [
    [
      (text) => parseFields(text) !== undefined,
      'must be a JSON object with a string for each header field; in an environment file put it in single quotes',
    ],
    fieldsRule(
      (fields) => fields.every(([name]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(name)),
      'must have valid names of header fields, such as X-Tenant',
    ),
    fieldsRule(
      // Other characters have no common encoding, so that curl would send other bytes.
      (fields) => fields.every(([, value]) => VALUE.test(value)),
      'must have values of 1 to 4096 characters of printable ASCII, without a line break or a space at either end',
    ),
    fieldsRule(
      (fields) => new Set(fields.map(([name]) => headerPlaceholder(name))).size === fields.length,
      'must name each header field once, in names that differ in more than case and punctuation',
    ),
  ],
  read: (text) => Object.fromEntries(parseFields(text) ?? []),
  secretsIn(headers: ExtraHeaders) {
    return Object.entries(headers).flatMap(([field, whole]) => {
      const tokens = [...whole.matchAll(TOKEN)].map(([, token = '']) => token)
      const name = headerPlaceholder(field)
      return [...new Set([whole, ...tokens])].map((value) => ({ name, value }))
    })
  },
  redact(headers: ExtraHeaders) {
    const names = Object.keys(headers)
    return JSON.stringify(
      Object.fromEntries(names.map((name) => [name, `$${headerPlaceholder(name)}`])),
    )
  },
}
