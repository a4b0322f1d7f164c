import { expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport } from './run-report.ts'
import {
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

/** Creates a snapshot of a day in 2026. */
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

it('lastRunBefore returns older results for inconclusive and unselected requirements', () => {
  const older = runOn('02-02', [
    { requirement: 'a', state: 'fail' },
    { requirement: 'b', state: 'inconclusive', lastKnown: 'waived' },
    { requirement: 'c', state: 'pass' },
    { requirement: 'd', state: 'fail' },
    { requirement: 'f', state: 'fail', deviation: 'one' },
  ])
  const newer = runOn('02-03', [
    { requirement: 'a', state: 'inconclusive' },
    { requirement: 'b', state: 'skipped' },
    { requirement: 'c', state: 'not selected' },
    { requirement: 'd', state: 'pass' },
    { requirement: 'e', state: 'inconclusive' },
    { requirement: 'f', state: 'partial pass' },
  ])
  expect(lastRunBefore({ target: here }, [newer, older])?.results).toEqual([
    { requirement: 'a', state: 'inconclusive', lastKnown: 'fail' },
    { requirement: 'b', state: 'skipped', lastKnown: 'waived' },
    { requirement: 'c', state: 'pass' },
    { requirement: 'd', state: 'pass' },
    { requirement: 'f', state: 'partial pass', lastKnown: 'fail', deviation: 'one' },
    { requirement: 'e', state: 'inconclusive' },
  ])
})

it('snapshotOf returns the states partial pass and not selected', () => {
  const results = [
    resultFixture({ partial: [{ reason: 'without the admin' }] }),
    resultFixture({ verdict: 'skipped', noVerdict: { kind: 'not selected' } }),
  ]
  const states = snapshotOf(reportFixture({ results })).results.map(({ state }) => state)
  expect(states).toEqual(['partial pass', 'not selected'])
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
