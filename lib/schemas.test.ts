import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'

function schemasIn(folder: string): [string, AnySchemaObject][] {
  const directory = fileURLToPath(new URL(folder, import.meta.url))
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(`${directory}/${name}`, 'utf8'))])
}

// Commands do not validate schemas when they start.
it.each([
  ...schemasIn('../suites/code-hosting/schemas'),
  ...schemasIn('../suites').filter(([name]) => name === 'waivers.schema.json'),
  ...['reports', 'runs/compare', 'runs/waivers', 'runs/history', 'doctor'].flatMap(schemasIn),
])('%s is a JSON Schema', (_name, schema) => {
  const ajv = new Ajv2020()
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
})
