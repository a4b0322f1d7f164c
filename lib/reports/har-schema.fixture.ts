import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import type { Har } from 'har-format'

// The package brings no types; each of its exports is a schema.
const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema')

// They have keywords that no draft knows, such as `optional`.
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addMetaSchema(draft06)
ajv.addSchema(Object.values(schemas))

/** Where a text departs from HAR 1.2 by its JSON Schema, one line for each; none when it is valid. */
export function harProblems(text: string): string[] {
  ajv.validate('har.json#', JSON.parse(text))
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The archive of a text that is valid by that schema. */
export function readHar(text: string): Har {
  const problems = harProblems(text)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return JSON.parse(text)
}
