import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../results/result.ts'
import { historyLine } from '../runs/history/history.ts'
import { latestOf } from '../runs/history/review.ts'
import {
  changesSince,
  type EarlierRun,
  earlierRun,
  isSameTarget,
  lastRunBefore,
  newFailuresText,
} from './changes.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

function report(verdicts: Record<string, Verdict>, parts: Partial<RunReport> = {}): RunReport {
  const results = Object.entries(verdicts).map(([name, verdict]) =>
    resultFixture({ requirement: `a/b/${name}`, verdict }),
  )
  return reportFixture({ results, ...parts })
}

/** `what: names of the rows`, for each kind of news. */
function newsOf(earlier: EarlierRun, now: RunReport): string[] {
  const found = changesSince(earlier, now)
  if (found === undefined) throw new Error('there is nothing to compare with')
  return found.news.map(({ what, results }) => {
    const names = results.map(({ requirement }) => requirement.split('/')[2])
    return `${what}: ${names.join(', ')}`
  })
}

describe('changesSince', () => {
  it.each<[Verdict, Verdict, string[]]>([
    ['pass', 'fail', ['newly failing: x']],
    ['skipped', 'fail', ['failing that had no full verdict in the run before: x']],
    ['fail', 'pass', ['mended: x']],
    ['fail', 'waived', ['newly waived: x']],
    ['waived', 'pass', ['mended: x']],
    ['waived', 'fail', ['no longer waived: x']],
    ['advisory', 'fail', ['no longer advisory: x']],
    ['fail', 'advisory', ['newly advisory: x']],
    ['fail', 'skipped', ['newly without a verdict: x']],
    ['pass', 'inconclusive', ['newly without a verdict: x']],
    ['skipped', 'inconclusive', []],
  ])('tells of %s that became %s: %j', (before, after, expected) => {
    expect(newsOf(report({ x: before }), report({ x: after }))).toEqual(expected)
  })

  it.each<[Verdict, Verdict, string[]]>([
    ['fail', 'pass', ['mended: x']],
    ['pass', 'fail', ['newly failing: x']],
    ['pass', 'inconclusive', []],
  ])('looks through an outage: %s before it and %s after', (lastJudged, verdict, expected) => {
    for (const unjudged of ['inconclusive', 'skipped'] as const) {
      const results = [{ requirement: 'a/b/x', verdict: unjudged, lastJudged }]
      const earlier = { ...reportFixture(), results }
      expect(newsOf(earlier, report({ x: verdict }))).toEqual(expected)
    }
  })

  describe('of a changed deviation', () => {
    const run = (verdict: Verdict, actual: string, id = 'q7k2') => {
      const result = resultFixture({ requirement: 'a/b/x', verdict, expected: 'e', actual })
      return reportFixture({ results: [result], run: { ...reportFixture().run, id } })
    }

    it.each<[Verdict, Verdict]>([
      ['fail', 'fail'],
      ['waived', 'waived'],
      ['waived', 'fail'],
      ['fail', 'waived'],
      ['advisory', 'advisory'],
    ])('reports %s that became %s', (before, after) => {
      const found = newsOf(earlierRun(run(before, 'one')), run(after, 'another'))
      expect(found).toEqual(['deviating differently: x'])
    })

    it('compares with the last known deviation, from a report or a history', () => {
      const failed = earlierRun(run('waived', 'one'))
      const out = earlierRun({ ...run('inconclusive', ''), target: failed.target })
      for (const previous of [
        lastRunBefore(failed, [failed, { ...out, run: { startedAt: '2026-02-04T03:00:00.000Z' } }]),
        latestOf([historyLine(run('waived', 'one'), 0), historyLine(run('inconclusive', ''), 3)]),
      ]) {
        if (previous === undefined) throw new Error('there is none')
        expect(newsOf(previous, run('waived', 'another'))).toEqual(['deviating differently: x'])
        expect(newsOf(previous, run('waived', 'one'))).toEqual([])
      }
    })

    it('ignores differences between runs and the order of deviations', () => {
      const named = (id: string) => run('fail', `plumbline-${id}-all`, id)
      expect(newsOf(earlierRun(named('q7k2')), named('x9m4'))).toEqual([])
      const several = (...texts: string[]) => {
        const deviations = texts.map((actual) => ({ expected: 'e', actual }))
        const result = resultFixture({ requirement: 'a/b/x', verdict: 'fail', deviations })
        return reportFixture({ results: [result] })
      }
      expect(newsOf(earlierRun(several('one', 'two')), several('two', 'one'))).toEqual([])
      expect(newsOf(earlierRun(several('one', 'two')), several('one', 'three'))).toEqual([
        'deviating differently: x',
      ])
    })

    it('counts failures only in the text on failures', () => {
      const found = changesSince(earlierRun(run('waived', 'one')), run('fail', 'another'))
      expect(found && newFailuresText(found)).toBe('1 failure deviates differently')
      const waived = changesSince(earlierRun(run('waived', 'one')), run('waived', 'another'))
      expect(waived && newFailuresText(waived)).toBe('no failure is new')
    })
  })

  it('concludes nothing from a partial pass', () => {
    const partial = report({ x: 'pass' })
    const [result] = partial.results
    if (result) result.partial = [{ reason: 'without the admin' }]
    expect(newsOf(report({ x: 'fail' }), partial)).toEqual([])
    const between = lastRunBefore(partial, [report({ x: 'fail' }), partial])
    expect(between && newsOf(between, report({ x: 'fail' }))).toEqual([])
    expect(newsOf(partial, report({ x: 'fail' }))).toEqual([
      'failing that had no full verdict in the run before: x',
    ])
  })

  it('misses a verdict that was lost in an outage, once', () => {
    const lost = (verdict: Verdict) => {
      const results = [{ requirement: 'a/b/x', verdict, lastJudged: 'pass' as const }]
      return newsOf({ ...reportFixture(), results }, report({ x: 'skipped' }))
    }
    expect(lost('inconclusive')).toEqual(['newly without a verdict: x'])
    expect(lost('skipped')).toEqual([])
  })

  it('misses no verdict that nobody asked for', () => {
    const unjudged = { kind: 'not selected' } as const
    const unselected = resultFixture({ requirement: 'a/b/x', verdict: 'skipped', unjudged })
    expect(newsOf(report({ x: 'pass' }), reportFixture({ results: [unselected] }))).toEqual([])
  })
})

