import { describe, expect, it } from 'vitest'
import type { Reason } from '../results/reason.ts'
import type { JudgedCases, RequirementResult } from '../results/run-report.ts'
import {
  exchangeNames,
  groupByReason,
  lostCases,
  reasonSentence,
  reasonText,
  withReasonText,
} from './reasons.ts'
import { casesFixture, deviatingFixture, exchangeFixture, resultFixture } from './report.fixture.ts'

const at = (id: string, url: string, status: number) => {
  const request = { method: 'GET', url, headers: [], body: null }
  const response = { status, headers: [], body: null, bodyBytes: 0 }
  return exchangeFixture({ id, request, response })
}
const exchanges = [
  at('e1', 'https://a.example/x?y=z', 502),
  at('e2', 'https://a.example/y', 502),
  at('e3', 'https://b.example/x', 502),
  at('e4', 'https://a.example/x', 503),
]
const named = exchangeNames(exchanges)
const need = { name: 'admin', variables: ['A_USERNAME', 'A_PASSWORD'], advice: 'Set an admin.' }
const unreachable = { kind: 'no service', baseUrl: 'https://a.example', variable: 'A' } as const
const because = { kind: 'transport', exchange: 'e1', detail: 'refused' } as const

it.each(['aaa', 'http://a.example'])('reasonSentence capitalizes %s unless it is a URL', (text) => {
  const sentence = reasonSentence({ kind: 'missing', text }, exchangeNames([]))
  expect(sentence).toBe(text === 'aaa' ? 'Aaa.' : `${text}.`)
})

it('reasonText formats each kind of reason', async () => {
  const reasons: Reason[] = [
    { kind: 'needs', needs: [need, { name: 'b', variables: ['B'], reason: 'B is false' }] },
    { kind: 'needs', needs: [{ name: 'b', variables: ['B'] }], control: true },
    { kind: 'missing', text: 'needs two accounts' },
    { kind: 'no control', exchange: 'e1' },
    { kind: 'no control', text: 'the token was refused', exchange: 'e1' },
    { kind: 'not observed', text: 'no 403 came' },
    { kind: 'not observed', status: 401, exchanges: ['e1', 'e4'] },
    { kind: 'response', text: 'a server error is not a rejection', exchange: 'e1' },
    { kind: 'settings', variables: ['A_USERNAME', 'A_PASSWORD'], exchange: 'e1' },
    { kind: 'settings', text: 'the key was refused', variables: ['A_KEY'] },
    { kind: 'gateway', exchange: 'e4', status: 503 },
    { kind: 'gateway', exchange: 'e9', status: 777 },
    because,
    { ...unreachable, instead: 'nothing', because },
    { ...unreachable, instead: 'certificate', because },
    { kind: 'stopped', failures: 16, exchange: 'e1', lastedMs: 4100 },
    { kind: 'stopped', failures: 4, exchange: 'e1', path: 'GET /x' },
    { kind: 'stopped', failures: 1, exchange: 'e1', pausesMs: 60_000 },
    { kind: 'untestable', why: 'Nothing shows it.' },
    { kind: 'not selected' },
    { kind: 'interrupted', by: 'operator' },
    { kind: 'interrupted', by: 'operator', before: true },
    { kind: 'interrupted', by: 'internal error' },
    { kind: 'interrupted', by: 'internal error', before: true },
    { kind: 'interrupted', before: true },
    { kind: 'internal error', text: 'TypeError: x' },
  ]
  const texts = reasons.map((reason) => `${reasonText(reason, named)}\n`)
  await expect(texts.join('')).toMatchFileSnapshot('snapshots/reasons.txt')
})

describe('groupByReason', () => {
  const grouped = (...reasons: Reason[]) =>
    groupByReason(
      reasons.map((noVerdict) => withReasonText(resultFixture({ noVerdict }), named)),
    ).map(({ reason, results }) => `${results.length} ${reason}`)

  it('sorts groups by size and keeps the order within', () => {
    const results = ['small', 'large', 'large', undefined].map((reason, index) =>
      resultFixture({ requirement: `a/b/${index}`, ...(reason && { reason }) }),
    )
    const groups = groupByReason(results).map((group) =>
      group.results.map((one) => one.requirement),
    )
    expect(groups).toEqual([['a/b/1', 'a/b/2'], ['a/b/0'], ['a/b/3']])
  })

  it('counts requests to the same server as one reason, but not other servers, statuses and problems', () => {
    const refused = (exchange: string) => ({ ...because, exchange })
    expect(grouped(refused('e1'), refused('e2'), refused('e4'))).toEqual([
      expect.stringMatching(/^3 .* https:\/\/a\.example: refused$/),
    ])
    const gateway = (exchange: string, status: number): Reason => {
      return { kind: 'gateway', exchange, status }
    }
    const groups = grouped(gateway('e1', 502), gateway('e3', 502), gateway('e4', 503), because)
    expect(groups).toHaveLength(4)
    expect(groups[0]).toContain('GET https://a.example/x?y=z')
  })
})

const lost: Reason = { kind: 'needs', needs: [{ ...need, cases: 'with sudo' }] }

describe('withReasonText', () => {
  const missing = [{ cases: [4], noVerdict: lost, reason: '' }]

  it('returns the difference and the notes of a failure, and the reason of each missing case', () => {
    const result = { ...deviatingFixture(1), exchanges: ['e1'], notes: ['A note.'] }
    const cases = { ...casesFixture({ deviating: [1] }), missing }
    expect(withReasonText({ ...result, cases }, named)).toMatchObject({
      reason: 'GET https://a.example/x?y=z: expected a url, got no url. A note.',
      cases: { missing: [{ reason: 'A_USERNAME and A_PASSWORD are not set' }] },
    })
  })

  it('returns the missing cases of a pass, but none for a pass of all cases', () => {
    const reasonOf = (cases: JudgedCases) =>
      withReasonText({ ...resultFixture(), cases }, named).reason
    expect(reasonOf(casesFixture())).toBeUndefined()
    expect(reasonOf({ ...casesFixture(), missing })).toBe(
      '1 of 2 cases; not judged: 1 with sudo (A_USERNAME and A_PASSWORD are not set).',
    )
  })
})

it('groupByReason groups lost cases with those whose control is missing, and none without a verdict', () => {
  const losing = (name: string, cases: number[], noVerdict: Reason = lost) =>
    resultFixture({
      requirement: `a/b/${name}`,
      cases: { ...casesFixture(), missing: [{ cases, noVerdict, reason: '' }] },
    })
  const results = [
    losing('x', [1, 2]),
    losing('y', [2, 3]),
    losing('z', [4], { ...lost, control: true }),
    { ...losing('w', [5]), noVerdict: lost },
  ]
  const groups = groupByReason<RequirementResult>([], lostCases(results))
  expect(groups.map((group) => group.lost.map(({ cases }) => cases))).toEqual([
    [[1, 2], [2, 3], [4]],
  ])
})
