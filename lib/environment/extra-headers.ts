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

/** Returns the members of a JSON object of texts; undefined for anything else. */
function parseFields(text: string): [name: string, value: string][] | undefined {
  const json: unknown = isJson(text) ? JSON.parse(text) : undefined
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const fields = Object.entries(json)
  return fields.every(([, value]) => typeof value === 'string') ? fields : undefined
}

/** Returns a problem for each field that requests and connections have already. */
export function findReservedFields(text: string, ofServices: readonly string[]): Problem[] {
  const names = new Set((parseFields(text) ?? []).map(([name]) => name.toLowerCase()))
  const all = new Set([...reservedFields, ...ofServices])
  return [...all]
    .filter((field) => names.has(field.toLowerCase()))
    .map((field) => ({
      variable: 'PROBE_HEADERS',
      message: `must not contain ${field}, which requests set themselves: remove it`,
    }))
}

const fieldRule = (
  isValid: (name: string, value: string) => boolean,
  instruction: string,
): Rule => [
  (text) => (parseFields(text) ?? []).every(([name, value]) => isValid(name, value)),
  instruction,
]

/** Returns the name that replaces the value of a field in reports, and the shell variable of commands. */
export const headerPlaceholder = (name: string) =>
  `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/** A token of 12 characters or more within a value, such as a cookie or `Bearer …`, without its name. */
const TOKEN = /(?<=^|[\s;,])(?:[\w-]{1,64}=)?([^\s;,]{12,})/g

/** Returns the values, and the tokens within them, with the names that replace them. */
export function headerSecrets(headers: ExtraHeaders): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([field, whole]) => {
    const tokens = [...whole.matchAll(TOKEN)].map(([, token = '']) => token)
    return [...new Set([whole, ...tokens])].map((value) => ({
      name: headerPlaceholder(field),
      value,
    }))
  })
}

export const extraHeaders: Format<ExtraHeaders> = {
  rules: [
    [
      (text) => parseFields(text) !== undefined,
      'must be a JSON object with a text for each header field; in an environment file put it in single quotes',
    ],
    fieldRule(
      (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/.test(name),
      'must have names of header fields only: letters, digits and hyphens',
    ),
    fieldRule(
      // Other characters have no common encoding, so that curl would send other bytes.
      (_, value) => /^(?=[\x21-\x7e])[\t\x20-\x7e]{0,4095}[\x21-\x7e]$/.test(value),
      'must have values of 1 to 4096 characters of printable ASCII, without a line break or a space at either end',
    ),
    [
      (text) => {
        const names = (parseFields(text) ?? []).map(([name]) => headerPlaceholder(name))
        return new Set(names).size === names.length
      },
      'must have names that differ in a letter or digit',
    ],
  ],
  read: (text) => Object.fromEntries(parseFields(text) ?? []),
}
