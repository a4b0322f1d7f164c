import { expect, it } from 'vitest'
import type { Catalogue, Need } from '../conformance/catalogue.ts'
import type { Target } from '../environment/target.ts'
import { doctorStatus, forecastRun } from './doctor-report.ts'

const lacking = (variables: readonly string[], advice?: string): Need => ({
  variables,
  advice,
  isMet: () => false,
})

const needs = {
  main: lacking(['NAME', 'PASSWORD'], '<main>'),
  open: lacking(['OPEN'], '<open>'),
  many: lacking([], '<more>'),
  more: lacking([], '<more>'),
  setting: { ...lacking(['SETTING']), reason: 'SETTING is true' },
}

/** Needs of requirements by id; `never` is untestable. */
const requirements: Record<string, readonly (keyof typeof needs)[]> = {
  one: [],
  two: ['main', 'open'],
  three: ['open', 'setting'],
  never: [],
  four: ['main'],
  five: ['many'],
  six: ['more', 'many'],
  seven: ['more'],
}

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

it('forecastRun returns skipped and next steps for needs with advice, and not covered for others', () => {
  const { requirements, nextSteps } = forecastRun([catalogue], { 'code-hosting': {} }, {} as Target)
  expect(requirements.slice(0, 4)).toEqual([
    { requirement: 'one', forecast: 'judged', variables: [] },
    {
      requirement: 'two',
      forecast: 'skipped',
      variables: ['NAME', 'PASSWORD', 'OPEN'],
      reason: expect.stringMatching(/NAME, PASSWORD and OPEN/),
    },
    { requirement: 'three', forecast: 'notCovered', reason: 'SETTING is true', variables: [] },
    {
      requirement: 'never',
      forecast: 'notCovered',
      variables: [],
      untestable: true,
      reason: expect.stringContaining('<why>'),
    },
  ])
  expect(nextSteps).toEqual([
    { text: '<more>', variables: [], requirements: ['five', 'six', 'seven'] },
    { text: '<main>', variables: ['NAME', 'PASSWORD'], requirements: ['two', 'four'] },
    { text: '<open>', variables: ['OPEN'], requirements: ['two'] },
  ])
})

it.each([
  [0, ['ok', 'warning', 'unknown'], 'judged'],
  [2, ['ok', 'configuration'], 'judged'],
  [3, ['target', 'configuration'], 'judged'],
  [2, [], 'skipped'],
] as const)('doctorStatus returns %d for %j', (status, kinds, forecast) => {
  const findings = kinds.map((kind) => ({ kind }))
  expect(doctorStatus(findings, [{ requirement: 'one', forecast, variables: [] }])).toBe(status)
})
