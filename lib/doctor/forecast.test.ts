import { describe, expect, it } from 'vitest'
import type { Catalogue, Need } from '../conformance/requirement.ts'
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

const target = {} as Target

function forecastFor(requirements: Record<string, readonly (keyof typeof needs)[]>) {
  const catalogue: Catalogue = {
    service: 'code-hosting',
    document: '',
    needs,
    requirements: Object.entries(requirements).map(([id, names]) => ({
      id,
      statement: '',
      section: '',
      level: 'contract',
      since: '0.1.0',
      checkedBy: id === 'never' ? ['untestable'] : ['probe'],
      needs: names,
      ...(id === 'never' ? { reason: '<why>' } : {}),
    })),
  }
  return forecastRun([catalogue], { 'code-hosting': {} }, target)
}

describe('forecastRun', () => {
  it('returns skipped for needs with advice, and left out for other needs', () => {
    const { requirements } = forecastFor({
      one: [],
      two: ['main', 'open'],
      three: ['open', 'setting'],
      never: [],
    })
    expect(requirements).toEqual([
      { requirement: 'one', forecast: 'judged', variables: [] },
      {
        requirement: 'two',
        forecast: 'skipped',
        reason: expect.stringMatching(/NAME, PASSWORD and OPEN/),
        variables: ['NAME', 'PASSWORD', 'OPEN'],
      },
      { requirement: 'three', forecast: 'notCovered', reason: 'SETTING is true', variables: [] },
      {
        requirement: 'never',
        forecast: 'notCovered',
        reason: expect.stringContaining('<why>'),
        untestable: true,
        variables: [],
      },
    ])
  })
})

describe('the next steps', () => {
  it('are sorted by requirements, and assume that the steps before are done', () => {
    const { nextSteps } = forecastFor({
      one: ['main'],
      two: ['main'],
      three: ['login'],
      four: ['main', 'open'],
      five: ['open'],
      six: ['many'],
      seven: ['more'],
      eight: ['main', 'other', 'setting'],
    })
    expect(nextSteps).toEqual([
      {
        texts: ['<main>'],
        variables: ['NAME', 'PASSWORD'],
        adds: ['one', 'two', 'three'],
      },
      { texts: ['<open>'], variables: ['OPEN'], adds: ['four', 'five'] },
      { texts: ['<more>'], variables: [], adds: ['six', 'seven'] },
    ])
  })

  it('merge needs that enable no requirement separately', () => {
    const { nextSteps } = forecastFor({ one: ['open', 'other'], two: ['open', 'other'] })
    expect(nextSteps).toEqual([
      {
        texts: ['<open>', '<other>'],
        variables: ['OPEN', 'OTHER'],
        adds: ['one', 'two'],
      },
    ])
  })
})
