import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type AnySchemaObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

function schemasIn(folder: string): [string, AnySchemaObject][] {
  const directory = fileURLToPath(new URL(folder, import.meta.url))
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(`${directory}/${name}`, 'utf8'))])
}

/** What a start leaves out: whether a schema fits the schema of schemas. */
it.each([
  ...schemasIn('../suites/code-hosting/schemas').map((named) => [...named, new Ajv()] as const),
  ...['reports', 'compare', 'waivers', 'baseline', 'history', 'doctor']
    .flatMap(schemasIn)
    .map((named) => [...named, new Ajv2020()] as const),
])('%s is a JSON Schema', (_name, schema, ajv) => {
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
})
