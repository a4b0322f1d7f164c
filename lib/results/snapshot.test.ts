import { describe, expect, it } from 'vitest'
import {
  casesFixture,
  reportFixture,
  resultFixture,
  runFixture,
} from '../reports/report.fixture.ts'
import type { ChangeKind, ComparedCases, ReportedState } from './changes.ts'
import type { RunReport } from './run-report.ts'
import {
  caseKey,
  changesBetween,
  isSameTarget,
  lastRunBefore,
  lostSince,
  type RunSnapshot,
  type SnapshotResult,
  snapshotOf,
} from './snapshot.ts'

type Target = RunReport['target']

const address = { baseUrl: 'https://a.example' }
const here: Target = { codeHosting: address }
const embeddedAt = (port: number): Target => {
  return { codeHosting: { baseUrl: `http://127.0.0.1:${port}`, embedded: true } }
}

it.each<[boolean, string, Target, Target]>([
  [true, 'one service less', { ...here, incidentStatus: address }, here],
  [false, 'one node of it', here, { codeHosting: { ...address, connectedTo: '10.0.0.7:443' } }],
  [false, 'another service', { incidentStatus: address }, here],
  [true, 'the reference server on another port', embeddedAt(1), embeddedAt(2)],
])('isSameTarget returns %s for %s', (same, _name, one, other) => {
  expect(isSameTarget(one, other)).toBe(same)
})

const runOn = (day: string, results: SnapshotResult[] = [], target = here): RunSnapshot => {
  return { startedAt: `2026-${day}T03:00:00.000Z`, target, results }
}

it('lastRunBefore returns the latest run of the same target, in any order, however old', () => {
  const elsewhere = { codeHosting: { baseUrl: 'https://b.example' } }
  const [early, late, other] = [runOn('01-02'), runOn('02-03'), runOn('03-03', [], elsewhere)]
  const lastOf = (...candidates: (RunSnapshot | undefined)[]) =>
    lastRunBefore({ target: here }, candidates)
  expect(lastOf(early, late)?.startedAt).toBe(late.startedAt)
  expect(lastOf(late, early)?.startedAt).toBe(late.startedAt)
  expect(lastOf(undefined, early, other)).toBe(early)
  expect(lastOf(undefined, other)).toBeUndefined()
})

/** Returns cases with these deviations by key, and further judged cases. */
const casesOf = (deviations: Record<string, string>, ...conforming: string[]): ComparedCases => {
  const deviating = new Map(Object.entries(deviations))
  return { deviating, judged: new Set([...deviating.keys(), ...conforming]) }
}

it('lastRunBefore returns older results for inconclusive and unselected requirements', () => {
  const cases = casesOf({ a: '1' })
  const older = runOn('02-02', [
    { requirement: 'a', state: 'fail', cases },
    { requirement: 'b', state: 'inconclusive', lastKnown: 'waived' },
    { requirement: 'c', state: 'pass' },
    { requirement: 'd', state: 'fail' },
  ])
  const newer = runOn('02-03', [
    { requirement: 'a', state: 'inconclusive', cases: casesOf({}, 'a') },
    { requirement: 'b', state: 'skipped' },
    { requirement: 'c', state: 'not selected' },
    { requirement: 'd', state: 'pass' },
    { requirement: 'e', state: 'inconclusive' },
  ])
  expect(lastRunBefore({ target: here }, [newer, older])?.results).toEqual([
    { requirement: 'a', state: 'inconclusive', lastKnown: 'fail', cases },
    { requirement: 'b', state: 'skipped', lastKnown: 'waived' },
    { requirement: 'c', state: 'pass' },
    { requirement: 'd', state: 'pass' },
    { requirement: 'e', state: 'inconclusive' },
  ])
})

