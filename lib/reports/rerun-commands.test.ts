import { expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { textsOf } from './formats.fixture.ts'
import { casesFixture, exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { withReferredExchanges } from './report-files.ts'
import { creationsFor, variablesText } from './rerun-commands.ts'

const exchangeWith = (secrets: string[], url = 'http://example.com') =>
  exchangeFixture({ request: { method: 'GET', url, headers: [], body: null, secrets } })

it('variablesText names what the commands use and do not create, and the passphrase with https', () => {
  const settings = { PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE' }
  const textOf = (url: string) =>
    variablesText([exchangeWith(['UNKNOWN_TOKEN', 'A'], url)], reportFixture({ settings }))
  expect(textOf('http://example.com')?.match(/\$\w+/g)).toEqual(['$UNKNOWN_TOKEN', '$A'])
  expect(textOf('https://example.com')).toContain('$A, $PROBE_TLS_KEY_PASSPHRASE')
})

it('creationsFor returns what an exchange uses after what that uses, each request once', () => {
  const [used, first, second] = [['SECOND', 'OTHER', 'FIRST', 'INVENTED'], ['PASSWORD'], ['FIRST']]
  const rejection = { status: 400, headers: [], body: null, bodyBytes: 0 }
  const exchanges = [
    { ...exchangeWith(first), id: 'e8', response: rejection, secrets: ['FIRST'] },
    { ...exchangeWith(first), id: 'e9', response: null, secrets: ['FIRST'] },
    { ...exchangeWith(first), id: 'e10', secrets: ['FIRST'] },
    { ...exchangeWith(second), id: 'e11', secrets: ['SECOND', 'OTHER'] },
  ]
  const report = reportFixture({ exchanges })
  const creations = creationsFor({ ...exchangeWith(used), id: 'e12' }, report)
  expect(creations.map(({ names, exchange }) => [exchange.id, names])).toEqual([
    ['e10', ['FIRST']],
    ['e11', ['SECOND', 'OTHER']],
  ])
  const indirect = creationsFor({ ...exchangeWith(['OTHER']), id: 'e12' }, report)
  expect(indirect.map(({ exchange }) => exchange.id)).toEqual(['e10', 'e11'])
  const required = variablesText([exchangeWith(used)], report)
  expect(required?.match(/\$\w+/g)).toEqual(['$INVENTED', '$PASSWORD'])
})

it('a run against the reference server has no curl commands and no leaked resources', () => {
  const target = { codeHosting: { baseUrl: 'http://127.0.0.1:1', embedded: true } }
  const report = reportFixture({ target })
  report.run.options = ['--fault', 'a-fault', '--reports', "reports/it's"]
  const { terminal, junit, page, summary } = textsOf(report)
  for (const text of [terminal, junit, page, summary]) {
    expect(text).not.toMatch(/curl --|leaked|sweep/i)
  }
  for (const text of [terminal, junit, page]) {
    expect(text).toMatch(/limit-lowered (\S+ )?--fault a-fault --reports/)
  }
  expect(terminal).toContain("--reports 'reports/it'\\''s'")
})

const ids = Array.from({ length: 40 }, (_, index) => `e${index + 1}`)
const request = { method: 'GET', url: 'https://git.example.com/', headers: [], body: null }

function keptOf(parts: Partial<RunReport>): string[] {
  const exchanges = ids.map((id) => exchangeFixture({ id, request }))
  const report = reportFixture({ results: [], observations: [], exchanges, ...parts })
  return withReferredExchanges(report).exchanges.map(({ id }) => id)
}

const unclear = { kind: 'unclear', text: 'a', exchange: 'e40' } as const
const deviations = ['e1', 'e30'].map((exchange) => ({ expected: 'a', actual: 'b', exchange }))
const unseen = { kind: 'not observed', status: 500, exchanges: ['e2', 'e5'] } as const
const missing = [{ cases: [1], noVerdict: unclear, reason: 'a' }]

it.each<[Partial<RequirementResult>, string[]]>([
  [{ verdict: 'pass', exchanges: ids }, []],
  [{ verdict: 'waived', deviations, exchanges: ids }, [...ids.slice(0, 8), 'e30']],
  [{ verdict: 'pass', exchanges: ids, cases: { ...casesFixture(), missing } }, ['e40']],
  [{ verdict: 'skipped', noVerdict: unclear }, ['e40']],
  [{ verdict: 'inconclusive', noVerdict: unclear }, ['e40']],
  [{ verdict: 'inconclusive', exchanges: ids }, ids.slice(-8)],
  [{ verdict: 'skipped', noVerdict: unseen }, ['e2', 'e5']],
])('withReferredExchanges keeps of %j the exchanges %j', (result, expected) => {
  expect(keptOf({ results: [resultFixture(result)] })).toEqual(expected)
})

it('withReferredExchanges keeps observations, what creates their secrets, and only kept ids', () => {
  const token = { id: 'e1', request: { ...request, secrets: ['PASSWORD'] }, secrets: ['TOKEN'] }
  const user = { id: 'e3', request: { ...request, secrets: ['TOKEN'] } }
  const report = reportFixture({
    results: [resultFixture({ exchanges: ['e1', 'e2', 'e3'] })],
    observations: [{ id: 'a', description: 'b', value: 1, exchanges: ['e3'] }],
    exchanges: [token, { id: 'e2' }, user].map(exchangeFixture),
  })
  const { exchanges, results } = withReferredExchanges(report)
  expect(exchanges.map(({ id }) => id)).toEqual(['e1', 'e3'])
  expect(results[0]?.exchanges).toEqual(['e1', 'e3'])
})
