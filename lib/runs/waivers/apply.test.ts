import { describe, expect, it } from 'vitest'
import { casesFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import { reportJson } from '../../reports/report-files.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type {
  RequirementResult,
  RunReport,
  Verdict,
  Waiver,
  WaiverState,
} from '../../results/run-report.ts'
import { matchesOf, withWaivers } from './apply.ts'

const known = new Set(['a/b/one', 'a/b/two', 'x/y/z'])

const waiver: Waiver = { requirement: 'a/b/one', reason: 'known', expires: '2026-12-31' }

const ids = ['one', 'two', 'three', 'four']

/** Applies waivers to a run of 2026-02-03; their requirement has the verdict, and another one passes. */
function reviewed(
  verdict: Verdict,
  entries: Partial<Waiver>[],
  row: Partial<RequirementResult> = {},
  rest: Partial<RunReport> = {},
) {
  const details = { reason: 'why', expected: 'status 200', actual: 'status 500' }
  const deviating = verdict === 'pass' ? row : { ...details, ...row }
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict, ...deviating }),
    resultFixture({ requirement: 'a/b/two' }),
  ]
  const unreviewed = reportFixture({ results, cases: ids, ...rest })
  const waivers = entries.map((parts) => ({ ...waiver, ...parts }))
  const report = withWaivers(unreviewed, waivers, known)
  const [result = resultFixture()] = report.results
  const states = report.waivers?.map(({ state }) => state)
  return { report, result, states, status: outcomeOf(report).exitStatus }
}

/** Returns a result that deviates in these of the four cases; others conform, and the last may be missing. */
function rowOf(deviating: readonly number[], hasMissing = false): Partial<RequirementResult> {
  const judged = hasMissing ? [0, 1, 2] : [0, 1, 2, 3]
  const conforming = judged.filter((number) => !deviating.includes(number))
  return {
    cases: casesFixture({ conforming, deviating: [...deviating] }, hasMissing ? { 3: '' } : {}),
    deviations: deviating.map((number) => {
      return {
        expected: 'e',
        actual: `actual ${number}`,
        cases: [number],
        exchange: `e${number + 1}`,
      }
    }),
  }
}

describe('a waiver with cases', () => {
  it.each<[string, string[], number[], WaiverState, boolean?]>([
    ['the deviating cases', ['one', 'two'], [0, 1], 'used'],
    ['more cases', ['one', 'two'], [1], 'used'],
    ['globs of the deviating cases', ['t*', 'o*'], [0, 1], 'used'],
    ['some of the deviating cases', ['t*'], [0, 1], 'exceeded'],
    ['a case that was not judged, and the deviating one', ['one', 'four'], [0], 'used', true],
    ['a case that conforms, beside a failure', ['one'], [2], 'unused'],
    ['a case that was not judged, beside a failure', ['four'], [2], 'noVerdict', true],
    ['a case that passes', ['one'], [], 'unused'],
    ['a case that passes, although another one was not judged', ['one'], [], 'unused', true],
    ['a pass and a case that was not judged', ['one', 'four'], [], 'noVerdict', true],
    ['no case of the run', ['five'], [], 'noVerdict'],
  ])('of %s', (_name, cases, deviating, state, hasMissing) => {
    const verdict = deviating.length === 0 ? 'pass' : 'fail'
    const { states, result, status } = reviewed(verdict, [{ cases }], rowOf(deviating, hasMissing))
    expect([states, result.verdict]).toEqual([[state], state === 'used' ? 'waived' : verdict])
    const isGreen = state === 'used' || (verdict === 'pass' && state === 'noVerdict')
    expect(status).toBe(isGreen ? 0 : 1)
  })

  it('covers a failure together with others of its requirement', () => {
    const both = reviewed('fail', [{ cases: ['one'] }, { cases: ['t*'] }], rowOf([0, 1]))
    expect([both.states, both.result.verdict]).toEqual([['used', 'used'], 'waived'])
    const over = { cases: ['t*'], expires: '2026-02-02' }
    const expired = reviewed('fail', [{ cases: ['one'] }, over], rowOf([0, 1]))
    expect([expired.states, expired.result.verdict]).toEqual([['exceeded', 'expired'], 'fail'])
  })

  it('leaves a failure with the deviations that it does not cover first, and their cases', () => {
    const { result, report } = reviewed('fail', [{ cases: ['one', 'three'] }], {
      ...rowOf([0, 1, 2, 3]),
      exchanges: ['e1', 'e2'],
    })
    expect(result.deviations?.map(({ cases }) => cases)).toEqual([[1], [3], [0], [2]])
    expect(result).toMatchObject({ actual: 'actual 1', waiver: { cases: ['one', 'three'] } })
    expect(result.exchanges).toEqual(['e2', 'e1'])
    expect(result.reason).toContain('two; four')
    expect(JSON.parse(reportJson(report)).waivers).toMatchObject([{ state: 'exceeded' }])
  })

  it('does not cover cases whose deviations were not kept', () => {
    const row = { ...rowOf([0]), cases: casesFixture({ conforming: [2], deviating: [0, 1] }) }
    expect(reviewed('fail', [{ cases: ['one'] }], row).states).toEqual(['exceeded'])
  })
})

