import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { compareVerdicts, type VerdictComparison } from './compare-verdicts.ts'
import { quietReport, resultOf } from './stored-report.fixture.ts'

const id = 'code-hosting/errors/body'
const other = 'code-hosting/errors/archived'

function report(...results: RequirementResult[]): RunReport {
  return quietReport({ results: [resultOf(other, 'pass'), ...results] })
}

const unselected = resultOf(id, 'skipped', { reason: notSelected })

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
    ['inconclusive', 'fail', 'newlyFailing'],
    ['waived', 'fail', 'newlyFailing'],
    ['advisory', 'fail', 'newlyFailing'],
    ['fail', 'fail', 'stillFailing'],
    ['fail', 'pass', 'mended'],
    ['waived', 'pass', 'mended'],
    ['advisory', 'pass', 'mended'],
    ['fail', 'waived', 'newlyTolerated'],
    ['pass', 'waived', 'newlyTolerated'],
    ['pass', 'advisory', 'newlyTolerated'],
    ['pass', 'skipped', 'newlyUnjudged'],
    ['pass', 'inconclusive', 'newlyUnjudged'],
    ['fail', 'skipped', 'newlyUnjudged'],
    ['fail', 'inconclusive', 'newlyUnjudged'],
    ['waived', 'inconclusive', 'newlyUnjudged'],
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
    ['skipped', 'inconclusive'],
    ['inconclusive', 'skipped'],
  ] as const)('from %s to %s is none', (before, after) => {
    const comparison = compareVerdicts(report(resultOf(id, before)), report(resultOf(id, after)))
    expect(listsOf(comparison)).toEqual([])
  })
})

describe('a requirement that a report does not have', () => {
  it.each([
    ['that passes is a new one', report(), report(resultOf(id, 'pass')), ['newRows']],
    ['that is skipped too', report(), report(resultOf(id, 'skipped')), ['newRows']],
    ['that fails is newly failing', report(), report(resultOf(id, 'fail')), ['newlyFailing']],
    ['is gone, whatever it was', report(resultOf(id, 'fail')), report(), ['goneRows']],
    [
      'because nobody asked for it, is not newly without a verdict',
      report(resultOf(id, 'pass')),
      report(unselected),
      ['notComparable'],
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
    const { notComparable, newRows, goneRows } = compareVerdicts(report(), probed)
    expect([...newRows, ...goneRows]).toEqual([])
    expect(notComparable).toMatchObject([
      { requirement: 'event-publishing/publish/accepted', before: 'not probed', after: 'pass' },
      { requirement: other, before: 'pass', after: 'not probed' },
    ])
  })
})

describe('what is told', () => {
  it('is what the later report has, and the verdict before', () => {
    const failed = resultOf(id, 'fail', {
      expected: 'status 404',
      actual: 'status 403',
      reason: 'it differs',
    })
    const { newlyFailing } = compareVerdicts(report(unselected), report(failed))
    expect(newlyFailing).toEqual([
      {
        requirement: id,
        statement: failed.statement,
        section: failed.section,
        before: 'not selected',
        after: 'fail',
        expected: 'status 404',
        actual: 'status 403',
        reason: 'it differs',
      },
    ])
  })

  it('is how something fails in another way', () => {
    const failing = (actual: string) => report(resultOf(id, 'fail', { actual }))
    const again = compareVerdicts(failing('status 403'), failing('status 403'))
    expect(again.stillFailing[0]?.actualBefore).toBeUndefined()
    const otherwise = compareVerdicts(failing('status 403'), failing('status 500'))
    expect(otherwise.stillFailing).toMatchObject([
      { actual: 'status 500', actualBefore: 'status 403' },
    ])
  })

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
