import { expect, it } from 'vitest'
import type { Catalogue, Need } from '../conformance/catalogue.ts'
import type { Target } from '../environment/target.ts'
import { forecastRun } from './forecast.ts'

const lacking = (variables: readonly string[], advice?: string): Need => ({
  variables,
  advice,
  isMet: () => false,
})

const needs = {
  login: lacking(['NAME'], '<name>'),
  main: lacking(['NAME', 'PASSWORD'], '<main>'),
  open: lacking(['OPEN'], '<open>'),
  other: lacking(['OTHER'], '<other>'),
  many: lacking([], '<more>'),
  more: lacking([], '<more>'),
  setting: { ...lacking(['SETTING']), reason: 'SETTING is true' },
}

/** Forecasts requirements by id; `never` is untestable. */
function forecastFor(requirements: Record<string, readonly (keyof typeof needs)[]>) {
  const common = {
    statement: '',
    section: '',
    level: 'contract',
    impact: 'data',
    since: '0.1.0',
  } as const
  const catalogue: Catalogue = {
    service: 'code-hosting',
    document: '',
    needs,
    requirements: Object.entries(requirements).map(([id, needs]) =>
      id === 'never'
        ? { ...common, id, needs, checkedBy: ['untestable'], reason: '<why>' }
        : { ...common, id, needs, checkedBy: ['probe'] },
    ),
  }
  return forecastRun([catalogue], { 'code-hosting': {} }, {} as Target)
}

it('forecastRun returns skipped for needs with advice, and not covered for other needs', () => {
  const two = ['NAME', 'PASSWORD', 'OPEN']
  const { requirements } = forecastFor({
    ...{ one: [], two: ['main', 'open'], three: ['open', 'setting'] },
    never: [],
  })
  expect(requirements).toEqual([
    { requirement: 'one', forecast: 'judged', variables: [] },
    {
      ...{ requirement: 'two', forecast: 'skipped', variables: two },
      reason: expect.stringMatching(/NAME, PASSWORD and OPEN/),
    },
    { requirement: 'three', forecast: 'notCovered', reason: 'SETTING is true', variables: [] },
    {
      ...{ requirement: 'never', forecast: 'notCovered', variables: [], untestable: true },
      reason: expect.stringContaining('<why>'),
    },
  ])
})

it('the next steps are sorted by the requirements that wait for them', () => {
  const { nextSteps } = forecastFor({
    ...{ one: ['main'], two: ['main', 'open'], three: ['open'], four: ['open', 'setting'] },
    ...{ five: ['main'], six: ['many'], seven: ['more', 'many'], eight: ['many'], nine: ['more'] },
  })
  expect(nextSteps).toEqual([
    { text: '<more>', variables: [], requirements: ['six', 'seven', 'eight', 'nine'] },
    { text: '<main>', variables: ['NAME', 'PASSWORD'], requirements: ['one', 'two', 'five'] },
    { text: '<open>', variables: ['OPEN'], requirements: ['two', 'three'] },
  ])
})
