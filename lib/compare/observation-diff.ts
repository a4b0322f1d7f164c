import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../reports/printable.ts'

type JsonObject = Record<string, unknown>

/** One thing in which two values of an observation differ. */
export interface ValueDifference {
  /** Where in the value: `status`, `body.owner.login`, `body.scopes[]`; empty for the value itself. */
  place: string
  /** JSON text, or a shape in words; `null` for what was not there before. */
  before: string | null
  /** The same for what is not there any more. */
  after: string | null
}

const jsonTypes = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const dateTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const digits = /^\d+$/
// A word can be of these letters alone, such as facade; one so long with a digit in it is none.
const hexadecimal = /^(?=.*\d)[\da-f]{8,}$/i

const kinds = { date: '(a date)', uuid: '(a UUID)', id: '(an id)' } as const
const kindNames: ReadonlySet<string> = new Set(Object.values(kinds))
const originWords = '(the origin of the base URL)'

/** Nobody would read what is nested deeper, and a stack might not hold it. */
const deepest = 40
const longestText = 120
const shownNames = 8

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON Schema, as observations use one for the shape of a body. */
function isShape(value: unknown): value is JsonObject {
  return isObject(value) && typeof value.type === 'string' && jsonTypes.has(value.type)
}

/** Whether a value is the shape of nothing, which may be something in another run. */
function isNullShape(value: unknown): boolean {
  return isShape(value) && value.type === 'null'
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function namesOfBoth(one: JsonObject, other: JsonObject): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
}

/** The origins of the base URLs of a target. */
export function originsOf(target: Record<string, { baseUrl: string }>): ReadonlySet<string> {
  const urls = Object.values(target).map(({ baseUrl }) => baseUrl)
  return new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))
}

function normalText(text: string, origins: ReadonlySet<string>): string {
  if (origins.has(text)) return originWords
  if (dateTime.test(text)) return kinds.date
  return uuid.test(text) ? kinds.uuid : text
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
      const [left, right] = [propertiesOf(one), propertiesOf(other)]
      return { ...one, properties: combined(left, right, united) }
    }
    if (one.type === 'array' && (one.items === undefined || other.items === undefined)) {
      return one.items === undefined ? other : one
    }
    if (one.type !== 'array') return { type: one.type }
  }
  const texts = [...alternatives(one), ...alternatives(other)].map((each) => JSON.stringify(each))
  return { anyOf: [...new Set(texts)].sort().map((text) => JSON.parse(text)) }
}

/** An object with the properties of both, in the order of their names. */
function combined(
  one: JsonObject,
  other: JsonObject,
  combine: (one: unknown, other: unknown) => unknown,
): JsonObject {
  return Object.fromEntries(
    namesOfBoth(one, other)
      .sort()
      .map((name) => {
        if (!Object.hasOwn(one, name)) return [name, other[name]]
        return [name, Object.hasOwn(other, name) ? combine(one[name], other[name]) : one[name]]
      }),
  )
}

function normalItems(items: unknown): unknown {
  if (!Array.isArray(items) || items.length === 0) return items
  const told = items.filter((item) => !isNullShape(item))
  return told.length > 1 ? told : (told[0] ?? items[0])
}

/**
 * What of an observation is the same in every run of one deployment: statuses, shapes, words and yes
 * or no. Dates, UUIDs and numbers that are no status are replaced by their kind, and so are names of
 * properties that are dates, UUIDs or ids; lists are in order and have each item once; the origin of
 * the base URL stands for itself, so that a deployment may move. What is normal already stays.
 *
 * @param origins of the base URLs
 */
export function normalObservation(
  value: unknown,
  origins: ReadonlySet<string>,
  name = '',
  depth = 0,
): unknown {
  if (typeof value === 'string') {
    // An id of hexadecimal digits has, now and then, no letter among them.
    return name === 'form' && value === 'digits' ? 'hexadecimal' : normalText(value, origins)
  }
  if (typeof value === 'number') {
    const isStatus = Number.isInteger(value) && value >= 100 && value <= 599
    return isStatus && (name === '' || name === 'status') ? value : '(a number)'
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return '… (nested deeper)'
  if (Array.isArray(value)) {
    const items = value.map((item) => normalObservation(item, origins, name, depth + 1))
    const texts = new Map(items.map((item) => [JSON.stringify(item), item]))
    return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
  }
  const found = new Map<string, unknown>()
  for (const [key, each] of Object.entries(value)) {
    const text = normalText(key, origins)
    const kind = digits.test(text) || hexadecimal.test(text) ? kinds.id : text
    const inside = normalObservation(each, origins, key, depth + 1)
    found.set(kind, found.has(kind) ? united(found.get(kind), inside) : inside)
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  const normal: JsonObject = Object.fromEntries(sorted)
  return normal.type === 'array' && 'items' in normal
    ? { ...normal, items: normalItems(normal.items) }
    : normal
}

/**
 * Of two normal observations that do not differ, what both tell: where one has null or is empty, the
 * other.
 */
export function fullerObservation(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other) || isNullShape(other)) return one
  return isNullShape(one) ? other : combined(one, other, fullerObservation)
}

