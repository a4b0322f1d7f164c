import { expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import { atTheEnd, type CommandOutcome, filesOf, withVerdict } from './command.fixture.ts'
import { createTestSuites, enclosedRun, sharedSuites } from './enclosed-run.fixture.ts'

/** Returns URL and body of the requests of a method for tokens. */
function tokenRequests({ report }: CommandOutcome, method: string): string[] {
  return report.exchanges
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
    [sharedSuites, createTestSuites()].map((suites) => enclosedRun(environment, {}, suites)),
  )
  for (const outcome of outcomes) {
    const { status, report } = outcome
    expect(status).toBe(0)
    expect(withVerdict(outcome, 'skipped')).toHaveLength(13)
    expect(report.leakedResources).toEqual([])
    expect(filesOf(outcome).filter((name) => name.startsWith('ledger-'))).toEqual([])
    const deletions = tokenRequests(outcome, 'DELETE')
    expect(deletions.length).toBeGreaterThan(5)
    for (const deletion of deletions) expect(deletion).toContain(`/plumbline-${report.run.id}-`)
    for (const creation of tokenRequests(outcome, 'POST')) {
      if (creation.includes('"name"')) expect(creation).toContain(`plumbline-${report.run.id}-`)
    }
  }
  expect(new Set(outcomes.map(({ report }) => report.run.id)).size).toBe(2)
  expect(new Set(deleted).size).toBe(deleted.length)
  // A rejected token is looked up by name, and does not exist.
  const absent = deleted.filter((line) => !line.startsWith('204 '))
  expect(
    absent.filter((line) => !/^404 .*-(unknown-(scope|level)|(main|other)-[a-z-]+)$/.test(line)),
  ).toEqual([])
  expect(await tokens()).toEqual(before)
})

it('a run contains nothing of an aborted run in the same thread', async () => {
  const suites = createTestSuites()
  const service = ['code-hosting']
  const outcomes = await Promise.all([1, 2].map(() => enclosedRun({}, { service }, suites)))
  const [whole, broken] = [0, 3].map((ended) => outcomes.find(({ status }) => status === ended))
  expect(whole?.report.exchanges).toHaveLength(285)
  expect(broken?.report.results.map(({ noVerdict }) => noVerdict?.kind)).toContain('interrupted')
})