describe('isSameTarget', () => {
  const here = { baseUrl: 'https://a.example' }

  it.each<[boolean, string, RunReport['target'], RunReport['target']]>([
    [true, 'one service less', { codeHosting: here, incidentStatus: here }, { codeHosting: here }],
    [false, 'another service', { incidentStatus: here }, { codeHosting: here }],
    [
      true,
      'the embedded deployment at another port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:2', embedded: true } },
    ],
  ])('is %s for %s', (same, _name, one, other) => {
    expect(isSameTarget(one, other)).toBe(same)
  })
})

describe('newFailuresText', () => {
  it.each<[Verdict[], string]>([
    [['fail'], 'no failure is new'],
    [['pass'], '1 failure is new'],
    [['waived', 'waived', 'pass'], '1 failure is new, 2 are no longer waived'],
    // Nobody knows whether these are new, so that nobody is told that none is.
    [['skipped', 'inconclusive'], '2 failures had no full verdict in the run before'],
    [['pass', 'inconclusive'], '1 failure is new, 1 had no full verdict in the run before'],
  ])('after %j is "%s"', (before, reported) => {
    const rows = (verdictOf: (index: number) => Verdict) =>
      report(Object.fromEntries(before.map((_, index) => [`row-${index}`, verdictOf(index)])))
    const found = changesSince(
      rows((index) => before[index] ?? 'pass'),
      rows(() => 'fail'),
    )
    expect(found && newFailuresText(found)).toBe(reported)
  })
})

const here = { codeHosting: { baseUrl: 'https://git.example.com' } }

const now = { target: here }

function run(startedAt: string, target = here): EarlierRun {
  return { run: { startedAt }, target, results: [] }
}

describe('lastRunBefore', () => {
  it('is the latest, whichever tells of it', () => {
    const [early, late] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-03T03:00:00.000Z')]
    expect(lastRunBefore(now, [early, late])?.run).toBe(late.run)
    expect(lastRunBefore(now, [late, early])?.run).toBe(late.run)
    expect(lastRunBefore(now, [undefined, early])).toBe(early)
  })

  it('is of the same target, however old', () => {
    const other = run('2026-02-03T03:00:00.000Z', { codeHosting: { baseUrl: 'https://b.example' } })
    const same = run('2026-01-01T03:00:00.000Z')
    expect(lastRunBefore(now, [same, other])).toBe(same)
    expect(lastRunBefore(now, [undefined, other])).toBeUndefined()
  })

  it('has from an older one what it could not judge, or did not select', () => {
    const older = {
      ...run('2026-02-02T03:00:00.000Z'),
      results: [
        { requirement: 'a', verdict: 'fail' },
        { requirement: 'b', verdict: 'inconclusive', lastJudged: 'waived' },
        { requirement: 'c', verdict: 'pass' },
        { requirement: 'd', verdict: 'fail' },
      ],
    } as const
    const newer = {
      ...run('2026-02-03T03:00:00.000Z'),
      results: [
        { requirement: 'a', verdict: 'inconclusive' },
        { requirement: 'b', verdict: 'skipped', reason: 'something is missing' },
        { requirement: 'c', verdict: 'skipped', unjudged: { kind: 'not selected' } },
        { requirement: 'd', verdict: 'pass' },
        { requirement: 'e', verdict: 'inconclusive' },
      ],
    } as const
    expect(lastRunBefore(now, [newer, older])?.results).toEqual([
      { requirement: 'a', verdict: 'inconclusive', lastJudged: 'fail' },
      { ...newer.results[1], lastJudged: 'waived' },
      { requirement: 'c', verdict: 'pass' },
      { requirement: 'd', verdict: 'pass' },
      { requirement: 'e', verdict: 'inconclusive' },
    ])
  })
})
