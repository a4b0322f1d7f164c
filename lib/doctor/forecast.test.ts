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
  login: lacking(['NAME'], 'Set the name.'),
  main: lacking(['NAME', 'PASSWORD'], 'Set the main account.'),
  open: lacking(['OPEN'], 'Name an open repository.'),
  other: lacking(['OTHER'], 'Set another account.'),
  many: lacking([], 'Give it more repositories.'),
  more: lacking([], 'Give it more repositories.'),
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
      ...(id === 'never' ? { reason: 'Nothing shows it.' } : {}),
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
        reason: 'NAME, PASSWORD and OPEN are not set',
        variables: ['NAME', 'PASSWORD', 'OPEN'],
      },
      { requirement: 'three', forecast: 'notCovered', reason: 'SETTING is true', variables: [] },
      {
        requirement: 'never',
        forecast: 'notCovered',
        reason: 'cannot be tested: Nothing shows it.',
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
        texts: ['Set the main account.'],
        variables: ['NAME', 'PASSWORD'],
        adds: ['one', 'two', 'three'],
      },
      { texts: ['Name an open repository.'], variables: ['OPEN'], adds: ['four', 'five'] },
      { texts: ['Give it more repositories.'], variables: [], adds: ['six', 'seven'] },
    ])
  })

  it('merge needs that enable no requirement separately', () => {
    const { nextSteps } = forecastFor({ one: ['open', 'other'], two: ['open', 'other'] })
    expect(nextSteps).toEqual([
      {
        texts: ['Name an open repository.', 'Set another account.'],
        variables: ['OPEN', 'OTHER'],
        adds: ['one', 'two'],
      },
    ])
  })
})
