import { isDeepStrictEqual } from 'node:util'

const dateTime = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An id of hexadecimal digits has, now and then, no letter among them. */
const chanceForms: Record<string, string> = { digits: 'hexadecimal' }

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 599
}

function pinnedText(text: string, name: string, origins: ReadonlySet<string>): string {
  if (origins.has(text)) return '(the origin of the base URL)'
  if (dateTime.test(text)) return '(a date)'
  if (uuid.test(text)) return '(a UUID)'
  return name === 'form' ? (chanceForms[text] ?? text) : text
}

function byText(one: unknown, other: unknown): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : Number(a > b)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
 * order. The origin of the base URL stands for itself, so that a deployment may move.
 *
 * @param origins of the base URLs
 */
export function pinned(value: unknown, origins: ReadonlySet<string>): unknown {
  return pin(value, '', origins)
}

/**
 * Whether two pinned values are the same. A list that was empty has no shape of its items: it is the
 * same as any.
 */
export function isSamePin(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSamePin(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  if (one.type === 'array' && other.type === 'array' && (!one.items || !other.items)) {
    names.delete('items')
  }
  return [...names].every(
    (name) =>
      Object.hasOwn(one, name) && Object.hasOwn(other, name) && isSamePin(one[name], other[name]),
  )
}
