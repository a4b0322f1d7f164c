import { expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { casesFixture, exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { withReferredExchanges } from './rerun-commands.ts'

const ids = Array.from({ length: 40 }, (_, index) => `e${index + 1}`)
const request = { method: 'GET', url: 'https://git.example.com/', headers: [], body: null }

function keptOf(parts: Partial<RunReport>): string[] {
  const exchanges = ids.map((id) => exchangeFixture({ id, request }))
  const report = reportFixture({ results: [], observations: [], exchanges, ...parts })
  return withReferredExchanges(report).exchanges.map(({ id }) => id)
}

const unclear = { kind: 'unclear', text: 'a', exchange: 'e40' } as const
const missing = [{ cases: [1], noVerdict: unclear, reason: 'a' }]

it.each<[Partial<RequirementResult>, string[]]>([
  [{ verdict: 'pass', exchanges: ids }, []],
  [{ verdict: 'pass', exchanges: ids, cases: { ...casesFixture(), missing } }, ['e40']],
  [{ verdict: 'skipped', noVerdict: unclear }, ['e40']],
  [{ verdict: 'inconclusive', noVerdict: unclear }, ['e40']],
  [{ verdict: 'inconclusive', exchanges: ids }, ids.slice(-8)],
  [
    {
      verdict: 'skipped',
      noVerdict: { kind: 'not observed', status: 500, exchanges: ['e2', 'e5'] },
    },
    ['e2', 'e5'],
  ],
])('withReferredExchanges keeps of %j the exchanges %j', (result, expected) => {
  expect(keptOf({ results: [resultFixture(result)] })).toEqual(expected)
})

it.each(['fail', 'waived', 'advisory'] as const)(
  'withReferredExchanges keeps the deviations of a result that is %s, and its first exchanges',
  (verdict) => {
    const deviations = ['e1', 'e30'].map((exchange) => ({ expected: 'a', actual: 'b', exchange }))
    const results = [resultFixture({ verdict, deviations, exchanges: ids })]
    expect(keptOf({ results })).toEqual([...ids.slice(0, 8), 'e30'])
  },
)

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
