import { fullFormats } from 'ajv-formats/dist/formats.js'
import { compileSchema, type JsonSchema } from 'json-schema-library'
import type { Exchange } from '../probe/exchange.ts'

/** Formats worth telling apart, the more telling first. */
const formats = ['uuid', 'date-time', 'date', 'email', 'ipv4', 'uri'] as const

const root = compileSchema({})

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

function withFormats(schema: JsonSchema, value: unknown): JsonSchema {
  if (typeof value === 'string') {
    const format = formats.find((candidate) => matches(candidate, value))
    return format === undefined ? schema : { ...schema, format }
  }
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return schema
    const shapes = Array.isArray(items)
      ? items.map((item, index) => withFormats(item, value[index]))
      : withFormats(items, value[0])
    return { ...schema, items: shapes }
  }
  if (typeof value !== 'object' || value === null) return schema
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    withFormats(property as JsonSchema, (value as Record<string, unknown>)[name]),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Of a body that is told member by member, in UTF-16 code units. */
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
  return withFormats(root.createSchema(json) ?? {}, json)
}

/** Status and body shape of a response, for an observation. */
export function statusAndBody(exchange: Exchange): { status: number; body: JsonSchema | string } {
  return { status: exchange.status, body: bodyShape(exchange) }
}
