/** Whether a text keeps a rule, and what to tell who broke it, without the text: `must be …`. */
export type Rule = readonly [isKept: (text: string) => boolean, instruction: string]

/** What texts of a kind must be, and the value that they stand for. */
export interface Format<Value = unknown> {
  rules: readonly Rule[]
  /** Given a text that keeps all rules. */
  read: (text: string) => Value
  /** Sent in bodies, whole or as a part of one: reports without bodies leave it out too. */
  inBodies?: true
}

/** One row of a table of variables. */
export interface Variable {
  name: string
  format: Format
  /** The value when the variable is not set; without it the value is absent then. */
  default?: string | number | boolean
  /** One line for people. */
  meaning: string
  /** A valid text. */
  example?: string
  /** Whether the value must never be shown. */
  secret?: true
}

/**
 * Variables by their place in the target. Those that form an object there are set together or not at
 * all, unless they have defaults.
 */
export type VariableTable = Readonly<Record<string, Variable | Readonly<Record<string, Variable>>>>

/** Two variables that must not hold the same text, letter case aside. */
export interface Distinction {
  variable: string
  from: string
  /** What each of them names. */
  what: string
}

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
  /** For a variable, others that must be set with it, besides those of the same object. */
  together?: Readonly<Record<string, readonly string[]>>
  /** For a variable, others of which at least one must be set with it. */
  oneOf?: Readonly<Record<string, readonly string[]>>
  distinct?: readonly Distinction[]
}

export function isVariable(part: VariableTable[string]): part is Variable {
  return 'format' in part
}

/** The variables of a table, in its order. */
export function variablesOf(table: VariableTable): Variable[] {
  return Object.values(table).flatMap((part) => (isVariable(part) ? part : Object.values(part)))
}

type ValueOf<Part> = Part extends { format: Format<infer Value> }
  ? Value
  : { -readonly [Place in keyof Part]: ValueOf<Part[Place]> }

type IsAlwaysThere<Part> = Part extends { default: unknown }
  ? true
  : Part extends { format: unknown }
    ? false
    : IsAlwaysThere<Part[keyof Part]>

type RequiredPlace<Table> = {
  [Place in keyof Table]: Place extends 'baseUrl'
    ? Place
    : IsAlwaysThere<Table[Place]> extends true
      ? Place
      : never
}[keyof Table]

/** The values of a table by place: optional where there is neither a default nor a base URL. */
export type TargetOf<Table> = {
  -readonly [Place in keyof Table as Extract<Place, RequiredPlace<Table>>]: ValueOf<Table[Place]>
} & {
  -readonly [Place in keyof Table as Exclude<Place, RequiredPlace<Table>>]?: ValueOf<Table[Place]>
}