it('changes the verdict of a failure, and keeps its details', () => {
  const owner = { owner: 'Maria', link: 'https://tracker.example.com/1' }
  const { report, result } = reviewed('fail', [owner])
  const { requirement: _, ...details } = { ...waiver, ...owner }
  expect(result).toMatchObject({
    ...{ verdict: 'waived', reason: 'why', expected: 'status 200', actual: 'status 500' },
    waiver: details,
  })
  expect([report.verdict, report.knownDeviations]).toEqual(['conformant', 1])
})

const over = { expires: '2026-02-02' }
const unselected = { noVerdict: { kind: 'not selected' } } as const
const partial = { cases: casesFixture({}, { 1: '' }) }

it.each<[string, Verdict, Partial<Waiver>, Partial<RequirementResult>, WaiverState, 0 | 1 | 3]>([
  ['an advisory result', 'advisory', {}, {}, 'used', 0],
  ['a failure, on its last day', 'fail', { expires: '2026-02-03' }, {}, 'used', 0],
  ['a failure, after its last day', 'fail', over, {}, 'expired', 1],
  ['a skipped result, after its last day', 'skipped', over, {}, 'expired', 1],
  ['a pass', 'pass', {}, {}, 'unused', 1],
  ['a pass, after its last day', 'pass', over, {}, 'unused', 1],
  ['an unknown id', 'fail', { requirement: 'a/b/on' }, {}, 'unknown', 1],
  ['a skipped result', 'skipped', {}, {}, 'noVerdict', 0],
  ['an inconclusive result', 'inconclusive', {}, {}, 'noVerdict', 3],
  ['a pass without some cases', 'pass', {}, partial, 'noVerdict', 0],
  ['a pass without some cases, after its last day', 'pass', over, partial, 'expired', 1],
  ['an unselected requirement', 'skipped', {}, unselected, 'notApplicable', 0],
  ['a service that was not probed', 'pass', { requirement: 'x/y/z' }, {}, 'notApplicable', 0],
])('a waiver of %s', (_name, verdict, parts, row, state, expected) => {
  const { states, status, result } = reviewed(verdict, [parts], row)
  expect([states, status]).toEqual([[state], expected])
  expect(result.verdict).toBe(state === 'used' ? 'waived' : verdict)
})

it.each([
  ['a, b', 'a, b', true],
  ['a, b', 'a, b, c', false],
  ['a, *', 'a, b, c', true],
  ['*, c', 'a, b, c', true],
  ['*b*', 'a, b, c', true],
  ['a*c, d', 'a, b, c', false],
  ['(a|b)+', '(a|b)+', true],
  ['(a|b)+', 'a', false],
  ['*', 'GET /repos/{owner}\nb', true],
])('the glob %j matches %j: %s', (glob, id, expected) => {
  expect(matchesOf(glob, [id])).toEqual(expected ? [id] : [])
})
