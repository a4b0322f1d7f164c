import { isJson } from '../text/json.ts'
import { joinNames } from '../text/names.ts'

/** A secret value, and the name that replaces it. */
export interface Secret {
  name: string
  value: string
}

/** Text of a variable that is set. */
export interface SetText {
  text: string
  source: 'process' | '.env' | '--env-file'
}

export type SetTexts = Map<string, SetText>

export interface Problem {
  /** Name of a variable, or `.env` or `--env-file`. */
  variable: string
  /** Completes a sentence that begins with the name: the problem and what to do. Never contains a value. */
  message: string
  source?: SetText['source'] | undefined
}

export interface Format<Value = unknown> {
  /** Returns what an invalid text must be, without the text: `must be …`. */
  problem: (text: string) => string | undefined
  read: (text: string) => Value
  /** True if it is sent in bodies: reports without bodies omit it. */
  inBodies?: true
  /** Returns the secrets in a secret value; absent: the value, with the name of the variable. */
  secretsIn?(value: unknown): Secret[]
  /** Returns a secret value as in reports; absent: `$NAME`. */
  redact?(value: unknown): string
}

export interface Variable {
  name: string
  format: Format
  default?: string | number | boolean
  meaning: string
  example?: string
  secret?: true
  identifies?: true
}

/** Variables by key in the target. Variables of one object without defaults must be set together. */
export type VariableTable = Readonly<Record<string, Variable | Readonly<Record<string, Variable>>>>

/** Variables with a common prefix. If the table has `<prefix>BASE_URL`, the others require it. */
export interface VariableGroup {
  /** Key of its values in the target. */
  key: string
  prefix: string
  table: VariableTable
  /** Variables of which at least one must be set, by the variable that requires them. */
  oneOf?: Readonly<Record<string, readonly string[]>>
  /** Header fields that checks of the service send. If it is configured, PROBE_HEADERS must not have them. */
  requestFields?: readonly string[]
  /** Variables that must not name the same resource; `what` is its kind. */
  distinct?: readonly { variable: string; from: string; what: string }[]
}

export const isVariable = (part: VariableTable[string]): part is Variable => 'format' in part

export function variablesOf(table: VariableTable): Variable[] {
  return Object.values(table).flatMap((part) => (isVariable(part) ? part : Object.values(part)))
}

type ValueOf<Part> = Part extends { format: Format<infer Value> } ? Value : ValuesOf<Part>

type ValuesOf<Parts> = { -readonly [Key in keyof Parts]: ValueOf<Parts[Key]> }

type HasDefault = { default: unknown } | Readonly<Record<string, { default: unknown }>>

type RequiredKey<Table> = {
  [Key in keyof Table]: Key extends 'baseUrl' ? Key : Table[Key] extends HasDefault ? Key : never
}[keyof Table]

/** Values of a table by key: optional without a default, except a base URL. */
export type TargetOf<Table> = Pick<ValuesOf<Table>, RequiredKey<Table>> &
  Partial<Omit<ValuesOf<Table>, RequiredKey<Table>>>

/** Returns a format with a single rule, which the instruction describes. */
export function format<Value>(
  isValid: (text: string) => boolean,
  instruction: string,
  read: (text: string) => Value,
): Format<Value> {
  return { problem: (text) => (isValid(text) ? undefined : instruction), read }
}

export const text = (isValid: (text: string) => boolean, instruction: string): Format<string> =>
  format(isValid, instruction, String)

const WEB_URL = 'must be an absolute URL that starts with http:// or https://, without credentials'

const isWebUrl = (value: string) =>
  /^https?:\/\/[^\s/?#\\@]+(?:[/?#][^\s\\]*)?$/i.test(value) && URL.canParse(value)

/** Returns the variable of the operator's copy of a document, to whose headings reports link. */
export const documentVariable = (prefix: string) => ({
  name: `${prefix}DOCUMENT_URL`,
  // A fragment is left out: reports add the fragment of a section.
  format: format(isWebUrl, WEB_URL, (value) => new URL(value).href.replace(/#.*/, '')),
  meaning: 'Your copy of the API document; reports link to its sections.',
  example: `https://wiki.example.com/${prefix.toLowerCase().replaceAll('_', '-')}api.md`,
})

export const TRACE_ID = '{traceId}'

/** URL of a trace in a viewer, with a placeholder for the trace id. */
export const traceUrl = text(
  (value) =>
    isWebUrl(value) && /^https?:\/\/[^/?#]+(.*)$/i.exec(value)?.[1]?.includes(TRACE_ID) === true,
  `${WEB_URL}, and with ${TRACE_ID} after the host`,
)

/** Returns the format of a base URL without the first documented path segment, such as `/v1`, the `version`. */
export function baseUrl(path: string, what: string): Format<string> {
  const read = (value: string) => {
    const url = new URL(value)
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  return {
    problem(value) {
      if (!isWebUrl(value) || /[?#]/.test(value)) return `${WEB_URL}, query or fragment`
      if (!read(value).toLowerCase().endsWith(path)) return undefined
      return `must not end in the ${what} of the API: leave out ${path}, requests add it`
    },
    read,
  }
}

// A shorter secret occurs in any text and could not be redacted.
export const password = text(
  (value) => /^\P{Cc}{4,1024}$/u.test(value),
  'must be a single line of 4 to 1024 characters without control characters: check for a line break at its end',
)

const key = (what: string, leaveOut: string) =>
  text(
    (value) => /^[\x21-\x7e]{4,4096}$/.test(value),
    `must be an ${what} only, 4 to 4096 characters of printable ASCII without whitespace: leave out ${leaveOut}`,
  )

export const token = key('access token', 'any prefix and line break')

export const apiKey = key('API key', 'any header name, prefix and line break')

export const pathSegment = text(
  // A URL resolver would remove `.` and `..`, also when encoded.
  (value) => /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u.test(value),
  'must be an id exactly as the service returned it: a single line without control characters, and neither . nor ..',
)

export const file = text(
  (value) => /^(?!-----BEGIN)\P{Cc}{1,4096}$/u.test(value),
  'must be the path of a file in PEM, not its content',
)

export const json: Format<string> = {
  ...text(isJson, 'must be valid JSON; in an environment file put it in single quotes'),
  inBodies: true,
}

export const trueOrFalse: Format<boolean> = format(
  (value) => /^(true|false)$/i.test(value),
  'must be true or false',
  (value) => value.toLowerCase() === 'true',
)

export const wholeNumber = (minimum: number, maximum: number): Format<number> =>
  format(
    (value) => /^[0-9]+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum,
    `must be a whole number from ${minimum} to ${maximum}, in digits only`,
    Number,
  )

export function oneOf<Member extends string>(...members: Member[]): Format<Member> {
  const isMember = (value: string) => members.some((member) => member === value)
  return format(isMember, `must be ${joinNames(members, 'or')}`, (value) => value as Member)
}
