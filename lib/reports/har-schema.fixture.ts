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

/** Parses a valid archive. @throws Error if it has schema errors */
export function readHar(text: string): Har {
  const har = JSON.parse(text)
  if (!ajv.validate('har.json#', har)) throw new Error(ajv.errorsText())
  return har
}
