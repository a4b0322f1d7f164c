import { isDeepStrictEqual } from 'node:util'
import {
  isNullShape,
  isObject,
  isShape,
  type JsonObject,
  namesBesideEmpty,
  passingText,
  withSettledNames,
} from '../compare/volatile-names.ts'

const originWords = '(the origin of the base URL)'

/** An id of hexadecimal digits has, now and then, no letter among them. */
const chanceForms: Record<string, string> = { digits: 'hexadecimal' }

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 599
}

function pinnedText(text: string, name: string, origins: ReadonlySet<string>): string {
  if (origins.has(text)) return originWords
  return passingText(text) ?? (name === 'form' ? (chanceForms[text] ?? text) : text)
}

function byText(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : Number(a > b)
}

function pin(value: unknown, name: string, origins: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return pinnedText(value, name, origins)
  if (typeof value === 'number') {
    return (name === '' || name === 'status') && isStatus(value) ? value : '(a number)'
  }
  if (Array.isArray(value)) {
    const pins = value.map((item) => pin(item, name, origins)).sort(byText)
    return pins.filter((item, index) => index === 0 || !isDeepStrictEqual(item, pins[index - 1]))
  }
  if (!isObject(value)) return value
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, pin(value[key], key, origins)])
  return Object.fromEntries(entries)
}

/**
 * What of an observation is kept in a baseline: statuses, shapes, words and yes or no. What differs
 * from run to run is not: dates, UUIDs, numbers that are no status, how many there were, and in which
 * order. Names of properties that are dates, UUIDs or ids are kept by kind. The origin of the base URL
 * stands for itself, so that a deployment may move. What was kept is kept as it is.
 *
 * @param origins of the base URLs
 */
export function pinned(value: unknown, origins: ReadonlySet<string>): unknown {
  const settled = withSettledNames(value, (name) => (origins.has(name) ? originWords : name))
  return pin(settled, '', origins)
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function isSameShape(one: JsonObject, other: JsonObject): boolean {
  if (one.type !== other.type) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  names.delete('type')
  if (one.type === 'array' && (!one.items || !other.items)) names.delete('items')
  if (one.type === 'object') {
    names.delete('properties')
    const [left, right] = [propertiesOf(one), propertiesOf(other)]
    if (!haveSame(namesBesideEmpty(left, right), left, right, isSameInside)) return false
  }
  return haveSame(names, one, other, isSameInside)
}

function isSameInside(one: unknown, other: unknown): boolean {
  const isUnknown = isShape(one) && isShape(other) && (isNullShape(one) || isNullShape(other))
  return isUnknown || isSamePin(one, other)
}

function haveSame(
  names: Iterable<string>,
  one: JsonObject,
  other: JsonObject,
  isSame: (one: unknown, other: unknown) => boolean,
): boolean {
  return [...names].every(
    (name) =>
      Object.hasOwn(one, name) && Object.hasOwn(other, name) && isSame(one[name], other[name]),
  )
}

/**
 * Whether two pinned values are the same. What was empty says nothing of what is in it when it is
 * not: a list, and a collection whose names are dates or ids, are the same as any. So is null in the
 * place of a property or an item, beside any type: that something has not happened yet is timing. A
 * body that is null as a whole is not the same as one that is an object.
 */
export function isSamePin(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSamePin(item, other[index]))
  }
  if (isShape(one) && isShape(other)) return isSameShape(one, other)
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other)
  return haveSame(new Set([...Object.keys(one), ...Object.keys(other)]), one, other, isSamePin)
}

/**
 * Of two pinned values that are the same, what both tell: where one has null or is empty, the other.
 */
export function fullerPin(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return one
  if (isNullShape(one)) return other
  if (isNullShape(other)) return one
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return Object.fromEntries(
    names.map((name) => {
      if (!Object.hasOwn(one, name)) return [name, other[name]]
      return [name, Object.hasOwn(other, name) ? fullerPin(one[name], other[name]) : one[name]]
    }),
  )
}
