import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'
import { compareVerdicts, type VerdictComparison } from './transitions.ts'

const id = 'code-hosting/errors/body'
const other = 'code-hosting/errors/archived'

function report(...results: RequirementResult[]): RunReport {
  return quietReport({ results: [resultOf(other, 'pass'), ...results] })
}

const unselected = unselectedOf(id)

/** The lists that the requirement is in. */
function listsOf(comparison: VerdictComparison): string[] {
  return Object.entries(comparison).flatMap(([name, list]) =>
    Array.isArray(list) && list.some(({ requirement }) => requirement === id) ? [name] : [],
  )
}

describe('a change of the verdict', () => {
  it.each([
    ['pass', 'fail', 'newlyFailing'],
    ['skipped', 'fail', 'newlyFailing'],
    ['waived', 'fail', 'noLongerWaived'],
    ['advisory', 'fail', 'newlyFailing'],
    ['fail', 'fail', 'stillFailing'],
    ['fail', 'pass', 'mended'],
    ['waived', 'pass', 'mended'],
    ['fail', 'waived', 'newlyTolerated'],
    ['pass', 'waived', 'newlyDeviating'],
    ['advisory', 'waived', 'newlyTolerated'],
    ['pass', 'skipped', 'newlyUnjudged'],
    ['pass', 'inconclusive', 'newlyUnjudged'],
    ['fail', 'skipped', 'newlyUnjudged'],
    ['skipped', 'pass', 'newlyJudged'],
    ['inconclusive', 'waived', 'newlyJudged'],
  ] as const)('from %s to %s is in %s alone', (before, after, list) => {
    const comparison = compareVerdicts(report(resultOf(id, before)), report(resultOf(id, after)))
    expect(listsOf(comparison)).toEqual([list])
  })

  it.each([
    ['pass', 'pass'],
    ['waived', 'waived'],
    ['skipped', 'skipped'],
  ] as const)('from %s to %s is none', (before, after) => {
    const comparison = compareVerdicts(report(resultOf(id, before)), report(resultOf(id, after)))
    expect(listsOf(comparison)).toEqual([])
  })
})

describe('a deviation that is not the same', () => {
  const as = (verdict: RequirementResult['verdict'], actual: string) =>
    report(resultOf(id, verdict, { actual }))

  it.each([
    ['waived', 'waived', 'deviatingOtherwise'],
    ['fail', 'waived', 'deviatingOtherwise'],
    ['waived', 'fail', 'deviatingOtherwise'],
    ['advisory', 'advisory', 'deviatingOtherwise'],
    ['fail', 'fail', 'stillFailing'],
  ] as const)('from %s to %s is told with both', (before, after, list) => {
    const comparison = compareVerdicts(as(before, 'error is null'), as(after, 'body is a list'))
    expect(listsOf(comparison)).toEqual([list])
    expect(comparison[list]).toMatchObject([
      { before, after, actual: 'body is a list', actualBefore: 'error is null' },
    ])
  })

  it('is none that differs in dates, ids, the run or the address alone', () => {
    const run = (name: string, host: string, at: string, hash: string): RunReport => ({
      ...as('waived', `plumbline-${name}-1 at https://${host}/x, ${at}, ${hash}, status 403`),
      run: { id: name, startedAt: at, finishedAt: at },
      target: { codeHosting: { baseUrl: `https://${host}/git` } },
    })
    const comparison = compareVerdicts(
      run('q7k2', 'a.example', '2026-02-03T02:59:10.000Z', '0b9c1c5e8f5a4a3c9d553f7f2b3f1a10'),
      run(
        'x9m4',
        'b.example',
        '2026-03-04T03:59:10Z',
        '1b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10'.replaceAll('-', ''),
      ),
    )
    expect(listsOf(comparison)).toEqual([])
  })
})

describe('a pass', () => {
  const part = resultOf(id, 'pass', { reason: 'without the second page' })

  it('with a part left out that was whole is told with the reason', () => {
    const { judgedLess } = compareVerdicts(report(resultOf(id, 'pass')), report(part))
    expect(judgedLess).toMatchObject([{ requirement: id, reason: 'without the second page' }])
  })

  it('is not told where it was no more before, or is more now', () => {
    expect(listsOf(compareVerdicts(report(part), report(part)))).toEqual([])
    expect(listsOf(compareVerdicts(report(part), report(resultOf(id, 'pass'))))).toEqual([])
  })
})

describe('a requirement that a report does not have', () => {
  it.each([
    ['that passes is a new one', report(), report(resultOf(id, 'pass')), ['newRows']],
    ['that is skipped too', report(), report(resultOf(id, 'skipped')), ['newRows']],
    ['that fails is newly failing', report(), report(resultOf(id, 'fail')), ['newlyFailing']],
    [
      'of another version is gone, whatever it was',
      report(resultOf(id, 'fail')),
      { ...report(), tool: { name: 'plumbline', version: '0.2.0' } } as const,
      ['goneRows'],
    ],
    [
      'of the same version was not looked at',
      report(resultOf(id, 'fail')),
      report(),
      ['notLookedAt'],
    ],
    [
      'of the same version, and was not judged, is gone',
      report(resultOf(id, 'skipped')),
      report(),
      ['goneRows'],
    ],
    [
      'because nobody asked for it, is not newly without a verdict',
      report(resultOf(id, 'pass')),
      report(unselected),
      ['notLookedAt'],
    ],
    [
      'because nobody had asked for it, is not newly judged',
      report(unselected),
      report(resultOf(id, 'pass')),
      ['notComparable'],
    ],
    [
      'because nobody had asked for it, is newly failing when it fails',
      report(unselected),
      report(resultOf(id, 'fail')),
      ['newlyFailing'],
    ],
    [
      'because nobody asked for it, is nothing beside one without a verdict',
      report(unselected),
      report(resultOf(id, 'skipped')),
      [],
    ],
  ])('%s', (_name, before, after, lists) => {
    expect(listsOf(compareVerdicts(before, after))).toEqual(lists)
  })

  it('because its service was not probed, is neither new nor gone', () => {
    const probed = quietReport({
      target: { eventPublishing: { baseUrl: 'https://events.example.com' } },
      results: [resultOf('event-publishing/publish/accepted', 'pass')],
    })
    const { notComparable, notLookedAt, newRows, goneRows } = compareVerdicts(report(), probed)
    expect([...newRows, ...goneRows]).toEqual([])
    expect(notComparable).toMatchObject([
      { requirement: 'event-publishing/publish/accepted', before: 'not probed', after: 'pass' },
    ])
    expect(notLookedAt).toMatchObject([{ requirement: other, before: 'pass', after: 'not probed' }])
  })
})

describe('what is told', () => {
  it('is what reads differently under the same id', () => {
    const before = resultOf(id, 'pass', { statement: 'It is so.', section: 'Errors' })
    const after = resultOf(id, 'pass', {
      statement: 'It is not.',
      level: 'wording',
      section: 'Errors',
    })
    expect(compareVerdicts(report(before), report(after)).changedStatements).toEqual([
      { requirement: id, part: 'statement', before: 'It is so.', after: 'It is not.' },
      { requirement: id, part: 'level', before: 'contract', after: 'wording' },
    ])
  })

  it('is how many were judged in both, and in neither', () => {
    const before = report(resultOf(id, 'skipped'))
    const comparison = compareVerdicts(before, report(unselected))
    expect(comparison).toMatchObject({ judgedInBoth: 1, unjudgedInBoth: 1 })
  })
})
