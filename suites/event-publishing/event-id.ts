import type { Exchange } from '../../lib/probe/exchange.ts'
import { isUuid } from '../../lib/results/normalize.ts'
import { findJsonValue, pointerNames, toPointer } from '../../lib/text/json-pointer.ts'

/** Field names, the most specific first: `id` may be the id of the request. */
const commonNames = ['eventId', 'event_id', 'eventID', 'event-id', 'id', 'uuid']

const MAX_ID_CHARS = 1000
/** Each candidate costs a request. */
const MAX_CANDIDATES = 10

interface FoundEventId {
  id: string
  /** `Location`, or a JSON Pointer (RFC 6901). */
  place: string
  /** `number`, `digits`, `uuid`, `hexadecimal` or `text`. */
  form: string
}

function valueAt(json: unknown, pointer: string): unknown {
  return pointerNames(pointer).reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    // The property `length` of an array is not an item.
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined
    return (value as Record<string, unknown>)[name]
  }, json)
}

function formOf(id: string): string {
  if (/^\d+$/.test(id)) return 'digits'
  if (isUuid(id)) return 'uuid'
  return /^[\da-f]+$/i.test(id) ? 'hexadecimal' : 'text'
}

function idIn(value: unknown, place: string): FoundEventId[] {
  if (typeof value === 'number') return [{ id: String(value), place, form: 'number' }]
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_CHARS) return []
  return [{ id: value, place, form: formOf(value) }]
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : []
}

function commonFieldsOf(value: unknown, pointer: string): FoundEventId[] {
  const fields = new Map(fieldsOf(value))
  return commonNames.flatMap((name) => idIn(fields.get(name), `${pointer}/${name}`))
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the path segment after `/events/`, which is the id, and the last one, which may be. */
function idsInLocation(location: string | null): { sure?: string; possible?: string } {
  if (location === null || !URL.canParse(location, 'http://relative.invalid')) return {}
  const { pathname } = new URL(location, 'http://relative.invalid')
  const segments = pathname.split('/').filter(Boolean).map(decoded)
  const afterEvents = segments.lastIndexOf('events') + 1
  return { sure: afterEvents > 0 ? segments[afterEvents] : undefined, possible: segments.at(-1) }
}

/** Returns an id with all digits of its number, which JavaScript may have rounded. */
function withAllDigits(found: FoundEventId, { text }: Exchange): FoundEventId {
  if (found.form !== 'number' || Number.isSafeInteger(Number(found.id))) return found
  const range = findJsonValue(text, found.place)
  return range?.isExact ? { ...found, id: text.slice(range.start, range.end) } : found
}

/**
 * Returns possible ids of a published event, the most likely first: the value at the JSON Pointer, or else
 * values in `Location` and in fields with common names, at most one level deep.
 */
export function findEventIds(exchange: Exchange, pointer?: string): FoundEventId[] {
  return candidatesIn(exchange, pointer).map((one) => withAllDigits(one, exchange))
}

function candidatesIn({ json, headers }: Exchange, pointer?: string): FoundEventId[] {
  if (pointer !== undefined) return idIn(valueAt(json, pointer), pointer)
  const { sure, possible } = idsInLocation(headers.get('location'))
  const candidates = [
    ...idIn(sure, 'Location'),
    ...commonFieldsOf(json, ''),
    ...fieldsOf(json).flatMap(([name, value]) => commonFieldsOf(value, toPointer([name]))),
    ...(sure === undefined ? idIn(possible, 'Location') : []),
  ]
  return candidates.slice(0, MAX_CANDIDATES)
}
