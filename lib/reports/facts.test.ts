import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { adviceText, reportModel, textOf } from './facts.ts'
import { textsOf } from './formats.fixture.ts'
import { caseIds, casesFixture, reportFixture, resultFixture } from './report.fixture.ts'

const deviating = (cases: number[], conforming: number[], missing: Record<number, string> = {}) =>
  resultFixture({
    verdict: 'fail',
    deviations: [{ expected: 'a', actual: 'b', exchange: 'e1', cases }],
    cases: casesFixture({ deviating: cases, conforming }, missing),
  })

const ids = 'x|sent as s, x|with t, y|with t, x|r, x|r, y|ab, x|s, u, x|u, y, s'.split('|')
const of = reportFixture({ cases: ids })

/** Returns the texts about a result by their labels. */
function textsFor(result: RequirementResult, report: RunReport): Record<string, string> {
  const { facts } = reportModel({ ...report, results: [result] })
  const details = facts.get(result.requirement)?.details ?? []
  return Object.fromEntries(details.map(({ label, text = '' }) => [label, textOf(text)]))
}

describe('the case of a failure', () => {
  it.each<[number[], number[], Record<number, string>, string]>([
    [[0], [], {}, 'x'],
    [[0], [1], {}, 'x (in 1 of 2 cases)'],
    [[0, 1], [], {}, 'x (in all 2 cases)'],
    // With a preposition, and without one.
    [[2, 3], [0, 1], {}, 'with t, y (in 2 of 4 cases, all with t)'],
    [[4, 5], [0], {}, 'r, x (in 2 of 3 cases, all with r)'],
    [[1, 2], [0], {}, 'sent as s, x (in 2 of 3 cases)'],
    // A factor of all cases, a part of a factor, another order.
    [[3, 4], [0], {}, 'with t, x (in 2 of 3 cases)'],
    [[6, 4], [5], {}, 'ab, x (in 2 of 3 cases, all with x)'],
    [[7, 8], [0], {}, 's, u, x (in 2 of 3 cases, all with s, u)'],
    [[0], [1], { 2: '', 3: '' }, 'x (in 1 of 2 cases; 2 not judged)'],
    [[0], [], { 2: '' }, 'x (in the only judged case; 1 not judged)'],
  ])(
    'of the deviating cases %j, with %j and the missing %j, is %s',
    (cases, others, lost, text) => {
      expect(textsFor(deviating(cases, others, lost), of).case).toBe(text)
    },
  )

  it('does not name the case of a check that judges no table', () => {
    const result = { ...deviating([0], []), requirement: 'a/b/c' }
    expect(textsFor(result, { ...of, cases: ['b/c'] }).case).toBeUndefined()
    expect(textsFor(resultFixture(), { ...of, cases: ['b/c'] })).toEqual({})
  })

  it('names the run since which a requirement fails', () => {
    const startedAt = '2026-01-05T03:00:00.000Z'
    const since = (run: string) =>
      textsFor({ ...deviating([0], []), failingSince: { run, startedAt } }, of).since
    expect([since('earlier')?.includes('earlier'), since(of.run.id)]).toEqual([true, 'this run'])
  })
})

describe('a failure in many cases', () => {
  const number = 400
  const cases = Array.from({ length: number }, (_, index) => `level ${index}, with a, GET /user`)
  const all = cases.map((_, index) => index)
  const missing = all.map((one) => [one + 1000, `reason ${one}`])
  const report = reportFixture({
    cases: [...cases, ...caseIds],
    results: [
      deviating(all, [number], Object.fromEntries(missing)),
      resultFixture({ requirement: 'a/b/c', reason: 'r' }),
    ],
  })

  it.each(Object.entries(textsOf(report)))('names only the first in the %s', (_, text) => {
    expect(text.match(/level \d+/g)?.length ?? 0).toBeLessThanOrEqual(3)
  })
})

it('the advice on unmet needs has each sentence once, and the variables that the reason does not name', () => {
  const needs = [
    { name: 'one', variables: ['A_B'], advice: 'Set it.' },
    { name: 'two', variables: ['A_B', 'C_D'], advice: 'Set it.', reason: 'it is small' },
    { name: 'three', variables: [] },
  ]
  const advice = adviceText({ noVerdict: { kind: 'needs', needs } })
  expect(advice?.match(/Set it\.|A_B|C_D/g)).toEqual(['Set it.', 'A_B', 'C_D'])
})

it.each([
  ['a a b', true],
  ['a a b c', false],
])(
  'the title has the reason of most of the inconclusive requirements, here %s: %s',
  (kinds, has) => {
    const results = kinds.split(' ').map((kind, index) => {
      const [requirement, text] = [`a/b/${index}`, `the reason ${kind}`]
      const noVerdict = { kind: 'unclear', text } as const
      return resultFixture({ requirement, verdict: 'inconclusive', noVerdict, reason: text })
    })
    expect(reportModel({ ...of, results }).title.includes('the reason a')).toBe(has)
  },
)

it('missing cases with the reason of an inconclusive result are named with it, and not as skipped', () => {
  const noVerdict = { kind: 'unclear', text: 'a' } as const
  const missing = [{ cases: [0, 1], noVerdict, reason: 'a' }]
  const results = [
    resultFixture({ requirement: 'a/b/x', verdict: 'inconclusive', noVerdict, reason: 'a' }),
    resultFixture({ requirement: 'a/b/y', cases: { ...casesFixture(), missing } }),
  ]
  const { inconclusive, skipped } = reportModel({ ...of, results })
  expect(inconclusive.map(({ lost }) => lost.map((one) => one.cases))).toEqual([[[0, 1]]])
  expect(skipped).toEqual([])
})
