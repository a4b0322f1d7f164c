import { get } from '@sagold/json-pointer'
import type { Exchange } from '../../probe/exchange.ts'

const usualNames = ['id', 'eventId', 'event_id', 'eventID', 'event-id', 'uuid']

/** An event id and where in the publish response it was. */
export interface FoundEventId {
  id: string
  /** `Location`, or a JSON Pointer (RFC 6901). */
  place: string
  /** `number`, `digits`, `uuid`, `hexadecimal` or `text`. */
  form: string
}

type Identifier = Pick<FoundEventId, 'id' | 'form'>

function formOf(id: string): string {
  if (/^\d+$/.test(id)) return 'digits'
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return 'uuid'
  return /^[\da-f]+$/i.test(id) ? 'hexadecimal' : 'text'
}

function identifierIn(value: unknown): Identifier | undefined {
  if (typeof value === 'number') return { id: String(value), form: 'number' }
  return typeof value === 'string' && value !== '' ? { id: value, form: formOf(value) } : undefined
}

function fieldsOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : []
}

function usualFieldOf(value: unknown, prefix: string): FoundEventId | undefined {
  const fields = new Map(fieldsOf(value))
  for (const name of usualNames) {
    const identifier = identifierIn(fields.get(name))
    if (identifier !== undefined) return { ...identifier, place: `${prefix}/${name}` }
  }
  return undefined
}

/** The path segment behind `/events/`, or the last one. */
function idInLocation(location: string | null): string | undefined {
  if (location === null || !URL.canParse(location, 'http://relative.invalid')) return undefined
  const segments = new URL(location, 'http://relative.invalid').pathname.split('/').filter(Boolean)
  const segment = segments[segments.lastIndexOf('events') + 1] ?? segments.at(-1)
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Finds the id of a published event in the response: at the JSON Pointer where there is one, else in
 * `Location`, else in a field of the usual names, at most one level deep.
 */
export function findEventId(
  { json, headers }: Exchange,
  pointer: string | undefined,
): FoundEventId | undefined {
  if (pointer !== undefined) {
    const identifier = identifierIn(json === undefined ? undefined : get(json, pointer))
    return identifier === undefined ? undefined : { ...identifier, place: pointer }
  }
  const inLocation = identifierIn(idInLocation(headers.get('location')))
  if (inLocation !== undefined) return { ...inLocation, place: 'Location' }
  const direct = usualFieldOf(json, '')
  if (direct !== undefined) return direct
  for (const [name, value] of fieldsOf(json)) {
    const nested = usualFieldOf(value, `/${name}`)
    if (nested !== undefined) return nested
  }
  return undefined
}
