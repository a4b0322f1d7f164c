import { describe, expect, it } from 'vitest'
import type { Verdict } from '../conformance/result.ts'
import { changesSince } from './changes.ts'
import { newFailuresText, newsOf } from './changes-words.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

/** Rows that fail now, by what the run before said of them. */
function changesAfter(before: readonly Verdict[], now: Verdict = 'fail') {
  const rows = (verdictOf: (index: number) => Verdict) =>
    reportFixture({
      results: before.map((_, index) =>
        resultFixture({ requirement: `a/b/${index}`, verdict: verdictOf(index) }),
      ),
    })
  const found = changesSince(
    rows((index) => before[index] ?? 'pass'),
    rows(() => now),
  )
  if (found === undefined) throw new Error('there is nothing to compare with')
  return found
}

describe('newFailuresText', () => {
  it.each<[Verdict[], string]>([
    [['fail'], 'no failure is new'],
    [['pass'], '1 failure is new'],
    [['pass', 'pass', 'fail'], '2 failures are new'],
    [['waived'], '1 failure is no longer waived'],
    [['waived', 'waived', 'pass'], '1 failure is new, 2 are no longer waived'],
    [['advisory', 'fail'], '1 failure is no longer advisory'],
    // Nobody knows whether these are new, so that nobody is told that none is.
    [['inconclusive'], '1 failure had no verdict in the run before'],
    [['skipped', 'inconclusive'], '2 failures had no verdict in the run before'],
    [['pass', 'inconclusive'], '1 failure is new, 1 had no verdict in the run before'],
  ])('after %j is "%s"', (before, told) => {
    expect(newFailuresText(changesAfter(before))).toBe(told)
  })
})

describe('newsOf', () => {
  it('names every kind that there is, and no other', () => {
    const before = ['fail', 'pass', 'inconclusive', 'waived', 'advisory'] as const
    const kinds = (now: Verdict) =>
      newsOf(changesAfter(before, now)).map(({ what, results }) => `${results.length} ${what}`)
    expect(kinds('fail')).toEqual([
      '1 newly failing',
      '1 failing that had no verdict in the run before',
      '1 no longer waived',
      '1 no longer advisory',
    ])
    expect(kinds('inconclusive')).toEqual(['4 newly without a verdict'])
    expect(kinds('waived')).toEqual(['1 newly waived'])
    expect(kinds('advisory')).toEqual(['2 newly advisory'])
    expect(kinds('pass')).toEqual(['2 mended'])
  })
})
