import { describe, expect, it } from 'vitest'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { withoutOutages } from './outage.ts'
import type { Reason } from './reason.ts'
import { type CheckResult, noEvidence } from './run-evidence.ts'
import type { Deviation } from './run-report.ts'

/** Returns an exchange, in seconds since the start; without a status, it has no response. */
function exchange(id: string, start: number, end: number, status?: number, service = 'a') {
  const response = status === undefined ? null : { status, headers: [], body: null, bodyBytes: 0 }
  const startedAt = new Date(Date.UTC(2026, 1, 3) + 1000 * start).toISOString()
  return exchangeFixture({ id, service, startedAt, durationMs: 1000 * (end - start), response })
}

const stopped: Reason = { kind: 'stopped', failures: 16, exchange: 'e9', lastedMs: 3500 }

function result(parts: Partial<CheckResult>): CheckResult {
  return {
    ...{ requirement: 'a/b/c', by: 'probe', verdict: 'fail', exchanges: [], durationMs: 1 },
    cases: {},
    ...parts,
  }
}

const unanswered = result({ requirement: 'a/b/z', verdict: 'inconclusive', noVerdict: stopped })

/** The server stops at 10.5 s, when a request is sent that fails first. */
const exchanges = [
  exchange('e1', 1, 8.4, 401),
  exchange('e2', 8, 8.6, 401),
  exchange('e3', 9, 11, 401),
  exchange('e4', 8, 9, 401, 'other'),
  exchange('e8', 10.5, 11),
  exchange('e9', 13, 14),
  exchange('e10', 20, 21, 401),
]

const deviation = (id: string, ...cases: string[]): Deviation<string> => {
  return { expected: `expected ${id}`, actual: id, exchange: id, cases }
}

function judged(parts: Partial<CheckResult>, other = unanswered) {
  const judgements = [result(parts), other]
  return withoutOutages({ ...noEvidence(), judgements, exchanges }).judgements[0]
}

describe('withoutOutages', () => {
  it.each([
    ['e1', 'fail'],
    ['e2', 'inconclusive'],
    ['e3', 'inconclusive'],
    ['e4', 'fail'],
    // After the service responds again.
    ['e10', 'fail'],
  ])('returns for a failure that %s shows: %s', (id, verdict) => {
    const kept = { deviations: [deviation(id, 'one')], cases: { one: 'deviates' } as const }
    const lost = { noVerdict: stopped, cases: { one: stopped } }
    expect(judged({ ...kept, exchanges: [id] })).toMatchObject({
      ...{ verdict, exchanges: [id] },
      ...(verdict === 'fail' ? kept : lost),
    })
  })

  it('keeps the other deviations of a failure', () => {
    const cases = { one: 'deviates', two: 'deviates', three: 'deviates' } as const
    const deviations = [deviation('e3', 'one', 'two'), deviation('e1', 'two', 'three')]
    expect(judged({ deviations, cases })).toMatchObject({
      ...{ verdict: 'fail', deviations: deviations.slice(1) },
      cases: { ...cases, one: stopped },
    })
  })

  it('does not count further deviations of a failure that became inconclusive', () => {
    const parts = { deviations: [deviation('e3')], furtherDeviations: 2 }
    expect(judged(parts)).toMatchObject({ verdict: 'inconclusive' })
    expect(judged(parts)).not.toHaveProperty('furtherDeviations')
  })

  it.each<[string, Reason]>([
    ['a path', { ...stopped, path: 'GET /x' } as Reason],
    ['requested pauses', { ...stopped, pausesMs: 1 } as Reason],
    ['the transport', { kind: 'transport', exchange: 'e9', detail: 'reset' }],
  ])('keeps failures beside %s', (_, noVerdict) => {
    const other = { ...unanswered, noVerdict }
    expect(judged({ deviations: [deviation('e3')] }, other)?.verdict).toBe('fail')
  })
})
