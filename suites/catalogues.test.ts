import { describe, expect, it } from 'vitest'
import { catalogues } from '../lib/cli/services.ts'
import type { Catalogue, Requirement } from '../lib/conformance/requirement.ts'

const judgedBy = ['probe', 'invariant', 'supplied', 'untestable']

describe.each<Catalogue>(catalogues)('the catalogue of $service', (catalogue) => {
  const { service, requirements } = catalogue

  it('gives every requirement an id of its own, of service, section and name', () => {
    const ids = requirements.map(({ id }) => id)

    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(new RegExp(`^${service}/[a-z-]+/[a-z-]+$`))
  })

  it('says of every requirement what, where and how', () => {
    for (const { id, statement, section, judged } of requirements) {
      expect(statement, id).toMatch(/^.{15,}\.$/)
      expect(section, id).not.toBe('')
      expect(judged.length, id).toBeGreaterThan(0)
      for (const way of judged) expect(judgedBy, id).toContain(way)
    }
  })

  it('gives a reason for what cannot be tested, and for nothing else', () => {
    for (const requirement of requirements) {
      const untestable = requirement.judged.some((way) => way === 'untestable')
      expect('reason' in requirement, requirement.id).toBe(untestable)
    }
  })

  it('names what is tolerated, and says it in a sentence', () => {
    const tolerant = requirements.filter((requirement) => 'tolerances' in requirement)
    expect(tolerant).not.toEqual([])
    for (const { id, tolerances = {} } of tolerant as readonly Requirement[]) {
      expect(Object.keys(tolerances), id).not.toEqual([])
      for (const [name, sentence] of Object.entries(tolerances)) {
        expect(name, id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(sentence, `${id}/${name}`).toMatch(/^\S.+\.$/)
      }
    }
  })

  it('has no two statements that say the same', () => {
    const statements = requirements.map(({ statement }) => statement)

    expect(new Set(statements).size).toBe(statements.length)
  })
})

describe('a released requirement', () => {
  const rows = catalogues.flatMap(({ requirements }) =>
    requirements.map(({ id, statement, level }) => ({ id, statement, level })),
  )

  // Reports, waivers and histories name ids: one that means something else is a new one.
  it('keeps its id and its meaning', async () => {
    const text = `${JSON.stringify(rows, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('catalogues.snapshot.json')
  })
})
