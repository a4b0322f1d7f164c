import { unescape as decodePercent } from 'node:querystring'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { findJsonValue, toPointer } from '../../lib/text/json.ts'

/** Field names, the most specific first: `id` may be the id of the request. */
const commonNames = ['eventId', 'event_id', 'eventID', 'event-id', 'id', 'uuid']

const MAX_ID_CHARS = 1000
/** Each candidate costs a request. */
const MAX_CANDIDATES = 10

interface FoundEventId {
  id: string
  /** `Location`, or a JSON Pointer (RFC 6901). */
  place: string
}

/** Returns the text of the value at a pointer: JavaScript may have rounded a number. */
function textAt(text: string, pointer: string): string | undefined {
  const range = findJsonValue(text, pointer)
  return range?.isExact ? text.slice(range.start, range.end) : undefined
}

function idIn(value: unknown, place: string, text = ''): FoundEventId[] {
  if (typeof value === 'number') {
    const id = Number.isSafeInteger(value) ? undefined : textAt(text, place)
    return [{ id: id ?? String(value), place }]
  }
  const isId = typeof value === 'string' && value !== '' && value.length <= MAX_ID_CHARS
  return isId ? [{ id: value, place }] : []
}

const fieldsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []

/** Returns the path segment after `/events/`. */
function idInLocation(location: string | null): string | undefined {
  if (location === null || !URL.canParse(location, 'http://relative.invalid')) return undefined
  const { pathname } = new URL(location, 'http://relative.invalid')
  const [, rest = ''] = pathname.split('/events/').slice(-2)
  const [segment = ''] = rest.split('/', 1)
  return decodePercent(segment)
}

/**
 * Returns possible ids of a published event, the most likely first: the value at the JSON Pointer, or else
 * values in `Location` and in fields with common names, at most one level deep.
 */
export function findEventIds({ json, text, headers }: Exchange, pointer?: string): FoundEventId[] {
  if (pointer !== undefined) {
    const value = json === undefined ? undefined : textAt(text, pointer)
    return value === undefined ? [] : idIn(JSON.parse(value), pointer, text)
  }
  const commonFieldsOf = (value: unknown, at: string) => {
    const fields = new Map(fieldsOf(value))
    return commonNames.flatMap((name) => idIn(fields.get(name), `${at}/${name}`, text))
  }
  const candidates = [
    ...idIn(idInLocation(headers.get('location')), 'Location'),
    ...commonFieldsOf(json, ''),
    ...fieldsOf(json).flatMap(([name, value]) => commonFieldsOf(value, toPointer([name]))),
  ]
  return candidates.slice(0, MAX_CANDIDATES)
}
