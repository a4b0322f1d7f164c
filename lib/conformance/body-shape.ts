import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Exchange } from '../probe/exchange.ts'

/** Formats worth telling apart, the more telling first. */
const formats = ['uuid', 'date-time', 'date', 'email', 'ipv4', 'uri'] as const

interface JsonSchema {
  type: string
  format?: string
  properties?: Record<string, JsonSchema>
  /** Of a list whose items are of several types, one for each item. */
  items?: JsonSchema | JsonSchema[]
}

function matches(format: (typeof formats)[number], text: string): boolean {
  const definition = fullFormats[format]
  if (definition instanceof RegExp) return definition.test(text)
  if (typeof definition === 'function') return definition(text)
  if (typeof definition !== 'object') return false
  const { validate } = definition
  return validate instanceof RegExp
    ? validate.test(text)
    : typeof validate === 'function' && validate(text as never) === true
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shapeOfList(items: readonly unknown[]): JsonSchema {
  const [first, ...others] = items
  if (items.length === 0) return { type: 'array' }
  const areAlike = others.every((item) => typeOf(item) === typeOf(first))
  return { type: 'array', items: areAlike ? shapeOf(first) : items.map(shapeOf) }
}

function shapeOf(value: unknown): JsonSchema {
  if (Array.isArray(value)) return shapeOfList(value)
  if (typeof value === 'string') {
    const format = formats.find((candidate) => matches(candidate, value))
    return { type: 'string', ...(format === undefined ? {} : { format }) }
  }
  if (typeof value !== 'object' || value === null) return { type: typeOf(value) }
  const properties = Object.entries(value).map(([name, property]) => [name, shapeOf(property)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Of a body that is reported member by member, in UTF-16 code units. */
const LONGEST_SHAPED = 64 * 1024

/**
 * The shape of a response body: a JSON Schema of names, types and formats without any value, the
 * media type of a body that is not JSON, `none` for no body, or that it is too large to be told.
 */
export function bodyShape({ text, json, headers }: Exchange): JsonSchema | string {
  if (text === '') return 'none'
  if (json === undefined) {
    const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
    return type ?? 'no media type'
  }
  if (text.length > LONGEST_SHAPED) return 'more than 64 kB of JSON'
  return shapeOf(json)
}

export function statusAndBody(exchange: Exchange): { status: number; body: JsonSchema | string } {
  return { status: exchange.status, body: bodyShape(exchange) }
}
