import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createNormalizer } from '../results/normalize.ts'
import { startReference, type Variant } from '../test-bed/reference/index.ts'
import { atTheEnd, type CommandOutcome, filesOf, withVerdict } from './command.fixture.ts'
import { createTestSuites, enclosedRun, sharedSuites } from './enclosed-run.fixture.ts'

const otherSuites = createTestSuites()

function tokenRequests({ exchanges }: CommandOutcome, method: string): string[] {
  return exchanges
    .filter(({ request }) => request.method === method && request.url.includes('/tokens'))
    .map(({ request }) => `${request.url} ${request.body ?? ''}`)
}

it('concurrent runs with the same accounts do not affect each other', async () => {
  const deleted: string[] = []
  const reference = await startReference({
    intermediary: () => async (request, respond) => {
      const parts = await respond(request)
      if (request.method === 'DELETE') deleted.push(`${parts.status} ${request.url.pathname}`)
      return parts
    },
  })
  atTheEnd(() => reference.close())
  const { environment, baseUrl } = reference
  const { CODE_HOSTING_USERNAME: username, CODE_HOSTING_PASSWORD: password } = environment
  const credentials = Buffer.from(`${username}:${password}`).toString('base64')
  const tokens = async () => {
    const response = await fetch(`${baseUrl}/api/v1/users/${username}/tokens`, {
      headers: { Authorization: `Basic ${credentials}` },
    })
    return response.json()
  }
  const before = await tokens()

  const outcomes = await Promise.all(
    [sharedSuites, otherSuites].map((suites) =>
      enclosedRun(environment, { requirement: ['tokens', 'scopes'] }, suites),
    ),
  )
  for (const outcome of outcomes) {
    const { status, report } = outcome
    expect(status).toBe(0)
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(20)
    expect(report.leakedResources).toEqual([])
    expect(filesOf(outcome).filter((name) => name.startsWith('ledger-'))).toEqual([])
    const deletions = tokenRequests(outcome, 'DELETE')
    expect(deletions.length).toBeGreaterThan(5)
    for (const deletion of deletions) expect(deletion).toContain(`/plumbline-${report.run.id}-`)
    for (const creation of tokenRequests(outcome, 'POST')) {
      if (/"name":"[^"]/.test(creation)) expect(creation).toContain(`plumbline-${report.run.id}-`)
    }
  }
  expect(new Set(outcomes.map(({ report }) => report.run.id)).size).toBe(2)
  expect(new Set(deleted).size).toBe(deleted.length)
  expect(deleted.filter((line) => !line.startsWith('204 '))).toEqual([])
  expect(await tokens()).toEqual(before)
})

const MAX_DELAY_MS = 12

/** Holds back each response for another time, and leaves out a header of lists: then pages are read again. */
const slow: Variant = {
  name: 'slow',
  codeHosting: {},
  intermediary: () => async (request, respond) => {
    await delay(Math.random() * MAX_DELAY_MS)
    const parts = await respond(request)
    if (request.url.pathname.endsWith('/user/repos')) parts.headers.delete('X-HasMore')
    return parts
  },
}

/** Returns the requests, and verdict and evidence of each result. */
function summaryOf({ report, exchanges: sent }: CommandOutcome) {
  const form = createNormalizer(report, { exact: true })
  const requests = new Map(
    sent.map(({ id, request }) => {
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
  const requirement = ['pagination', 'tokens']
  const judged = async () => summaryOf(await enclosedRun({}, { variant: slow, requirement }))
  const first = await judged()
  expect(first.results.filter(({ verdict }) => verdict === 'fail').length).toBeGreaterThan(0)
  expect(await judged()).toEqual(first)
})
