import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Variable } from './variable.ts'
import { variables } from './variables.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const example = readFileSync(new URL('../../config/staging.env.example', import.meta.url), 'utf8')

describe('what users read about variables', () => {
  it.each(Object.entries<Variable>(variables))(
    'has %s in the README, with its default',
    (name, variable) => {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))

      expect(row).toMatch(variable.default === undefined ? / – \|$/ : / `[^`]+` \|$/)
      if (variable.default !== undefined) expect(row).toContain(`\`${variable.default}\``)
    },
  )

  it('names no variable in the example file that does not exist', () => {
    const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)

    expect(names.length).toBeGreaterThan(10)
    for (const name of names) expect(Object.keys(variables)).toContain(name)
  })
})
