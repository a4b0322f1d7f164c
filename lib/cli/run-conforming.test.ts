import { describe, expect, it } from 'vitest'
import { catalogues } from './catalogues.ts'
import { plumbline, resultOf, withVerdict } from './command.fixture.ts'

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
    expect(deleted.map(({ response }) => response?.status)).toEqual(made.map(() => 204))
    expect(outcome.report.leftBehind).toEqual([])
  })

  it('sends no more requests than it needs', async () => {
    const { report } = await plumbline(['run'])
    const gets = report.exchanges.filter(({ request }) => request.method === 'GET')
    const lines = gets.map(({ request }) => JSON.stringify([request.url, request.headers]))

    expect(report.exchanges.length).toBeLessThanOrEqual(160)
    expect(new Set(lines).size).toBe(lines.length)
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