function nameList(properties: JsonObject): string {
  const names = Object.keys(properties)
  if (names.length === 0) return ''
  const rest = names.length - shownNames
  return ` with ${names.slice(0, shownNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A shape in words: `string`, `string (date-time)`, `array of number`, `object with id, name`. */
function shapeText(shape: JsonObject): string {
  const { type, format, items } = shape
  if (type === 'object') return `object${nameList(propertiesOf(shape))}`
  if (type === 'array') {
    const members = (Array.isArray(items) ? items : [items]).filter(isShape)
    const types = [...new Set(members.map((member) => String(member.type)))]
    return types.length === 0 ? 'array' : `array of ${types.join(' and ')}`
  }
  return typeof format === 'string' ? `${type} (${format})` : String(type)
}

function jsonText(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', longestText)
}

function valueText(value: unknown): string {
  return isShape(value) ? shortened(shapeText(value), longestText) : jsonText(value)
}

function changed(place: string, before: unknown, after: unknown): ValueDifference[] {
  const texts = { before: valueText(before), after: valueText(after) }
  if (texts.before !== texts.after) return [{ place, ...texts }]
  // Where the words for both are the same, the difference lies in what they leave out.
  const [left, right] = [jsonText(before), jsonText(after)]
  return left === right
    ? [{ place, before: texts.before, after: `${texts.after}, in another form` }]
    : [{ place, before: left, after: right }]
}

function step(place: string, name: string): string {
  const plain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : JSON.stringify(name)
  return place === '' ? plain : `${place}.${plain}`
}

function differingMembers(
  place: string,
  before: JsonObject,
  after: JsonObject,
  names: readonly string[],
  differ: (place: string, before: unknown, after: unknown) => ValueDifference[],
): ValueDifference[] {
  return names.flatMap((name): ValueDifference[] => {
    const inside = step(place, name)
    if (!Object.hasOwn(after, name)) {
      return [{ place: inside, before: valueText(before[name]), after: null }]
    }
    if (!Object.hasOwn(before, name)) {
      return [{ place: inside, before: null, after: valueText(after[name]) }]
    }
    return differ(inside, before[name], after[name])
  })
}

/** A collection by dates or ids that is empty in one of them says nothing of what is in it. */
function comparableNames(before: JsonObject, after: JsonObject): string[] {
  const isKind = (name: string) => kindNames.has(name)
  const told = [before, after].every((properties) => Object.keys(properties).some(isKind))
  return namesOfBoth(before, after).filter((name) => told || !isKind(name))
}

function differingShapes(place: string, before: JsonObject, after: JsonObject): ValueDifference[] {
  if (before.type === 'object' && after.type === 'object') {
    const [earlier, later] = [propertiesOf(before), propertiesOf(after)]
    const names = comparableNames(earlier, later)
    return differingMembers(place, earlier, later, names, differingInside)
  }
  if (before.type === 'array' && after.type === 'array') {
    // A list that was empty says nothing about what is in it.
    if (before.items === undefined || after.items === undefined) return []
    if (Array.isArray(before.items) || Array.isArray(after.items)) {
      return changed(place, before, after)
    }
    return differingInside(`${place}[]`, before.items, after.items)
  }
  return before.type === after.type && before.format === after.format
    ? []
    : changed(place, before, after)
}

/** Null in a place of a body is no difference beside any type: what is missing comes in its time. */
function differingInside(place: string, before: unknown, after: unknown): ValueDifference[] {
  const isUnknown = isShape(before) && isShape(after) && (isNullShape(before) || isNullShape(after))
  return isUnknown ? [] : differing(place, before, after)
}

function differing(place: string, before: unknown, after: unknown): ValueDifference[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isShape(before) && isShape(after)) return differingShapes(place, before, after)
  if (isObject(before) && isObject(after) && !isShape(before) && !isShape(after)) {
    return differingMembers(place, before, after, namesOfBoth(before, after), differing)
  }
  const isPlain = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
  if (!isPlain(before) || !isPlain(after)) return changed(place, before, after)
  const item = `${place}[]`
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  return [
    ...removed.map((value) => ({ place: item, before: valueText(value), after: null })),
    ...added.map((value) => ({ place: item, before: null, after: valueText(value) })),
  ]
}

/**
 * In what two normal observations differ; empty when they mean the same. JSON Schemas are compared as
 * shapes: properties that were added or removed, types and formats that changed. What a list or a
 * collection by ids was empty of is no difference, nor is null beside another type in a place of a
 * body: that something has not happened yet is timing.
 */
export function observationDiff(before: unknown, after: unknown): ValueDifference[] {
  return differing('', before, after)
}

/** A difference in words: `body.code added (string)`, `status: 401 → 403`, `400 → 422`. */
export function differenceText({ place, before, after }: ValueDifference): string {
  const what = place === '[]' ? 'item' : place
  if (before === null) return `${what} added (${after})`
  if (after === null) return `${what} removed (was ${before})`
  return `${place === '' ? '' : `${place}: `}${before} → ${after}`
}
