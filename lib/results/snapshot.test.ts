import { describe, expect, it } from 'vitest'
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

describe('isSameTarget', () => {
  const address = { baseUrl: 'https://a.example' }

  it.each<[boolean, string, RunReport['target'], RunReport['target']]>([
    [
      true,
      'one service less',
      { codeHosting: address, incidentStatus: address },
      { codeHosting: address },
    ],
    [
      false,
      'one node of it',
      { codeHosting: address },
      { codeHosting: { ...address, connectedTo: '10.0.0.7:443' } },
    ],
    [false, 'another service', { incidentStatus: address }, { codeHosting: address }],
    [
      true,
      'the reference server on another port',
      { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } },
      { codeHosting: { baseUrl: 'http://127.0.0.1:2', embedded: true } },
    ],
  ])('returns %s for %s', (same, _name, one, other) => {
    expect(isSameTarget(one, other)).toBe(same)
  })
})

const defaultTarget = { codeHosting: { baseUrl: 'https://git.example.com' } }
const now = { target: defaultTarget }

function run(
  startedAt: string,
  results: SnapshotResult[] = [],
  target: RunReport['target'] = defaultTarget,
): RunSnapshot {
  return { startedAt, target, results }
}

describe('lastRunBefore', () => {
  it('returns the latest run, in any order of the candidates', () => {
    const [early, late] = [run('2026-02-02T03:00:00.000Z'), run('2026-02-03T03:00:00.000Z')]
    expect(lastRunBefore(now, [early, late])?.startedAt).toBe(late.startedAt)
    expect(lastRunBefore(now, [late, early])?.startedAt).toBe(late.startedAt)
    expect(lastRunBefore(now, [undefined, early])).toBe(early)
  })

  it('returns a run of the same target, however old', () => {
    const elsewhere = { codeHosting: { baseUrl: 'https://b.example' } }
    const other = run('2026-02-03T03:00:00.000Z', [], elsewhere)
    const same = run('2026-01-01T03:00:00.000Z')
    expect(lastRunBefore(now, [same, other])).toBe(same)
    expect(lastRunBefore(now, [undefined, other])).toBeUndefined()
  })

  it('returns older results for inconclusive and unselected requirements', () => {
    const older = run('2026-02-02T03:00:00.000Z', [
      { requirement: 'a', state: 'fail' },
      { requirement: 'b', state: 'inconclusive', lastKnown: 'waived' },
      { requirement: 'c', state: 'pass' },
      { requirement: 'd', state: 'fail' },
      { requirement: 'f', state: 'fail', deviation: 'one' },
    ])
    const newer = run('2026-02-03T03:00:00.000Z', [
      { requirement: 'a', state: 'inconclusive' },
      { requirement: 'b', state: 'skipped' },
      { requirement: 'c', state: 'not selected' },
      { requirement: 'd', state: 'pass' },
      { requirement: 'e', state: 'inconclusive' },
      { requirement: 'f', state: 'partial pass' },
    ])
    expect(lastRunBefore(now, [newer, older])?.results).toEqual([
      { requirement: 'a', state: 'inconclusive', lastKnown: 'fail' },
      { requirement: 'b', state: 'skipped', lastKnown: 'waived' },
      { requirement: 'c', state: 'pass' },
      { requirement: 'd', state: 'pass' },
      { requirement: 'f', state: 'partial pass', lastKnown: 'fail', deviation: 'one' },
      { requirement: 'e', state: 'inconclusive' },
    ])
  })
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
  const [judged, noVerdict] = ['code-hosting/a/judged', 'code-hosting/a/unjudged']
  const other = 'event-publishing/a/b'
  const before = run('2026-02-02T03:00:00.000Z', [
    { requirement: judged, state: 'pass' },
    { requirement: noVerdict, state: 'skipped', lastKnown: 'fail' },
    { requirement: 'code-hosting/a/never', state: 'skipped' },
    { requirement: other, state: 'pass' },
  ])
  const both = { ...defaultTarget, eventPublishing: { baseUrl: 'https://b.example' } }
  const after = run('2026-02-03T03:00:00.000Z', [
    { requirement: judged, state: 'fail' },
    { requirement: noVerdict, state: 'skipped' },
    { requirement: 'code-hosting/a/never', state: 'skipped' },
  ])
  expect(lostSince({ ...before, target: both }, after)).toEqual([noVerdict, other])
})
