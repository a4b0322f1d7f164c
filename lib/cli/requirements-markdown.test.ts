import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Requirement } from '../conformance/requirement.ts'
import { catalogues } from './catalogues.ts'
import { requirementsMarkdown } from './requirements-markdown.ts'

const requirements = Object.values(catalogues).flatMap((catalogue): Requirement[] => [
  ...catalogue.requirements,
])

function rowOf(id: string): string[] {
  const row = requirementsMarkdown(requirements)
    .split('\n')
    .find((line) => line.startsWith(`| \`${id}\` |`))
  return row?.split(/(?<!\\)\|/).map((cell) => cell.trim()) ?? []
}

describe('suites/REQUIREMENTS.md', () => {
  it('is what "plumbline requirements --format markdown" prints', () => {
    const kept = readFileSync(new URL('../../suites/REQUIREMENTS.md', import.meta.url), 'utf8')
    const hint =
      'print it anew: npm run --silent plumbline -- requirements --format markdown > suites/REQUIREMENTS.md'
    expect(kept, hint).toBe(`${requirementsMarkdown(requirements)}\n`)
  })
})

describe('the table of requirements', () => {
  it('has a row of the same cells for each', () => {
    for (const { id } of requirements) expect(rowOf(id), id).toHaveLength(10)
  })

  it('tells the section, what judges it, its needs, its faults and its tolerances', () => {
    const [, , statement, section, level, judgedBy, needs, faults, tolerances] = rowOf(
      'code-hosting/errors/malformed-body',
    )
    expect(statement).toContain('cannot be parsed')
    expect(section).toBe('Errors')
    expect(level).toBe('contract')
    expect(judgedBy).toBe('probe: [errors](code-hosting/errors.suite.ts)')
    expect(needs).toBe('password, password in place of a token, writing')
    expect(faults).toContain('`malformed-body-answered-with-415`')
    expect(tolerances).toContain('(`broken-json-422`')
  })

  it('finds suites that judge several requirements in one place', () => {
    const cell = 'probe: [key](event-publishing/key.suite.ts)'
    expect(rowOf('event-publishing/replay/key-checked')[5]).toBe(cell)
  })

  it('says why one is not tested', () => {
    const [, , , , , judgedBy, , faults] = rowOf('code-hosting/versioning/release')
    expect(judgedBy).toMatch(/^not tested: .+\.$/)
    expect(faults).toBe('')
  })

  it('escapes what Markdown would read', () => {
    const row = requirementsMarkdown([
      {
        id: 'code-hosting/documentation/served',
        statement: 'A <b> | *c* [d]_e_ & f.',
        section: 'S',
        level: 'contract',
        judged: ['probe'],
      },
    ]).split('\n')
    expect(row.at(-1)).toContain('| A &lt;b> \\| \\*c\\* \\[d\\]\\_e\\_ &amp; f. |')
  })
})
