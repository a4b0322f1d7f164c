import { describe, expect, it } from 'vitest'
import { catalogues } from '../cli/services.ts'
import type { Catalogue } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'
import { type Registry, registryProblems, requirementOf, tolerancesIn } from './registry.ts'

describe('the registries of faults and variants', () => {
  it('agree with the catalogues', () => {
    expect(registryProblems(catalogues, { faults, variants })).toEqual([])
  })

  it('let every tolerance be judged in a variant, unless there can be no verdict', async () => {
    const judged = variants.flatMap(({ tolerances = [], unjudged = [] }) =>
      tolerances.filter((id) => !unjudged.includes(requirementOf(id))),
    )
    const never = tolerancesIn(catalogues).filter((id) => !judged.includes(id))
    const text = `${JSON.stringify(never, undefined, 2)}\n`
    await expect(text).toMatchFileSnapshot('unjudged-tolerances.snapshot.json')
  })
})

describe('registryProblems', () => {
  const [a, b] = ['letters/form/a', 'letters/form/b'] as const
  const requirement = { statement: '', section: '', level: 'contract' } as const
  const catalogue: Catalogue = {
    service: 'letters',
    document: '',
    requirements: [
      { ...requirement, id: a, judged: ['probe'], tolerances: { 'in-capitals': '' } },
      { ...requirement, id: b, judged: ['untestable'] },
    ],
    needs: {},
  }
  const fault = { name: 'not-a', requirements: [a] }
  const variant = { name: 'in-capitals', tolerances: [`${a}/in-capitals`] }
  const problemsOf = (registry: Partial<Registry>) =>
    registryProblems([catalogue], { faults: [fault], variants: [variant], ...registry })

  it('finds none where every requirement has a fault, and every tolerance a variant', () => {
    expect(problemsOf({})).toEqual([])
  })

  it.each<[string, Partial<Registry>, string]>([
    ['a requirement without a fault', { faults: [] }, a],
    ['a tolerance without a variant', { variants: [] }, `${a}/in-capitals`],
    [
      'a misspelled tolerance',
      { variants: [variant, { name: 'x', tolerances: [`${a}/in-capital`] }] },
      `${a}/in-capital`,
    ],
    ['a misspelled requirement', { faults: [fault, { name: 'x', requirements: ['c'] }] }, 'c'],
    ['a fault of what is not judged', { faults: [fault, { name: 'x', requirements: [b] }] }, b],
    ['a fault of nothing', { faults: [fault, { name: 'x', requirements: [] }] }, 'x'],
    ['a requirement named twice', { faults: [{ ...fault, requirements: [a, a] }] }, a],
    ['an unknown variant', { faults: [{ ...fault, variant: 'y' }] }, 'y'],
    [
      'an unknown requirement that becomes',
      { faults: [{ ...fault, expectedVerdicts: { c: 'pass' } }] },
      'c',
    ],
    ['an unjudged requirement of no tolerance', { variants: [{ ...variant, unjudged: [b] }] }, b],
    ['a name of two entries', { faults: [fault, fault] }, 'not-a'],
    ['a name of another form', { faults: [{ ...fault, name: 'Not-a' }] }, 'Not-a'],
  ])('finds %s', (_, registry, subject) => {
    expect(problemsOf(registry)).toEqual([expect.stringContaining(`${subject} `)])
  })
})
