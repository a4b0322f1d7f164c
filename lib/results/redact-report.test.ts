import { expect, it } from 'vitest'
import { Redactor } from '../probe/redaction/redaction.ts'
import { exchangeFixture, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { toPointer } from '../text/json.ts'
import { redactReport } from './redact-report.ts'
import type { RunReport } from './run-report.ts'

const token = '0f4c096bbf1e344129093fa9160a01cba6605283'

function redacted(parts: Partial<RunReport>, secret = token, texts: string[] = []): RunReport {
  const redactor = new Redactor()
  redactor.add('ALL_TOKEN', secret)
  return redactReport(reportFixture(parts), redactor, new Set(texts))
}

/** Returns a copy with the token in each text except codes and pointers, and a field that no type has. */
function withToken(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    return /^(kind|verdict|level|state|by|instead|url|pointer)$/.test(name)
      ? value
      : `${value} ${token}`
  }
  if (Array.isArray(value)) return value.map((item) => withToken(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, withToken(item, name)])
  return Object.fromEntries([...entries, ['added', { tomorrow: [token] }]])
}

it('redacts every text of a report, whatever its field', () => {
  const headers = [
    { name: 'Authorization', value: `Bearer ${token}` },
    { name: 'X-Part', value: token.slice(0, 20) },
  ]
  const url = `http://host/?token=${token}`
  const exchange = exchangeFixture({
    request: { method: 'GET', url, headers, body: token, connectTo: 'host' },
    response: { status: 200, headers, body: `{"a":"${token}"}`, bodyBytes: 50 },
    error: 'e',
  })
  const because = { kind: 'transport', exchange: 'e1', detail: 'd' } as const
  const service = { baseUrl: 'http://host', variable: 'A_BASE_URL', instead: 'nothing' } as const
  const report = reportFixture({
    exchanges: [exchange],
    results: [
      resultFixture({
        verdict: 'fail',
        ...{ expected: 'e', actual: 'a', reads: { header: 'x' }, notes: ['n'] },
        deviations: [{ expected: 'e', actual: 'a', reads: { header: 'x' } }],
        noVerdict: { kind: 'no service', ...service, because },
      }),
    ],
    observations: [{ id: 'a', description: 'd', value: { [token]: [token] }, exchanges: [] }],
  })
  const everywhere = redacted(withToken(report) as RunReport)
  expect(JSON.stringify(everywhere)).not.toContain(token.slice(0, 12))
  expect(everywhere.exchanges[0]?.request.url).toBe('http://host/?token=$ALL_TOKEN')
  expect(everywhere.exchanges[0]?.purpose).toBe(`${exchange.purpose} $ALL_TOKEN`)
  expect(redacted(report)).toMatchObject({ verdict: report.verdict, run: report.run })
})

it('keeps codes, and texts of the catalogue, that equal a secret', () => {
  const result = resultFixture({
    verdict: 'inconclusive',
    statement: 'a statement',
    actual: 'a statement',
  })
  const noVerdict = { kind: 'transport', exchange: 'e1', detail: 'transport' } as const
  const { results } = redacted({ results: [{ ...result, noVerdict }] }, 'transport')
  expect(results[0]?.noVerdict).toEqual({ ...noVerdict, detail: '$ALL_TOKEN' })
  expect(redacted({ results: [result] }, 'statement', ['a statement']).results).toEqual([result])
})

it('redacts secrets in JSON pointers, escaped or not', () => {
  const secret = 'a/b~c-0123456789'
  const reads = { pointer: toPointer([3, secret, 'x']) }
  const { results } = redacted({ results: [resultFixture({ verdict: 'fail', reads })] }, secret)
  expect(results[0]?.reads).toEqual({ pointer: '/3/$ALL_TOKEN/x' })
})

it('redacts a prefix of a secret at the end of a truncated body', () => {
  const start = 'x'.repeat(5000)
  const body = `${start} ${token.slice(0, 10)}`
  const response = { status: 200, headers: [], body, bodyBytes: 90_000, bodyKept: 5011 }
  const { exchanges } = redacted({ exchanges: [exchangeFixture({ response })] })
  expect(exchanges[0]?.response?.body).toBe(`${start} $ALL_TOKEN`)
})
