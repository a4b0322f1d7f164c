import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import addFormats from 'ajv-formats'
import type { Har } from 'har-format'

// The package has no types; each export is a schema.
const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema')

// The schemas have nonstandard keywords, such as `optional`.
const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addMetaSchema(draft06)
ajv.addSchema(Object.values(schemas))

export function harProblems(text: string): string[] {
  ajv.validate('har.json#', JSON.parse(text))
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** Parses a valid archive. @throws Error if it has schema errors */
export function readHar(text: string): Har {
  const problems = harProblems(text)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return JSON.parse(text)
}
