import { isDeepStrictEqual } from 'node:util'

export type JsonObject = Record<string, unknown>

const jsonTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const dateTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
// A word can be of these letters alone, such as facade; one so long with a digit in it is none.
const digits = /^\d+$/
const hexadecimal = /^(?=.*\d)[\da-f]{8,}$/i

const kinds = { date: '(a date)', uuid: '(a UUID)', id: '(an id)' } as const
const kindNames: ReadonlySet<string> = new Set(Object.values(kinds))

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON Schema, as observations use one for the shape of a body. */
export function isShape(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.type === 'string' && jsonTypes.has(value.type)
}

/** Whether a value is the shape of nothing, which may be something in another run. */
export function isNullShape(value: unknown): boolean {
  return isShape(value) && value.type === 'null'
}

/** What stands for a text that another run has another one for; `undefined` for any other text. */
export function passingText(text: string): string | undefined {
  if (dateTime.test(text)) return kinds.date
  return uuid.test(text) ? kinds.uuid : undefined
}

function isKindOfNames(name: string): boolean {
  return kindNames.has(name)
}

/**
 * The name of a property, or what stands for it: dates, UUIDs, and ids of digits or of eight
 * hexadecimal digits or more. An id in hexadecimal has, now and then, no letter: the two are one kind.
 */
function settledName(name: string, rewritten: (text: string) => string): string {
  const passing = passingText(name)
  if (passing !== undefined) return passing
  return digits.test(name) || hexadecimal.test(name) ? kinds.id : rewritten(name)
}

function unionOfProperties(one: unknown, other: unknown): JsonObject {
  const [left, right] = [one, other].map((each) => (isObject(each) ? each : {})) as [
    JsonObject,
    JsonObject,
  ]
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return Object.fromEntries(
    names.map((name) => {
      if (!Object.hasOwn(left, name)) return [name, right[name]]
      return [name, Object.hasOwn(right, name) ? united(left[name], right[name]) : left[name]]
    }),
  )
}

function alternatives(value: unknown): unknown[] {
  return isObject(value) && Array.isArray(value.anyOf) ? value.anyOf : [value]
}

/** What two values under names of one kind have together, whichever of them comes first. */
function united(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other) || isNullShape(other)) return one
  if (isNullShape(one)) return other
  if (isShape(one) && isShape(other) && one.type === other.type) {
    if (one.type === 'object') {
      return { ...one, properties: unionOfProperties(one.properties, other.properties) }
    }
    if (one.type === 'array' && (one.items === undefined || other.items === undefined)) {
      return one.items === undefined ? other : one
    }
    if (one.type !== 'array') return { type: one.type }
  }
  const texts = [...alternatives(one), ...alternatives(other)].map((each) => JSON.stringify(each))
  return { anyOf: [...new Set(texts)].sort().map((text) => JSON.parse(text)) }
}

function settledItems(items: readonly unknown[]): unknown {
  const told = items.filter((item) => !isNullShape(item))
  const [first, ...rest] = told
  if (first === undefined) return items[0]
  return rest.every((item) => isDeepStrictEqual(item, first)) ? first : told
}

/**
 * The value with names of properties that differ from run to run put together by their kind, such as
 * `(a date)`, and without null among the other shapes of the items of a list.
 *
 * @param rewritten what to put in place of any other name
 */
export function withSettledNames(
  value: unknown,
  rewritten: (text: string) => string = (text) => text,
): unknown {
  if (Array.isArray(value)) return value.map((each) => withSettledNames(each, rewritten))
  if (!isObject(value)) return value
  const settled = new Map<string, unknown>()
  for (const [name, each] of Object.entries(value)) {
    const kind = settledName(name, rewritten)
    const inside = withSettledNames(each, rewritten)
    settled.set(kind, settled.has(kind) ? united(settled.get(kind), inside) : inside)
  }
  const result: JsonObject = Object.fromEntries(settled)
  if (result.type !== 'array' || !Array.isArray(result.items) || result.items.length === 0) {
    return result
  }
  return { ...result, items: settledItems(result.items) }
}

/**
 * The names of the properties of two shapes. Kinds of names are left out where only one shape has any:
 * a collection that is empty says nothing of what is in it.
 */
export function namesBesideEmpty(before: JsonObject, after: JsonObject): string[] {
  const [earlier, later] = [Object.keys(before), Object.keys(after)]
  const names = [...new Set([...earlier, ...later])]
  if (earlier.some(isKindOfNames) && later.some(isKindOfNames)) return names
  return names.filter((name) => !isKindOfNames(name))
}