describe('a case that deviated', () => {
  const nights = (...results: Omit<SnapshotResult, 'requirement'>[]) =>
    results.map((one, index) => runOn(`02-0${index + 1}`, [{ requirement: 'a', ...one }]))
  const kindAfter = (last: Omit<SnapshotResult, 'requirement'>, earlier: RunSnapshot[]) => {
    const before = lastRunBefore({ target: here }, earlier)
    const [changed] = before
      ? changesBetween(before, runOn('02-20', [{ requirement: 'a', ...last }]))
      : []
    return changed?.kind
  }
  const failed = { state: 'fail', cases: casesOf({ a: '1', b: '1' }, 'c') } as const
  const partly = { state: 'pass', cases: casesOf({}, 'a', 'c') } as const
  const whole = { state: 'pass', cases: casesOf({}, 'a', 'b', 'c') } as const

  it.each<[ChangeKind, Omit<SnapshotResult, 'requirement'>]>([
    ['fixed', whole],
    // Its loss is known.
    ['unchanged', partly],
    ['stillFailing', { state: 'fail', cases: casesOf({ b: '1' }, 'a', 'c') }],
    ['regressions', { state: 'fail', cases: casesOf({ a: '1', b: '1' }, 'c') }],
    ['lostVerdicts', { state: 'inconclusive' }],
  ])('keeps its deviation until it is judged again: %s', (kind, last) => {
    expect(kindAfter(partly, nights(failed))).toBe('lostVerdicts')
    expect(kindAfter(last, nights(failed, partly))).toBe(kind)
    expect(kindAfter(last, nights(failed, partly, partly))).toBe(kind)
  })

  it('keeps its deviation while other cases deviate', () => {
    const other = { state: 'fail', cases: casesOf({ a: '1' }, 'c') } as const
    expect(kindAfter(partly, nights(failed, other))).toBe('lostVerdicts')
    expect(kindAfter(failed, nights(failed, other))).toBe('stillFailing')
    expect(kindAfter(whole, nights(failed, other))).toBe('fixed')
  })

  it('is lost with its requirement only if that has no verdict', () => {
    const [before] = nights(failed)
    const lostAfter = (state: ReportedState) =>
      before && lostSince(before, runOn('02-02', [{ ...partly, requirement: 'a', state }]))
    expect([lostAfter('pass'), lostAfter('skipped')]).toEqual([[], ['a']])
  })
})

it('snapshotOf returns all deviations of each case, whatever their order and the run', () => {
  const snapshot = (id: string, ...deviations: [actual: string, cases: number[]][]) => {
    const found = deviations.map(([actual, cases]) => ({ expected: 'e', actual, cases }))
    const cases = { ...casesFixture({ conforming: [2], deviating: [0, 1, 4] }, { 3: '' }) }
    const other = resultFixture({ cases: casesFixture({ conforming: [3] }) })
    const results = [resultFixture({ verdict: 'fail', deviations: found, cases }), other]
    const run = runFixture({ id })
    return snapshotOf(reportFixture({ run, results, cases: ['a', 'b', 'c', 'd', 'e'] })).results[0]
      ?.cases
  }
  const one = snapshot('q7k2', ['plumbline-q7k2-x', [0, 1]], ['y', [1]])
  const other = snapshot('x9m4', ['y', [1]], ['plumbline-x9m4-x', [1, 0]])
  expect(one).toEqual(other)
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(caseKey)
  expect([...(one?.deviating.keys() ?? [])]).toEqual([a, b, e])
  expect(new Set(one?.deviating.values()).size).toBe(3)
  expect(one?.deviating.get(e ?? '')).toBe('')
  expect(one?.judged).toEqual(new Set([a, b, c, d, e]))
  expect(one?.missing).toEqual(new Set([d]))
})

it('snapshotOf returns the same for a problem whose first case changed', () => {
  const deviatingOf = (actual: string, problem?: string) => {
    const found = { subject: 'GET /user 200', expected: 'e', actual, cases: [0] }
    const deviations = [{ ...found, ...(problem !== undefined && { problem }) }]
    const cases = casesFixture({ deviating: [0] })
    const results = [resultFixture({ verdict: 'fail', deviations, cases })]
    return snapshotOf(reportFixture({ results })).results[0]?.cases?.deviating
  }
  expect(deviatingOf('X-Total: 3', 'X-Total')).toEqual(deviatingOf('X-Total: 7', 'X-Total'))
  expect(deviatingOf('X-Total: 3', 'X-Total')).not.toEqual(deviatingOf('X-Total: 3'))
})

it('lostSince returns requirements that any earlier run judged, even if the service was not probed', () => {
  const [judged, skipped] = ['code-hosting/a/judged', 'code-hosting/a/skipped']
  const [never, other] = ['code-hosting/a/never', 'event-publishing/a/b']
  const before: SnapshotResult[] = [
    { requirement: judged, state: 'pass' },
    { requirement: skipped, state: 'skipped', lastKnown: 'fail' },
    { requirement: never, state: 'skipped' },
    { requirement: other, state: 'pass' },
  ]
  const after: SnapshotResult[] = [
    { requirement: judged, state: 'fail' },
    { requirement: skipped, state: 'skipped' },
    { requirement: never, state: 'skipped' },
  ]
  const both = { ...here, eventPublishing: address }
  expect(lostSince(runOn('02-02', before, both), runOn('02-03', after))).toEqual([skipped, other])
})
