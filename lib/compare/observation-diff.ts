import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../reports/printable.ts'

type JsonObject = Record<string, unknown>

/** One thing in which two values of an observation differ. */
interface ValueDifference {
  /** Where in the value: `status`, `body.owner.login`, `body.scopes[]`; empty for the value itself. */
  place: string
  /** JSON text, or a shape in words; `null` for what was not there before. */
  before: string | null
  /** The same for what is not there any more. */
  after: string | null
}

const dateTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
// A word can be of these letters alone, such as facade; one so long with a digit in it is none.
const id = /^(\d+|(?=.*\d)[\da-f]{8,})$/i

const kinds = { date: '(a date)', uuid: '(a UUID)', id: '(an id)' } as const

/** The step into a list. */
const item = '[]'

/** Names of members of which there may be any number, or none yet. */
const repeatedNames: ReadonlySet<string> = new Set([item, ...Object.values(kinds)])

/** Nobody would read what is nested deeper, and a stack might not hold it. */
const deepest = 40
const longestText = 120
const shownNames = 8

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of a JSON Schema, as observations use one for the shape of a body, the type; of all else, none. */
function typeOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.type === 'string' ? value.type : undefined
}

/** Whether a value is the shape of nothing, which may be something in another run. */
function isNullShape(value: unknown): boolean {
  return typeOf(value) === 'null'
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
  if (origins.has(text)) return '(the origin of the base URL)'
  if (dateTime.test(text)) return kinds.date
  return uuid.test(text) ? kinds.uuid : text
}

function alternativesIn(value: unknown): unknown[] | undefined {
  return isObject(value) && Array.isArray(value.anyOf) ? value.anyOf : undefined
}

/**
 * What two normal observations, or parts of them, say together, whichever of them comes first. Null
 * and what is empty say nothing; what excludes each other becomes alternatives.
 */
export function united(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other) || isNullShape(other)) return one
  if (isNullShape(one)) return other
  const [left, right] = [alternativesIn(one), alternativesIn(other)]
  const areAlike = left === undefined && right === undefined && typeOf(one) === typeOf(other)
  if (areAlike && isObject(one) && isObject(other)) {
    const members = namesOfBoth(one, other).sort()
    return Object.fromEntries(
      members.map((name) => {
        if (!Object.hasOwn(one, name)) return [name, other[name]]
        return [name, Object.hasOwn(other, name) ? united(one[name], other[name]) : one[name]]
      }),
    )
  }
  const all = [...(left ?? [one]), ...(right ?? [other])]
  const texts = new Set(all.map((each) => JSON.stringify(each)))
  return { anyOf: [...texts].sort().map((text) => JSON.parse(text)) }
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
    const items = value.map((each) => normalObservation(each, origins, name, depth + 1))
    const texts = new Map(items.map((each) => [JSON.stringify(each), each]))
    return [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  }
  const found = new Map<string, unknown>()
  for (const [key, each] of Object.entries(value)) {
    const text = normalText(key, origins)
    const kind = id.test(text) ? kinds.id : text
    const inside = normalObservation(each, origins, key, depth + 1)
    found.set(kind, found.has(kind) ? united(found.get(kind), inside) : inside)
  }
  const normal: JsonObject = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  // The items of a list of several types.
  const { items } = normal
  const isList = normal.type === 'array' && Array.isArray(items) && items.length > 0
  return isList ? { ...normal, items: items.reduce(united) } : normal
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

/** A shape in words: `string (date-time)`, `array of number`, `object with id, name`; else JSON. */
function valueText(value: unknown): string {
  const alternatives = alternativesIn(value)
  if (alternatives) return shortened(alternatives.map(valueText).join(' or '), longestText)
  const type = typeOf(value)
  if (!isObject(value) || type === undefined) {
    return shortened(JSON.stringify(value), longestText)
  }
  const { format, items } = value
  const names = type === 'object' ? Object.keys(propertiesOf(value)) : []
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : ''
  const details = [
    ...(names.length === 0 ? [] : [` with ${names.slice(0, shownNames).join(', ')}${more}`]),
    ...(type === 'array' && items !== undefined ? [` of ${valueText(items)}`] : []),
    ...(typeof format === 'string' ? [` (${format})`] : []),
  ]
  return shortened(`${type}${details.join('')}`, longestText)
}

function step(place: string, name: string): string {
  if (name === item) return `${place}${item}`
  const plain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : JSON.stringify(name)
  return place === '' ? plain : `${place}.${plain}`
}

/** What is compared member by member: a record, the properties of an object, the items of a list. */
function membersOf(value: unknown): JsonObject | undefined {
  if (!isObject(value) || alternativesIn(value)) return undefined
  const type = typeOf(value)
  if (type === undefined) return value
  if (type === 'object') return propertiesOf(value)
  if (type !== 'array') return undefined
  return value.items === undefined ? {} : { [item]: value.items }
}

/** @param isBody whether the values are parts of a body, where what is missing comes in its time */
function differing(
  place: string,
  before: unknown,
  after: unknown,
  isBody = false,
): ValueDifference[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isBody && (isNullShape(before) || isNullShape(after))) return []
  const [left, right] = [membersOf(before), membersOf(after)]
  if (left !== undefined && right !== undefined && typeOf(before) === typeOf(after)) {
    // A list or a collection by dates or ids that is empty says nothing of what is in it.
    const isRepeated = (name: string) => repeatedNames.has(name)
    const areFilled = [left, right].every((members) => Object.keys(members).some(isRepeated))
    const names = namesOfBoth(left, right).filter((name) => areFilled || !isRepeated(name))
    return names.flatMap((name): ValueDifference[] => {
      const inside = step(place, name)
      if (!Object.hasOwn(right, name)) {
        return [{ place: inside, before: valueText(left[name]), after: null }]
      }
      if (!Object.hasOwn(left, name)) {
        return [{ place: inside, before: null, after: valueText(right[name]) }]
      }
      return differing(inside, left[name], right[name], typeOf(before) !== undefined)
    })
  }
  const isPlain = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)
  if (!isPlain(before) || !isPlain(after)) {
    return [{ place, before: valueText(before), after: valueText(after) }]
  }
  const inside = step(place, item)
  const removed = before.filter((value) => !after.includes(value))
  const added = after.filter((value) => !before.includes(value))
  return [
    ...removed.map((value) => ({ place: inside, before: valueText(value), after: null })),
    ...added.map((value) => ({ place: inside, before: null, after: valueText(value) })),
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
  const what = place === item ? 'item' : place
  if (before === null) return `${what} added (${after})`
  if (after === null) return `${what} removed (was ${before})`
  return `${place === '' ? '' : `${place}: `}${before} → ${after}`
}
