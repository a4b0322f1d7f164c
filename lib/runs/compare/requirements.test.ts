import { describe, expect, it } from 'vitest'
import { runFixture } from '../../reports/report.fixture.ts'
import type { RequirementResult, RunReport, Verdict } from '../../results/run-report.ts'
import { compareRequirements, type List, listNames } from './requirements.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const id = 'code-hosting/errors/body'
const other = 'code-hosting/errors/archived'

type Row = Verdict | 'not selected' | 'absent' | 'not probed' | RequirementResult

/** A report in which the requirement has that verdict, or in which it is missing. */
function report(row: Row, parts: Partial<RunReport> = {}): RunReport {
  if (row === 'not probed') {
    return quietReport({ target: { eventPublishing: { baseUrl: 'https://events.example.com' } } })
  }
  const results = [resultOf(other, 'pass')]
  if (row === 'not selected') results.push(unselectedOf(id))
  else if (row !== 'absent') results.push(typeof row === 'string' ? resultOf(id, row) : row)
  return quietReport({ results, ...parts })
}

/** The lists that the requirement is in. */
function listsOf(before: RunReport, after: RunReport): List[] {
  const comparison = compareRequirements(before, after)
  return listNames.filter((name) => comparison[name].some(({ requirement }) => requirement === id))
}

const newTool = { tool: { name: 'plumbline', version: '0.2.0' } } as const

it.each<[Row, Row, List | undefined]>([
  ['pass', 'fail', 'regressions'],
  ['not selected', 'fail', 'failingWithoutVerdictBefore'],
  [resultOf(id, 'pass', { reason: 'in part' }), 'fail', 'failingWithoutVerdictBefore'],
  ['fail', 'absent', 'notRun'],
  ['pass', 'not probed', 'notRun'],
  ['not probed', 'pass', 'notComparable'],
  ['skipped', 'not selected', undefined],
])('a change from %o to %o is only in %s', (before, after, list) => {
  expect(listsOf(report(before), report(after))).toEqual(list === undefined ? [] : [list])
})

it('a requirement that another version does not know is gone, whatever it was', () => {
  expect(listsOf(report('fail'), report('absent', newTool))).toEqual(['removedRequirements'])
})

describe('a deviation that is not the same', () => {
  const as = (verdict: Verdict, actual: string) => report(resultOf(id, verdict, { actual }))

  it('comes with both', () => {
    const reports = [as('waived', 'error is null'), as('fail', 'body is a list')] as const
    expect(listsOf(...reports)).toEqual(['changedDeviations'])
    expect(compareRequirements(...reports).changedDeviations).toMatchObject([
      { before: 'waived', after: 'fail', actual: 'body is a list', actualBefore: 'error is null' },
    ])
  })

  it('is reported with the deviations of only one run', () => {
    const having = (verdict: Verdict, ...texts: string[]) => {
      const deviations = texts.map((actual) => ({ subject: 'GET /x 403', expected: 'e', actual }))
      return report(resultOf(id, verdict, { expected: 'e', actual: texts[0] ?? '', deviations }))
    }
    const reports = [having('waived', 'a', 'b', 'c'), having('fail', 'a', 'd', 'c')] as const
    expect(listsOf(...reports)).toEqual(['changedDeviations'])
    expect(compareRequirements(...reports).changedDeviations).toMatchObject([
      { actual: 'GET /x 403: d', actualBefore: 'GET /x 403: b' },
    ])
    expect(listsOf(having('fail', 'a', 'b'), having('fail', 'b', 'a'))).toEqual(['stillFailing'])
  })

  it('ignores differences of dates, ids, the run and the address', () => {
    const run = (name: string, host: string, at: string, hash: string): RunReport => ({
      ...as('waived', `plumbline-${name}-1 at https://${host}/x, ${at}, ${hash}, status 403`),
      run: runFixture({ id: name, startedAt: at, finishedAt: at }),
      target: { codeHosting: { baseUrl: `https://${host}/git` } },
    })
    const before = [
      'q7k2',
      'a.example',
      '2026-02-03T02:59:10.000Z',
      '0b9c1c5e8f5a4a3c9d55',
    ] as const
    const after = ['x9m4', 'b.example', '2026-03-04T03:59:10Z', '1b9c1c5e8f5a4a3c9d55'] as const
    expect(listsOf(run(...before), run(...after))).toEqual([])
  })
})

it('a pass with a part left out that was whole comes with the reason', () => {
  const part = report(resultOf(id, 'pass', { reason: 'without the second page' }))
  const { partialPasses } = compareRequirements(report('pass'), part)
  expect(partialPasses).toMatchObject([{ requirement: id, reason: 'without the second page' }])
  expect(listsOf(part, part)).toEqual([])
  expect(listsOf(part, report('pass'))).toEqual([])
})

it('what reads differently under the same id is listed, and what was judged is counted', () => {
  const before = resultOf(id, 'pass', { statement: 'It is so.' })
  const after = resultOf(id, 'skipped', { statement: 'It is not.', level: 'wording' })
  const comparison = compareRequirements(report(before), report(after))
  expect(comparison.changedStatements).toEqual([
    { requirement: id, part: 'statement', before: 'It is so.', after: 'It is not.' },
    { requirement: id, part: 'level', before: 'contract', after: 'wording' },
  ])
  expect(comparison).toMatchObject({ judgedInBoth: 1, noVerdictInBoth: 0 })
  expect(compareRequirements(report('skipped'), report('not selected')).noVerdictInBoth).toBe(1)
})
