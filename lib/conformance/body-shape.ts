import type { Exchange } from '../probe/exchange.ts'
import { isUuid } from '../results/normalize.ts'

const formats: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['email', /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i],
  ['ipv4', /^\d{1,3}(?:\.\d{1,3}){3}$/],
  ['uri', /^[a-z][a-z\d+.-]*:[!#-;=?-[\]_a-z~]+$/i],
]

interface JsonSchema {
  type: string
  format?: string
  properties?: Record<string, JsonSchema>
  /** Array of schemas, one per item, if the items differ in type. */
  items?: JsonSchema | JsonSchema[]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shapeOf(value: unknown): JsonSchema {
  if (Array.isArray(value)) {
    if (value.length === 0) return { type: 'array' }
    const areAlike = new Set(value.map(typeOf)).size === 1
    return { type: 'array', items: areAlike ? shapeOf(value[0]) : value.map(shapeOf) }
  }
  if (typeof value === 'string') {
    if (isUuid(value)) return { type: 'string', format: 'uuid' }
    const [format] = formats.find(([, pattern]) => pattern.test(value)) ?? []
    return { type: 'string', ...(format !== undefined && { format }) }
  }
  if (typeof value !== 'object' || value === null) return { type: typeOf(value) }
  const properties = Object.entries(value).map(([name, property]) => [name, shapeOf(property)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

const MAX_SHAPED_CHARS = 64 * 1024

/** Returns a JSON Schema of the body without any value; a text if the body is not JSON or too large. */
export function bodyShape({ text, json, headers }: Exchange): JsonSchema | string {
  if (text === '') return 'none'
  if (json === undefined) {
    const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    return type ?? 'no media type'
  }
  if (text.length > MAX_SHAPED_CHARS) return 'more than 64 kB of JSON'
  return shapeOf(json)
}

export function statusAndBody(exchange: Exchange): { status: number; body: JsonSchema | string } {
  return { status: exchange.status, body: bodyShape(exchange) }
}
