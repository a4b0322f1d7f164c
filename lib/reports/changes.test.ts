import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../conformance/result.ts'
import {
  changesSince,
  type EarlierRun,
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
  it.each<[string, Verdict | undefined, Verdict, string[]]>([
    ['a failure that passed before', 'pass', 'fail', ['newly failing: x']],
    [
      'a failure without a verdict before',
      'skipped',
      'fail',
      ['failing that had no verdict in the run before: x'],
    ],
    [
      'a failure after an outage',
      'inconclusive',
      'fail',
      ['failing that had no verdict in the run before: x'],
    ],
    [
      'a failure of a new requirement',
      undefined,
      'fail',
      ['failing that had no verdict in the run before: x'],
    ],
    ['a failure that passes', 'fail', 'pass', ['mended: x']],
    ['a failure that is waived', 'fail', 'waived', ['newly waived: x']],
    ['a waived deviation that passes', 'waived', 'pass', ['mended: x']],
    ['a waived deviation that no longer is', 'waived', 'fail', ['no longer waived: x']],
    ['an advisory deviation that fails now', 'advisory', 'fail', ['no longer advisory: x']],
    ['a failure that only advises now', 'fail', 'advisory', ['newly advisory: x']],
    ['a pass that is waived', 'pass', 'waived', []],
    ['a failure that is skipped', 'fail', 'skipped', ['newly without a verdict: x']],
    ['a pass that is inconclusive', 'pass', 'inconclusive', ['newly without a verdict: x']],
    ['what never had a verdict', 'skipped', 'inconclusive', []],
    ['what is skipped for the first time', undefined, 'skipped', []],
    ['another way of not failing', 'advisory', 'pass', []],
  ])('tells %s', (_name, before, after, expected) => {
    const earlier = report(before === undefined ? {} : { x: before })
    expect(newsOf(earlier, report({ x: after }))).toEqual(expected)
  })

  it.each<[Verdict, Verdict, string[]]>([
    ['fail', 'fail', []],
    ['fail', 'pass', ['mended: x']],
    ['fail', 'waived', ['newly waived: x']],
    ['waived', 'fail', ['no longer waived: x']],
    ['pass', 'fail', ['newly failing: x']],
    ['pass', 'pass', []],
    ['pass', 'inconclusive', []],
  ])('looks through an outage: %s before it and %s after', (lastJudged, verdict, expected) => {
    for (const unjudged of ['inconclusive', 'skipped'] as const) {
      const results = [{ requirement: 'a/b/x', verdict: unjudged, lastJudged }]
      const earlier = { ...reportFixture(), results }
      expect(newsOf(earlier, report({ x: verdict }))).toEqual(expected)
    }
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
    const unselected = resultFixture({
      requirement: 'a/b/x',
      verdict: 'skipped',
      reason: 'not selected',
      unjudged: { kind: 'not selected' },
    })
    expect(newsOf(report({ x: 'pass' }), reportFixture({ results: [unselected] }))).toEqual([])
  })

  it('puts what matters most first, and leaves out what there is none of', () => {
    const before = { one: 'advisory', two: 'waived', three: 'pass', four: 'skipped' } as const
    const after = { one: 'fail', two: 'fail', three: 'fail', four: 'fail' } as const
    expect(newsOf(report(before), report(after))).toEqual([
      'newly failing: three',
      'failing that had no verdict in the run before: four',
      'no longer waived: two',
      'no longer advisory: one',
    ])
  })
})

describe('isSameTarget', () => {
  const here = { baseUrl: 'https://a.example' }

  it.each<[boolean, string, RunReport['target'], RunReport['target']]>([
    [true, 'the same place', { codeHosting: here }, { codeHosting: here }],
    [true, 'one service less', { codeHosting: here, incidentStatus: here }, { codeHosting: here }],
    [false, 'another service', { incidentStatus: here }, { codeHosting: here }],
    [
      false,
      'one service elsewhere',
      { codeHosting: here, incidentStatus: here },
      { codeHosting: here, incidentStatus: { baseUrl: 'https://b.example' } },
    ],
    [
      true,
      'the embedded deployment at another port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:2', embedded: true } },
    ],
    [
      false,
      'the embedded deployment and one at its port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:1' } },
    ],
    [false, 'nothing', {}, {}],
  ])('is %s for %s', (same, _name, one, other) => {
    expect(isSameTarget(one, other)).toBe(same)
  })
})

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
    const rows = (verdictOf: (index: number) => Verdict) =>
      report(Object.fromEntries(before.map((_, index) => [`row-${index}`, verdictOf(index)])))
    const found = changesSince(
      rows((index) => before[index] ?? 'pass'),
      rows(() => 'fail'),
    )
    expect(found && newFailuresText(found)).toBe(told)
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
