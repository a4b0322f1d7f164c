import { expect, it } from 'vitest'
import type { Variant } from '../reference/index.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { RunReport } from '../results/run-report.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

const MAX_DELAY_MS = 12

/** Delays that look random and are the same for a seed (Park and Miller, 1988). */
function delays(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state / 2_147_483_647) * MAX_DELAY_MS
  }
}

/** Holds back each response for another time, and leaves out a header of lists: then pages are read again. */
function slow(seed: number): Variant {
  return {
    name: `slow-${seed}`,
    codeHosting: {},
    intermediary: () => {
      const next = delays(seed)
      return async (request, respond) => {
        await new Promise((resolve) => setTimeout(resolve, next()))
        const parts = await respond(request)
        if (request.url.pathname.endsWith('/user/repos')) parts.headers.delete('X-HasMore')
        return parts
      }
    },
  }
}

/** Returns the requests, and verdict and evidence of each result. */
function summaryOf(report: RunReport) {
  const form = createNormalizer(report, { exact: true })
  const requests = new Map(
    report.exchanges.map(({ id, request }) => {
      const sender = request.headers.find(({ name }) => name === 'Authorization')?.value ?? ''
      // Wrong passwords differ from run to run.
      const credentials = sender.replace(/^Basic [A-Za-z0-9+/]+=*$/, 'Basic')
      return [id, form(`${request.method} ${request.url} ${credentials} ${request.body}`)]
    }),
  )
  const results = report.results.map(({ requirement, verdict, exchanges, deviations = [] }) => ({
    requirement,
    verdict,
    exchanges: exchanges.map((id) => requests.get(id)),
    deviations: deviations.map(({ exchange = '', ...texts }) => {
      return form(JSON.stringify([texts, requests.get(exchange)]))
    }),
  }))
  return { requests: [...requests.values()].sort(), results }
}

it('varying latency changes neither requests nor evidence', async () => {
  const service = ['code-hosting']
  const judged = async (seed: number) =>
    summaryOf((await enclosedRun({}, { variant: slow(seed), service })).report)
  const first = await judged(1)
  expect(first.results.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(0)
  expect(await judged(2)).toEqual(first)
})
