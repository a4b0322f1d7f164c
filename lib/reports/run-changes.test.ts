import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { lastRunBefore, type RunSnapshot, snapshotOf } from '../results/snapshot.ts'
import { historyLine } from '../runs/history/history.ts'
import { latestOf } from '../runs/history/trends.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { changesSince, newFailuresText } from './run-changes.ts'

const id = 'a/b/x'

function report(verdict: Verdict, parts: Partial<RunReport['results'][number]> = {}): RunReport {
  return reportFixture({ results: [resultFixture({ requirement: id, verdict, ...parts })] })
}

/** Returns the kinds of changes of the requirement. */
function newsOf(earlier: RunSnapshot | RunReport, now: RunReport): string[] {
  const found = changesSince(
    'results' in earlier && 'tool' in earlier ? snapshotOf(earlier) : earlier,
    now,
  )
  if (found === undefined) throw new Error('there is nothing to compare with')
  return found.news.map(({ kind, results }) => {
    expect(results).toEqual(now.results)
    return kind
  })
}

describe('changesSince', () => {
  it.each<[Verdict, Verdict, string[]]>([
    ['pass', 'fail', ['regressions']],
    // With PROBE_WORDING=advisory, after a change of a message.
    ['pass', 'advisory', ['newDeviations']],
    ['advisory', 'pass', ['fixed']],
    ['skipped', 'fail', ['failingWithoutVerdictBefore']],
    ['skipped', 'pass', ['newVerdicts']],
    ['waived', 'fail', ['noLongerWaived']],
    ['advisory', 'fail', ['noLongerAdvisory']],
    ['fail', 'advisory', ['newlyAccepted']],
    ['fail', 'skipped', ['lostVerdicts']],
    ['fail', 'fail', []],
    ['skipped', 'inconclusive', []],
  ])('reports %s that became %s: %j', (before, after, expected) => {
    expect(newsOf(report(before), report(after))).toEqual(expected)
  })

  it.each<[Verdict, string[]]>([
    ['pass', ['fixed']],
    ['fail', []],
    ['inconclusive', []],
  ])('compares with the failure before an outage: %s', (verdict, expected) => {
    for (const state of ['inconclusive', 'skipped'] as const) {
      const results = [{ requirement: id, state, lastKnown: 'fail' as const }]
      expect(newsOf({ ...snapshotOf(report('pass')), results }, report(verdict))).toEqual(expected)
    }
  })

  describe('of a changed deviation', () => {
    const run = (verdict: Verdict, actual: string, runId = 'q7k2') => ({
      ...report(verdict, { expected: 'e', actual }),
      run: { ...reportFixture().run, id: runId },
    })

    it('compares with the last known deviation, from a report or a history', () => {
      const failed = snapshotOf(run('waived', 'one'))
      const out = snapshotOf(run('inconclusive', ''))
      for (const previous of [
        lastRunBefore(failed, [failed, { ...out, startedAt: '2026-02-04T03:00:00.000Z' }]),
        latestOf([historyLine(run('waived', 'one'), 0), historyLine(run('inconclusive', ''), 3)]),
      ]) {
        if (previous === undefined) throw new Error('there is none')
        expect(newsOf(previous, run('waived', 'another'))).toEqual(['changedDeviations'])
        expect(newsOf(previous, run('waived', 'one'))).toEqual([])
      }
    })

    it('ignores differences between runs and the order of deviations', () => {
      const named = (runId: string) => run('fail', `plumbline-${runId}-all`, runId)
      expect(newsOf(named('q7k2'), named('x9m4'))).toEqual([])
      const several = (...texts: string[]) =>
        report('fail', { deviations: texts.map((actual) => ({ expected: 'e', actual })) })
      expect(newsOf(several('one', 'two'), several('two', 'one'))).toEqual([])
      expect(newsOf(several('one', 'two'), several('one', 'three'))).toEqual(['changedDeviations'])
    })
  })

  it('reports no change after a partial pass', () => {
    const partial = report('pass', { partial: [{ reason: 'without the admin' }] })
    expect(newsOf(report('fail'), partial)).toEqual(['partialPasses'])
    const between = lastRunBefore(partial, [report('fail'), partial].map(snapshotOf))
    expect(between && newsOf(between, report('fail'))).toEqual([])
    expect(between && newsOf(between, partial)).toEqual([])
    expect(newsOf(partial, report('fail'))).toEqual(['failingWithoutVerdictBefore'])
  })

  it('reports a verdict that was lost in an outage once', () => {
    const lost = (state: Verdict) => {
      const results = [{ requirement: id, state, lastKnown: 'pass' as const }]
      return newsOf({ ...snapshotOf(report('pass')), results }, report('skipped'))
    }
    expect(lost('inconclusive')).toEqual(['lostVerdicts'])
    expect(lost('skipped')).toEqual([])
  })

  it('ignores verdicts of requirements that were not selected', () => {
    const noVerdict = { kind: 'not selected' } as const
    expect(newsOf(report('pass'), report('skipped', { noVerdict }))).toEqual([])
  })
})

describe('newFailuresText', () => {
  const textAfter = (before: readonly Verdict[], now: readonly Verdict[], actual = 'a') => {
    const rows = (verdicts: readonly Verdict[], actual: string) =>
      reportFixture({
        results: verdicts.map((verdict, index) =>
          resultFixture({ requirement: `a/b/${index}`, verdict, actual }),
        ),
      })
    const found = changesSince(snapshotOf(rows(before, 'a')), rows(now, actual))
    return found && newFailuresText(found)
  }

  it('returns the ages of failures, and of failures only', async () => {
    const runs: [before: Verdict[], now?: Verdict, actual?: string][] = [
      [['fail']],
      [['pass']],
      [['waived', 'waived', 'pass']],
      // These may be new, so the text must not state that none is.
      [['skipped', 'inconclusive']],
      [['pass', 'inconclusive']],
      [['waived'], 'fail', 'b'],
      [['waived'], 'waived', 'b'],
    ]
    const texts = runs.map(([before, now = 'fail', actual]) => {
      const text = textAfter(
        before,
        before.map(() => now),
        actual,
      )
      return `${before.join(', ')} to ${now} ${actual ?? ''}: ${text}`
    })
    await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/ages.txt')
  })
})
