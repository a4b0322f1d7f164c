import { describe, expect, it } from 'vitest'
import { catalogues } from '../lib/cli/services.ts'
import type { Catalogue } from '../lib/conformance/requirement.ts'

describe.each<Catalogue>(catalogues)('the catalogue of $service', ({ service, requirements }) => {
  it('has an id of service, section and name, and a statement of its own for each requirement', () => {
    for (const { id, statement, section } of requirements) {
      expect(id).toMatch(new RegExp(`^${service}/[a-z-]+/[a-z-]+$`))
      expect(statement, id).toMatch(/^.{15,}\.$/)
      expect(section, id).not.toBe('')
    }
    for (const key of ['id', 'statement'] as const) {
      expect(new Set(requirements.map((row) => row[key])).size).toBe(requirements.length)
    }
  })

  it('gives a reason for what cannot be tested, and for nothing else', () => {
    for (const { id, judged, reason } of requirements) {
      expect(reason !== undefined, id).toBe(judged.includes('untestable'))
    }
  })

  it('names what is tolerated, and says it in a sentence', () => {
    for (const { id, tolerances = {} } of requirements) {
      for (const [name, sentence] of Object.entries(tolerances)) {
        expect(name, id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(sentence, `${id}/${name}`).toMatch(/^\S.+\.$/)
      }
    }
  })
})

describe('a short name', () => {
  /** Names that several services had before. */
  const shared = ['versioning', 'versioning/prefix', 'prefix', 'key-checked', 'accepted']

  it('belongs to one service, since --requirement finds it in all of them', () => {
    const services = new Map<string, Set<string>>()
    for (const { id } of catalogues.flatMap(({ requirements }) => [...requirements])) {
      const [service = '', section = '', name = ''] = id.split('/')
      for (const short of [section, `${section}/${name}`, name]) {
        services.set(short, (services.get(short) ?? new Set()).add(service))
      }
    }
    const colliding = [...services].filter(
      ([short, { size }]) => size > 1 && !shared.includes(short),
    )
    expect(colliding.map(([short, all]) => `${short}: ${[...all].join(', ')}`)).toEqual([])
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
