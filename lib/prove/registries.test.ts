import { describe, expect, it } from 'vitest'
import { catalogues } from '../cli/services.ts'
import type { Requirement } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'

const requirements = catalogues.flatMap(({ requirements }): Requirement[] => [...requirements])
const judged = requirements
  .filter((requirement) => !requirement.judged.includes('untestable'))
  .map(({ id }) => id)
const tolerances = requirements.flatMap(({ id, tolerances = {} }) =>
  Object.keys(tolerances).map((name) => `${id}/${name}`),
)

const requirementOf = (tolerance: string) => tolerance.slice(0, tolerance.lastIndexOf('/'))

function twice(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

function without(wanted: readonly string[], given: readonly string[]): string[] {
  const known = new Set(given)
  return wanted.filter((name) => !known.has(name))
}

describe('the registry of faults', () => {
  const broken = faults.flatMap((fault) => fault.requirements)

  it('has at least one for every requirement that is judged', () => {
    expect(judged.length).toBeGreaterThan(100)
    expect(without(judged, broken)).toEqual([])
  })

  it('names requirements that are judged, and at least one for each fault', () => {
    expect(without(broken, judged)).toEqual([])
    expect(faults.filter((fault) => fault.requirements.length === 0)).toEqual([])
    for (const fault of faults) expect(twice(fault.requirements), fault.name).toEqual([])
  })

  it('has 180 or more, each with a name of its own', () => {
    expect(faults.length).toBeGreaterThanOrEqual(180)
    expect(twice(faults.map(({ name }) => name))).toEqual([])
    for (const { name } of faults) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  it('names variants that there are', () => {
    const names = variants.map(({ name }) => name)
    const needed = faults.flatMap(({ variant }) => (variant === undefined ? [] : [variant]))
    expect(without(needed, names)).toEqual([])
  })
})

describe('the registry of variants', () => {
  const tried = variants.flatMap((variant) => variant.tolerances ?? [])

  it('has at least one for every tolerance of the catalogues', () => {
    expect(tolerances.length).toBeGreaterThan(60)
    expect(without(tolerances, tried)).toEqual([])
  })

  it('names tolerances that there are', () => {
    expect(without(tried, tolerances)).toEqual([])
    for (const { name, tolerances = [] } of variants) expect(twice(tolerances), name).toEqual([])
  })

  it('leaves unjudged only what it names a tolerance of', () => {
    for (const { name, tolerances = [], unjudged = [] } of variants) {
      expect(without(unjudged, tolerances.map(requirementOf)), name).toEqual([])
    }
  })

  it('lets every tolerance be judged in one of them, unless there can be no verdict', () => {
    const judgedSomewhere = variants.flatMap(({ tolerances = [], unjudged = [] }) =>
      tolerances.filter((id) => !unjudged.includes(requirementOf(id))),
    )
    expect(without(tolerances, judgedSomewhere)).toMatchInlineSnapshot(`
      [
        "code-hosting/errors/server-error-message/not-in-production",
        "code-hosting/errors/no-rate-limit-headers/announced-gateway",
        "code-hosting/scopes/public-only-grants-nothing/creation-refused",
        "code-hosting/pagination/default-limit/default-above-maximum",
        "code-hosting/pagination/limit-not-positive/default-above-maximum",
        "code-hosting/pagination/total-count/not-counted",
        "code-hosting/settings/agree-with-pagination/default-above-maximum",
        "event-publishing/publish/accepted/no-such-path",
      ]
    `)
  })

  it('has 60 or more, each with a name of its own', () => {
    expect(variants.length).toBeGreaterThanOrEqual(60)
    expect(twice(variants.map(({ name }) => name))).toEqual([])
    for (const { name } of variants) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })
})
