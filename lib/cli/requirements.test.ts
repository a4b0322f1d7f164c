import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Requirement } from '../conformance/requirement.ts'
import { selectRequirements } from './prepare-run.ts'
import { asMarkdown } from './requirements.ts'
import { catalogues } from './services.ts'

const services = ['code-hosting', 'event-publishing', 'incident-status']
const chosen = catalogues.filter(({ service }) => services.includes(service))

const idsOf = (...patterns: string[]) => selectRequirements(chosen, patterns).map(({ id }) => id)

describe('selectRequirements', () => {
  it('accepts an id, a prefix and a glob, and returns each requirement once in order', () => {
    expect(idsOf('code-hosting/settings/values', 'code-hosting/settings')).toEqual([
      'code-hosting/settings/readable-by-any-client',
      'code-hosting/settings/record',
      'code-hosting/settings/values',
      'code-hosting/settings/agree-with-pagination',
    ])
    expect(idsOf('*/*/link-*')).toEqual([
      'code-hosting/pagination/link-when-several-pages',
      'code-hosting/pagination/link-form',
      'code-hosting/pagination/link-relations',
      'code-hosting/pagination/link-targets',
    ])
  })

  it('accepts a section or a name without its service', () => {
    expect(idsOf('pagination')).toEqual(idsOf('code-hosting/pagination'))
    expect(idsOf('limit-lowered')).toEqual(['code-hosting/pagination/limit-lowered'])
    expect(idsOf('updates/accepted')).toEqual(['incident-status/updates/accepted'])
  })
})

describe('suites/REQUIREMENTS.md', () => {
  it('equals the output of "plumbline requirements --format markdown"', () => {
    const all = catalogues.flatMap(({ requirements }): Requirement[] => [...requirements])
    const kept = readFileSync(new URL('../../suites/REQUIREMENTS.md', import.meta.url), 'utf8')
    const hint =
      'print it again: npm run --silent plumbline -- requirements --format markdown > suites/REQUIREMENTS.md'
    expect(kept, hint).toBe(`${asMarkdown(all)}\n`)
  })

  it('escapes Markdown', () => {
    const requirement: Requirement = {
      id: 'code-hosting/documentation/served',
      statement: 'A <b> | *c* [d]_e_ & f.',
      section: 'S',
      level: 'contract',
      since: '0.1.0',
      checkedBy: ['probe'],
    }
    const row = asMarkdown([requirement])
    expect(row).toContain('| A &lt;b> \\| \\*c\\* \\[d\\]\\_e\\_ &amp; f. |')
  })
})
