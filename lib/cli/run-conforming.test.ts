import { describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import { catalogues } from './catalogues.ts'
import { atTheEnd, plumbline, resultOf, withVerdict } from './command.fixture.ts'

const ids = Object.values(catalogues).flatMap(({ requirements }) =>
  requirements.map(({ id }): string => id),
)

describe.concurrent('a run against the reference deployment', () => {
  it('judges every requirement but those that the deployment rightly cannot show', async () => {
    const outcome = await plumbline(['run'])

    expect(outcome.status).toBe(0)
    expect(outcome.report.verdict).toBe('conformant')
    expect(outcome.report.results.map(({ requirement }) => requirement)).toEqual(ids)
    expect(withVerdict(outcome, 'skipped')).toEqual([
      'code-hosting/errors/server-error-message',
      'code-hosting/errors/server-error-retry',
      'code-hosting/authentication/legacy-disabled',
      'code-hosting/authentication/legacy-disabled-message',
      'code-hosting/authentication/query-disabled',
      'code-hosting/scopes/admin-needs-site-admin',
      'code-hosting/scopes/other-categories',
      'code-hosting/limits/git-trees',
      'code-hosting/limits/blob',
      'code-hosting/limits/response',
      'code-hosting/versioning/release',
      'incident-status/updates/no-scopes',
    ])
    expect(withVerdict(outcome, 'pass')).toHaveLength(ids.length - 12)
  })

  it('takes away every token that it made, and its ledger with them', async () => {
    const outcome = await plumbline(['run'])
    const made = outcome.report.exchanges.filter(({ response }) => response?.status === 201)
    const deleted = outcome.report.exchanges.filter(({ request }) => request.method === 'DELETE')

    expect(made.length).toBeGreaterThan(5)
    const gone = deleted.filter(({ response }) => response?.status === 204)
    const others = deleted.filter((exchange) => !gone.includes(exchange))
    expect(gone).toHaveLength(made.length)
    // Whether refusals can be believed: one of each status is asked after.
    expect(others.map(({ request }) => request.url.replace(/.*-\w{6}-/, '')).sort()).toEqual([
      'unknown-scope',
      'wrong-password',
    ])
    expect(outcome.report.leftBehind).toEqual([])
  })

  it('sends no more requests than it needs', async () => {
    const { report } = await plumbline(['run'])
    const gets = report.exchanges.filter(({ request }) => request.method === 'GET')
    const lines = gets.map(({ request }) => JSON.stringify([request.url, request.headers]))

    expect(report.exchanges.length).toBeLessThanOrEqual(200)
    expect(new Set(lines).size).toBe(lines.length)
  })
})

describe.concurrent('a run against one service', () => {
  it.each([
    ['event-publishing', 'EVENT_PUBLISHING_BASE_URL'],
    ['incident-status', 'INCIDENT_STATUS_BASE_URL'],
    ['code-hosting', 'CODE_HOSTING_BASE_URL'],
  ])('probes %s alone when only %s is set', async (service, variable) => {
    const { baseUrl, close } = await startReference()
    atTheEnd(close)
    const outcome = await plumbline(['run'], { [variable]: baseUrl })
    const services = outcome.report.results.map(({ requirement }) => requirement.split('/')[0])

    expect(new Set(services)).toEqual(new Set([service]))
    expect(new Set(outcome.report.exchanges.map((exchange) => exchange.service))).toEqual(
      service === 'incident-status' ? new Set() : new Set([service]),
    )
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(Object.keys(outcome.report.target)).toHaveLength(1)
  })
})

describe.concurrent('observations', () => {
  const known = Object.values(catalogues).flatMap(({ observations = [] }) =>
    observations.map(({ id }): string => id),
  )

  it('are all in the report, each with a value and the exchanges that show it', async () => {
    const { report } = await plumbline(['run'])

    expect(report.observations.map(({ id }) => id)).toEqual(known.toSorted())
    for (const { id, value, exchanges } of report.observations) {
      expect(value, id).not.toBeNull()
      expect(exchanges.length, id).toBeGreaterThan(0)
    }
  })

  it('are shown in the summary', async () => {
    const { output } = await plumbline(['run'])
    const shown = output.slice(output.indexOf('Observations ('))

    expect(shown).toContain(`Observations (${known.length})`)
    expect(shown).toMatch(/event-publishing\/publish\/status +.*= 202/)
  })

  it('tell shapes and no values', async () => {
    const { report } = await plumbline(['run'])
    const body = report.observations.find(({ id }) => id === 'event-publishing/status/body')
    const fields = report.observations.find(
      ({ id }) => id === 'code-hosting/resources/repository/fields',
    )

    expect(body?.value).toMatchObject({ type: 'object', properties: { id: { type: 'string' } } })
    expect(JSON.stringify(fields?.value)).not.toContain('maria')
  })
})

describe.concurrent('settings of the server', () => {
  it('are judged in their other state too', async () => {
    const legacy = await plumbline(['run', '--variant', 'legacy-disabled'])
    const query = await plumbline(['run', '--variant', 'query-disabled'])

    expect(resultOf(legacy, 'code-hosting/authentication/legacy-disabled').verdict).toBe('pass')
    expect(resultOf(legacy, 'code-hosting/authentication/legacy-disabled-message').verdict).toBe(
      'pass',
    )
    expect(resultOf(legacy, 'code-hosting/authentication/legacy-accepted').reason).toContain(
      'CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME',
    )
    expect(resultOf(query, 'code-hosting/authentication/query-disabled').verdict).toBe('pass')
    expect(resultOf(query, 'code-hosting/authentication/query-token').reason).toContain(
      'CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN',
    )
  })
})
