import { describe, expect, it } from 'vitest'
import { catalogues } from '../../cli/services.ts'
import type { Catalogue } from '../../conformance/catalogue.ts'
import { faults, variants } from '../reference/index.ts'
import { registryProblems, toleranceId, tolerancesIn } from './registry.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { coveringScenarios } from './sharing.ts'

describe('the registries of faults and variants', () => {
  it('agree with the catalogues', () => {
    expect(registryProblems(catalogues, { faults, variants })).toEqual([])
  })

  it('have a variant that judges each tolerance, unless no verdict is possible', async () => {
    const judged = variants.flatMap(({ tolerances = [], unjudged = [] }) =>
      tolerances.filter(({ requirement }) => !unjudged.includes(requirement)).map(toleranceId),
    )
    const never = tolerancesIn(catalogues).filter((id) => !judged.includes(id))
    const text = `${JSON.stringify(never, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('unjudged-tolerances.snapshot.json')
  })

  it('have few scenarios that cover each requirement and each tolerance, judged if possible', () => {
    const covering = coveringScenarios(scenarios)
    const idsIn = (some: readonly Scenario[]) => ({
      broken: new Set(some.flatMap(({ failing }) => failing)),
      tolerances: new Set(some.flatMap(({ tolerances }) => tolerances.map(toleranceId))),
      judged: new Set(
        some.flatMap(({ tolerances, unjudged }) =>
          tolerances.filter(({ requirement }) => !unjudged.includes(requirement)).map(toleranceId),
        ),
      ),
    })
    expect(idsIn(covering)).toEqual(idsIn(scenarios))
    expect(coveringScenarios(scenarios)).toEqual(covering)
    const { broken, tolerances } = idsIn(scenarios)
    expect(covering.length).toBeLessThanOrEqual(broken.size + tolerances.size)
  })
})

describe('registryProblems', () => {
  const [a, b] = ['letters/form/a', 'letters/form/b'] as const
  const requirement = {
    statement: '',
    section: '',
    level: 'contract',
    impact: 'data',
    since: '0.1.0',
  } as const
  const catalogue: Catalogue = {
    service: 'letters',
    document: '',
    requirements: [
      { ...requirement, id: a, checkedBy: ['probe'], tolerances: { 'in-capitals': '' } },
      { ...requirement, id: b, checkedBy: ['untestable'] },
    ],
    needs: {},
  }
  const fault = { name: 'not-a', requirements: [a] }
  const variant = { name: 'in-capitals', tolerances: [{ requirement: a, name: 'in-capitals' }] }
  const problemsOf = (
    registry: Partial<Parameters<typeof registryProblems>[1]>,
    all = [catalogue],
  ) => registryProblems(all, { faults: [fault], variants: [variant], ...registry })

  it('reports a need of no requirement', () => {
    const needs = { stamp: { variables: [], isMet: () => true } }
    expect(problemsOf({}, [{ ...catalogue, needs }])).toEqual([expect.stringContaining('stamp ')])
  })

  it.each<[string, Partial<Parameters<typeof registryProblems>[1]>, string]>([
    ['a requirement without a fault', { faults: [] }, a],
    ['a tolerance without a variant', { variants: [] }, `${a}/in-capitals`],
    [
      'a fault of an untestable requirement',
      { faults: [fault, { name: 'x', requirements: [b] }] },
      b,
    ],
    ['no verdict without a tolerance', { variants: [{ ...variant, unjudged: [b] }] }, b],
    ['a name of two entries', { faults: [fault, fault] }, 'not-a'],
  ])('reports %s', (_, registry, id) => {
    expect(problemsOf(registry)).toEqual([expect.stringContaining(`${id} `)])
  })
})
