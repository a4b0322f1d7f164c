import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Requirement } from '../conformance/requirement.ts'
import { requirementsMarkdown } from './requirements-markdown.ts'
import { catalogues } from './services.ts'

const requirements = catalogues.flatMap((catalogue): Requirement[] => [...catalogue.requirements])

describe('suites/REQUIREMENTS.md', () => {
  it('is what "plumbline requirements --format markdown" prints', () => {
    const kept = readFileSync(new URL('../../suites/REQUIREMENTS.md', import.meta.url), 'utf8')
    const hint =
      'print it anew: npm run --silent plumbline -- requirements --format markdown > suites/REQUIREMENTS.md'
    expect(kept, hint).toBe(`${requirementsMarkdown(requirements)}\n`)
  })
})

describe('the table of requirements', () => {
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
