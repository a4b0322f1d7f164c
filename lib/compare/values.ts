import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../reports/printable.ts'
import {
  isNullShape,
  isObject,
  isShape,
  type JsonObject,
  namesBesideEmpty,
} from './volatile-names.ts'

/** One thing in which two values of an observation differ. */
export interface ValueDifference {
  /** Where in the value: `status`, `body.owner.login`, `body.scopes[]`; empty for the value itself. */
  place: string
  /** JSON text, or a shape in words; `null` for what was not there before. */
  before: string | null
  /** The same for what is not there any more. */
  after: string | null
}

const deepest = 40
const longestText = 120
const shownNames = 8

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/**
 * The value without what lies so deep that nobody would read it, and a stack might not hold it.
 *
 * @param rewritten what to put in place of a string
 */
export function pruned(
  value: unknown,
  rewritten: (text: string) => string = (text) => text,
  depth = 0,
): unknown {
  if (typeof value === 'string') return rewritten(value)
  if (isScalar(value)) return value
  if (depth === deepest) return '… (nested deeper)'
  const inside = (each: unknown) => pruned(each, rewritten, depth + 1)
  if (Array.isArray(value)) return value.map(inside)
  const parts = Object.entries(value as JsonObject)
  return Object.fromEntries(parts.map(([name, each]) => [name, inside(each)]))
}

function names(properties: unknown): string {
  const all = isObject(properties) ? Object.keys(properties) : []
  if (all.length === 0) return ''
  const rest = all.length - shownNames
  const shown = all.slice(0, shownNames).join(', ')
  return ` with ${shown}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A shape in words: `string`, `string (date-time)`, `array of number`, `object with id, name`. */
function shapeText(shape: JsonObject): string {
  const { type, format, items, properties } = shape
  if (type === 'object') return `object${names(properties)}`
  if (type === 'array') {
    const members = (Array.isArray(items) ? items : [items]).filter(isShape)
    const kinds = [...new Set(members.map((member) => String(member.type)))]
    return kinds.length === 0 ? 'array' : `array of ${kinds.join(' and ')}`
  }
  return typeof format === 'string' ? `${type} (${format})` : String(type)
}

function valueText(value: unknown): string {
  const text = isShape(value) ? shapeText(value) : (JSON.stringify(value) ?? 'nothing')
  return shortened(text, longestText)
}

function step(place: string, name: string): string {
  const plain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? name : JSON.stringify(name)
  return place === '' ? plain : `${place}.${plain}`
}

function changed(place: string, before: unknown, after: unknown): ValueDifference[] {
  const texts = { before: valueText(before), after: valueText(after) }
  // Where the words for both are the same, the difference lies in what they leave out.
  if (texts.before !== texts.after) return [{ place, ...texts }]
  const [left, right] = [before, after].map((value) =>
    shortened(JSON.stringify(value) ?? '', longestText),
  )
  return left === right || left === undefined || right === undefined
    ? [{ place, before: texts.before, after: `${texts.after}, in another form` }]
    : [{ place, before: left, after: right }]
}

function members(
  place: string,
  before: JsonObject,
  after: JsonObject,
  all: readonly string[],
  differ: (place: string, before: unknown, after: unknown) => ValueDifference[],
): ValueDifference[] {
  return all.flatMap((name): ValueDifference[] => {
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

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function differingShapes(place: string, before: JsonObject, after: JsonObject): ValueDifference[] {
  if (before.type === 'object' && after.type === 'object') {
    const [earlier, later] = [propertiesOf(before), propertiesOf(after)]
    return members(place, earlier, later, namesBesideEmpty(earlier, later), differingInside)
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

function tally(values: readonly unknown[]): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Those of the values that the others have less often. */
function missingIn(others: readonly unknown[], values: readonly unknown[]): unknown[] {
  const left = tally(others)
  return values.filter((value) => {
    const count = left.get(value) ?? 0
    left.set(value, count - 1)
    return count <= 0
  })
}

function differingLists(place: string, before: unknown[], after: unknown[]): ValueDifference[] {
  const item = `${place}[]`
  return [
    ...missingIn(after, before).map((value) => ({
      place: item,
      before: valueText(value),
      after: null,
    })),
    ...missingIn(before, after).map((value) => ({
      place: item,
      before: null,
      after: valueText(value),
    })),
  ]
}

function differing(place: string, before: unknown, after: unknown): ValueDifference[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isShape(before) && isShape(after)) return differingShapes(place, before, after)
  if (isObject(before) && isObject(after) && !isShape(before) && !isShape(after)) {
    const all = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return members(place, before, after, all, differing)
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.every(isScalar) && after.every(isScalar)) {
      return differingLists(place, before, after)
    }
  }
  return changed(place, before, after)
}

/**
 * In what two values of an observation differ; empty when they mean the same. JSON Schemas are
 * compared as shapes: properties that were added or removed, types and formats that changed. The
 * order of a list of plain values, and what a list or a collection by ids was empty of, is no
 * difference, nor is null beside another type in a place of a body. Both have to be `pruned`, and their
 * names to be settled.
 */
export function valueDifferences(before: unknown, after: unknown): ValueDifference[] {
  return differing('', before, after)
}

/** A difference in words: `body.code added (string)`, `status: 401 → 403`, `400 → 422`. */
export function differenceText({ place, before, after }: ValueDifference): string {
  const where = place === '' ? '' : `${place}: `
  const what = place === '[]' ? 'item' : place
  if (before === null) return `${what} added (${after})`
  if (after === null) return `${what} removed (was ${before})`
  return `${where}${before} → ${after}`
}
