import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../results/outcome.ts'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import { lastRunBefore, type RunSnapshot, snapshotOf } from '../results/snapshot.ts'
import { historyLine, latestOf } from '../runs/history/history.ts'
import { reportHtml } from './html/report-html.ts'
import { reportModel } from './model.ts'
import { casesFixture, reportFixture, resultFixture, runFixture } from './report.fixture.ts'
import { changesSince, isNewFailure, newFailuresText } from './run-changes.ts'

const id = 'a/b/x'

function report(verdict: Verdict, parts: Partial<RequirementResult> = {}, run = 'q7k2'): RunReport {
  const results = [resultFixture({ requirement: id, verdict, ...parts })]
  return reportFixture({ results, run: runFixture({ id: run }) })
}

/** Returns the kinds of changes of the requirement. */
function newsOf(earlier: RunSnapshot | RunReport | undefined, now: RunReport): string[] {
  const previous = earlier && ('tool' in earlier ? snapshotOf(earlier) : earlier)
  const found = changesSince(previous, now)
  if (found === undefined) throw new Error('there is nothing to compare with')
  return found.news.map(({ kind, results }) => {
    expect(results).toEqual(now.results)
    return kind
  })
}

describe('changesSince', () => {
  /** The case that deviates in a failure is missing. */
  const lost = report('pass', { cases: casesFixture({}, { 1: 'no admin' }) })
  const lessJudged = report('pass', { reason: 'no admin' })
  const notSelected = report('skipped', { noVerdict: { kind: 'not selected' } })
  const deviating = (actual: string, run?: string) => report('fail', { expected: 'e', actual }, run)
  const several = (...texts: string[]) =>
    report('fail', { deviations: texts.map((actual) => ({ expected: 'e', actual })) })

  type Row = [string, RunSnapshot | RunReport | undefined, RunReport, string[]]
  it.each<Row>([
    ['a regression', report('pass'), report('fail'), ['regressions']],
    ['a failure that stays', report('fail'), report('fail'), []],
    ['a verdict that is lost', report('pass'), report('skipped'), ['lostVerdicts']],
    ['a verdict lost before', report('skipped'), report('skipped'), []],
    ['a pass without the case that deviated', report('fail'), lost, ['lostVerdicts']],
    ['a second such pass', lost, lost, []],
    ['a failure after one', lost, report('fail'), ['failingWithoutVerdictBefore']],
    ['a pass without a case that conformed', report('fail'), lessJudged, ['fixed']],
    ['a smaller selection', report('pass'), notSelected, []],
    [
      'names of another run',
      deviating('plumbline-a1-b', 'a1'),
      deviating('plumbline-c2-b', 'c2'),
      [],
    ],
    ['another order', several('one', 'two'), several('two', 'one'), []],
    ['another deviation', several('one', 'two'), several('one', 'x'), ['changedDeviations']],
  ])('reports of %s', (_name, before, after, kinds) => {
    expect(newsOf(before, after)).toEqual(kinds)
  })

  it('compares with the last known result, from a report or a history', () => {
    const [failed, out] = [report('fail'), report('inconclusive')]
    out.run.startedAt = '2026-02-04T03:00:00.000Z'
    for (const previous of [
      lastRunBefore(failed, [failed, out].map(snapshotOf)),
      latestOf([failed, out].map((one) => historyLine(one, outcomeOf(one, true)))),
    ]) {
      expect(newsOf(previous, report('fail'))).toEqual([])
      expect(newsOf(previous, report('pass'))).toEqual(['fixed'])
    }
  })
})

it.each<[before: Verdict, actual: string, kind: string, news: number]>([
  ['pass', 'a', 'regressions', 1],
  ['waived', 'a', 'noLongerTolerated', 0],
  ['waived', 'b', 'changedDeviations', 1],
  ['advisory', 'a', 'noLongerTolerated', 0],
])('the page tags a failure that was %s and is %s as %s', (verdict, actual, kind, news) => {
  const row = (parts: Partial<RequirementResult>) =>
    reportFixture({ results: [resultFixture({ requirement: 'a/b/c', actual: 'a', ...parts })] })
  const report = row({ verdict: 'fail', actual })
  const model = reportModel(report, { previous: snapshotOf(row({ verdict })) })
  expect([...model.failureChanges.values()]).toEqual([kind])
  expect([...model.failureChanges.values()].filter(isNewFailure)).toHaveLength(news)
  const [tag = ''] = / <small>([a-z ]+)<\/small><\/h3>/.exec(reportHtml(model))?.slice(1) ?? []
  expect(tag === 'new').toBe(kind === 'regressions')
  expect(reportHtml(model).includes(' data-new')).toBe(news === 1)
})

it.each<[before: Verdict[], now: Verdict, actual: string, numbers: string[] | undefined]>([
  [['fail'], 'fail', 'a', ['no']],
  [['pass', 'waived', 'inconclusive'], 'fail', 'a', ['1']],
  [['waived'], 'fail', 'a', ['no']],
  // These may be new.
  [['skipped', 'inconclusive'], 'fail', 'a', undefined],
  [['waived'], 'fail', 'b', undefined],
  [['waived'], 'waived', 'b', ['no']],
])('newFailuresText of %j that are %s with %s counts %j', (before, now, actual, numbers) => {
  const rows = (verdicts: readonly Verdict[], actual: string) =>
    reportFixture({
      results: verdicts.map((verdict, index) =>
        resultFixture({ requirement: `a/b/${index}`, verdict, actual }),
      ),
    })
  const after = rows(Array<Verdict>(before.length).fill(now), actual)
  const found = changesSince(snapshotOf(rows(before, 'a')), after)
  expect((found && newFailuresText(found))?.match(/^(?:no|\d+)/)?.slice()).toEqual(numbers)
})
