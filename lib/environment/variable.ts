import { joinNames } from './errors.ts'
import { isJson } from './json.ts'

/** Whether a text keeps a rule, and what to tell who broke it, without the text: `must be …`. */
export type Rule = readonly [isKept: (text: string) => boolean, instruction: string]

export interface Format<Value = unknown> {
  /** In their order: only the first that is broken is told. */
  rules: readonly Rule[]
  read: (text: string) => Value
  /** Sent in bodies, whole or as a part of one: reports without bodies leave it out too. */
  inBodies?: true
}

export interface Variable {
  name: string
  format: Format
  /** The value when the variable is not set; without it the value is absent then. */
  default?: string | number | boolean
  meaning: string
  example?: string
  secret?: true
  /** Names a resource of the deployment, of which another value names another, or none. */
  identifies?: true
}

/** By place in the target: those of one object there are set together, unless they have defaults. */
export type VariableTable = Readonly<Record<string, Variable | Readonly<Record<string, Variable>>>>

/**
 * All variables with one prefix. Where there is a variable `<prefix>BASE_URL`, the others mean nothing
 * without it, and the target lacks them all.
 */
export interface VariableGroup {
  /** The place of its values in the target. */
  key: string
  prefix: string
  table: VariableTable
  /** By further places in the target, which say whether the operator set a variable of this name. */
  whetherSet?: Readonly<Record<string, string>>
  /** For a variable, others of which at least one must be set with it. */
  oneOf?: Readonly<Record<string, readonly string[]>>
  /** Variables that may not name the same account or repository: `what` says which. */
  distinct?: readonly { variable: string; from: string; what: string }[]
}

export const isVariable = (part: VariableTable[string]): part is Variable => 'format' in part

export function variablesOf(table: VariableTable): Variable[] {
  return Object.values(table).flatMap((part) => (isVariable(part) ? part : Object.values(part)))
}

type ValueOf<Part> = Part extends { format: Format<infer Value> }
  ? Value
  : { -readonly [Place in keyof Part]: ValueOf<Part[Place]> }

type AlwaysThere = { default: unknown } | Readonly<Record<string, { default: unknown }>>

type RequiredPlace<Table> = {
  [Place in keyof Table]: Place extends 'baseUrl'
    ? Place
    : Table[Place] extends AlwaysThere
      ? Place
      : never
}[keyof Table]

/** The values of a table by place: optional where there is neither a default nor a base URL. */
export type TargetOf<Table> = {
  -readonly [Place in keyof Table as Extract<Place, RequiredPlace<Table>>]: ValueOf<Table[Place]>
} & {
  -readonly [Place in keyof Table as Exclude<Place, RequiredPlace<Table>>]?: ValueOf<Table[Place]>
}

export function text(isKept: Rule[0], instruction: string): Format<string> {
  return { rules: [[isKept, instruction]], read: (given) => given }
}

function normalizeBaseUrl(given: string): string {
  const url = new URL(given)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

const absoluteUrl: readonly Rule[] = [
  [
    (given) => /^https?:\/\/[^\s/?#\\][^\s\\]*$/i.test(given) && URL.canParse(given),
    'must be an absolute URL that starts with http:// or https://',
  ],
  [
    (given) => !/^https?:\/\/[^/?#]*@/i.test(given),
    'must not hold a user name or password: take them out and set the variables made for them',
  ],
]

/** Where the operator keeps a copy of a document, of which reports link a heading. */
export const documentUrl: Format<string> = {
  rules: [
    ...absoluteUrl,
    [(given) => !given.includes('#'), 'must not have a fragment: reports add it'],
  ],
  read: (given) => new URL(given).href,
}

/** An absolute URL below which the documented path begins, such as `/v1`, the `version` of the API. */
export function baseUrl(path: string, what: string): Format<string> {
  return {
    rules: [
      ...absoluteUrl,
      [
        (given) => !/[?#]/.test(given),
        'must not have a query or a fragment: leave out everything from the first ? or #',
      ],
      [
        (given) => !normalizeBaseUrl(given).toLowerCase().endsWith(path),
        `must not end in the ${what} of the API: leave out ${path}, requests add it`,
      ],
    ],
    read: normalizeBaseUrl,
  }
}

export const username = text(
  (given) => /^[^:\p{Cc}]{1,1024}$/u.test(given),
  'must be a login name of at most 1024 characters, without a colon, line breaks or other control characters',
)

// A secret of less than four characters is in every text: reports could not be kept free of it.
export const password = text(
  (given) => /^\P{Cc}{4,1024}$/u.test(given),
  'must be a single line of 4 to 1024 characters without control characters: look for a line break at its end',
)

function key(what: string, leaveOut: string): Format<string> {
  return text(
    (given) => /^[\x21-\x7e]{4,4096}$/.test(given),
    `must be an ${what} alone, 4 to 4096 characters of printable ASCII without whitespace: leave out ${leaveOut}`,
  )
}

export const token = key('access token', 'any prefix and line break')

export const apiKey = key('API key', 'any header name, prefix and line break')

export const pathSegment = text(
  // A URL resolver would take one or two dots, however they are encoded, for a step in the path.
  (given) => /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u.test(given),
  'must be an id exactly as the service gave it: a single line without control characters, and neither . nor ..',
)

export const json: Format<string> = {
  ...text(isJson, 'must be valid JSON; in an environment file put it in single quotes'),
  inBodies: true,
}

export const trueOrFalse: Format<boolean> = {
  rules: [[(given) => /^(true|false)$/i.test(given), 'must be true or false']],
  read: (given) => given.toLowerCase() === 'true',
}

export function wholeNumber(minimum: number, maximum: number): Format<number> {
  const isKept = (given: string) =>
    /^[0-9]+$/.test(given) && Number(given) >= minimum && Number(given) <= maximum
  const instruction = `must be a whole number from ${minimum} to ${maximum}, in digits alone`
  return { rules: [[isKept, instruction]], read: Number }
}

export function oneOf<Member extends string>(...members: Member[]): Format<Member> {
  const isMember = (given: string) => members.some((member) => member === given)
  const instruction = `must be ${joinNames(members, 'or')}`
  return { rules: [[isMember, instruction]], read: (given) => given as Member }
}
