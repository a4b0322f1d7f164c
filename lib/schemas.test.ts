import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type AnySchemaObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

function schemasIn(folder: string): [string, AnySchemaObject][] {
  const directory = fileURLToPath(new URL(folder, import.meta.url))
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(`${directory}/${name}`, 'utf8'))])
}

/** What a start leaves out: whether a schema fits the schema of schemas. */
describe('JSON Schemas', () => {
  it.each(schemasIn('../suites/code-hosting/schemas'))('of records: %s is one', (_, schema) => {
    const ajv = new Ajv()

    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
    expect(schema.description).toMatch(/\w/)
  })

  it.each([
    ...schemasIn('reports'),
    ...['compare', 'waivers', 'baseline', 'history'].flatMap(schemasIn),
    ...schemasIn('doctor'),
  ])('of draft 2020-12: %s is one', (_, schema) => {
    const ajv = new Ajv2020()

    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true)
  })
})
