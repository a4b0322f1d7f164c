import { describe, expect, it } from 'vitest'
import { catalogues } from '../lib/cli/services.ts'
import type { Catalogue } from '../lib/conformance/requirement.ts'

describe.each<Catalogue>(catalogues)('catalogue of $service', ({ service, requirements }) => {
  it('has a unique id and a unique statement for each requirement', () => {
    for (const { id, statement, section } of requirements) {
      expect(id).toMatch(new RegExp(`^${service}/[a-z-]+/[a-z-]+$`))
      expect(statement, id).toMatch(/^.{15,}\.$/)
      expect(section, id).not.toBe('')
    }
    for (const key of ['id', 'statement'] as const) {
      expect(new Set(requirements.map((entry) => entry[key])).size).toBe(requirements.length)
    }
  })

  it('has reasons only for untestable requirements', () => {
    for (const { id, checkedBy: judged, reason } of requirements) {
      expect(reason !== undefined, id).toBe(judged.includes('untestable'))
    }
  })

  it('has a name and a sentence for each tolerance', () => {
    for (const { id, tolerances = {} } of requirements) {
      for (const [name, sentence] of Object.entries(tolerances)) {
        expect(name, id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        expect(sentence, `${id}/${name}`).toMatch(/^\S.+\.$/)
      }
    }
  })
})

describe('short names', () => {
  /** Names that several services share since earlier releases. */
  const shared = ['versioning', 'versioning/prefix', 'prefix', 'key-checked', 'accepted']

  it('belong to one service each, since --requirement matches all services', () => {
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

describe('released requirements', () => {
  const released = catalogues.flatMap(({ requirements }) =>
    requirements.map(({ id, statement, level }) => ({ id, statement, level })),
  )

  // Reports, waivers and histories store ids: a requirement with another meaning gets a new id.
  it('keep their ids and statements', async () => {
    const text = `${JSON.stringify(released, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('catalogues.snapshot.json')
  })
})
