import { expect, it } from 'vitest'
import { Redactor } from '../probe/redaction/redaction.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { toPointer } from '../text/json-pointer.ts'
import { redactEvidence } from './redact-evidence.ts'
import { type CheckResult, noEvidence, type RunEvidence } from './run-evidence.ts'

const token = '0f4c096bbf1e344129093fa9160a01cba6605283'

function redacted(parts: Partial<RunEvidence>, secret = token): RunEvidence {
  const redactor = new Redactor()
  redactor.add('ALL_TOKEN', secret)
  return redactEvidence({ ...noEvidence(), ...parts }, redactor)
}

it('redacts secrets that were discovered after the exchange was recorded', () => {
  const headers = [
    { name: 'Authorization', value: `Bearer ${token}` },
    { name: 'X-Part', value: token.slice(0, 20) },
  ]
  const exchange = exchangeFixture({
    request: { method: 'GET', url: `http://host/?token=${token}`, headers, body: token },
    response: { status: 200, headers, body: `{"a":"${token}"}`, bodyBytes: 50 },
    error: `cannot read ${token}`,
  })
  const because = { kind: 'transport', exchange: 'e1', detail: `no ${token}` } as const
  const variable = { baseUrl: 'http://host', variable: 'A_BASE_URL', instead: 'nothing' } as const
  const text = `without ${token}`
  const evidence = redacted({
    exchanges: [exchange],
    judgements: [
      {
        ...{ requirement: 'a/b/c', by: 'probe', verdict: 'fail', exchanges: ['e1'], durationMs: 1 },
        expected: token,
        actual: `${token.slice(0, 20)}…`,
        deviations: [
          { expected: token, actual: token, reads: { header: `x-${token}` }, cases: [] },
        ],
        cases: {
          ...{ conforming: [], deviating: [] },
          missing: [{ cases: ['one'], noVerdict: { kind: 'missing', text } }],
        },
        notes: [text],
        noVerdict: { kind: 'no service', ...variable, because },
      },
    ],
    observations: [{ id: 'a', value: { [token]: [token] }, exchanges: [] }],
  })
  expect(JSON.stringify(evidence)).not.toContain(token.slice(0, 12))
  expect(evidence.exchanges[0]?.request.url).toBe('http://host/?token=$ALL_TOKEN')
  expect(evidence.judgements[0]).toMatchObject({ requirement: 'a/b/c', expected: '$ALL_TOKEN' })
})

it('redacts secrets in JSON pointers, escaped or not', () => {
  const secret = 'a/b~c-0123456789'
  const judgement: CheckResult = {
    ...{ requirement: 'a/b/c', by: 'probe', verdict: 'fail', exchanges: [], durationMs: 1 },
    reads: { pointer: toPointer([3, secret, 'x']) },
    cases: { conforming: [], deviating: [], missing: [] },
  }
  const { judgements } = redacted({ judgements: [judgement] }, secret)
  expect(judgements[0]?.reads).toEqual({ pointer: '/3/$ALL_TOKEN/x' })
})

it('redacts a prefix of a secret at the end of a truncated body', () => {
  const start = 'x'.repeat(5000)
  const body = `${start} ${token.slice(0, 10)}`
  const response = { status: 200, headers: [], body, bodyBytes: 90_000, bodyKept: 5011 }
  const { exchanges } = redacted({ exchanges: [exchangeFixture({ response })] })
  expect(exchanges[0]?.response?.body).toBe(`${start} $ALL_TOKEN`)
})
