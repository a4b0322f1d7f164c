import type { FormatName } from './formats.ts'

/** JSON Schema of a variable's value after its text has been read as `type`. */
export type ValueSchema =
  | { type: 'boolean' }
  | { type: 'integer'; minimum: number; maximum: number }
  | { type: 'string'; enum: readonly string[] }
  | { type: 'string'; format: FormatName }
  | { type: 'string'; allOf: readonly { format: FormatName }[] }

/** A base URL below which `/v1` lies. */
export const urlAboveVersion = {
  type: 'string',
  allOf: [
    { format: 'http-url' },
    { format: 'url-without-credentials' },
    { format: 'url-without-query' },
    { format: 'url-without-version' },
  ],
} as const satisfies ValueSchema

/** One row of the table of variables. */
export interface Variable {
  schema: ValueSchema
  /** The value when the variable is not set; without it the value is absent then. */
  default?: string | number | boolean
  /** One line for people. */
  meaning: string
  /** A valid text. */
  example?: string
  /** Whether the value must never be shown. */
  secret: boolean
}

/** Two variables that must not hold the same text, letter case aside. */
export interface Distinction {
  variable: string
  from: string
  /** What each of them names. */
  what: string
}

/** What belongs together in the environment: all variables with one prefix. */
export interface VariableGroup {
  /** A heading for people. */
  title: string
  prefix: string
  variables: Readonly<Record<string, Variable>>
  /** The variable without which all others of the group mean nothing. */
  baseUrl?: string
  /** For a variable, the others that must be set with it. */
  needs: Readonly<Record<string, readonly string[]>>
  /** For a variable, others of which at least one must be set with it. */
  needsOneOf: Readonly<Record<string, readonly string[]>>
  distinct: readonly Distinction[]
}

/** The type of a value that satisfies a schema. */
export type ValueOf<Schema> = Schema extends { type: 'boolean' }
  ? boolean
  : Schema extends { type: 'integer' }
    ? number
    : Schema extends { enum: readonly (infer Member)[] }
      ? Member
      : string

/** The values of a table of variables by name, defaults included. */
export type ValuesOf<Table extends Record<string, Variable>> = {
  readonly [Name in keyof Table]: Table[Name] extends { default: unknown }
    ? ValueOf<Table[Name]['schema']>
    : ValueOf<Table[Name]['schema']> | undefined
}
