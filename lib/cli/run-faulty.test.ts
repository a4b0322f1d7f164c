import { describe, expect, it } from 'vitest'
import { faults } from '../reference/index.ts'
import { catalogues } from './catalogues.ts'
import { plumbline, resultOf, withVerdict } from './command.fixture.ts'
import { embeddedRun } from './embedded-run.fixture.ts'

/** One or two of each section; what a broken server looks like to an operator. */
const examples = [
  'error-body-without-url',
  'hidden-repository-answered-with-403',
  'chunked-content-on-no-content',
  'server-error-message-shown',
  'wrong-missing-credentials-message',
  'sunset-header-missing',
  'legacy-refused',
  'sudo-for-everyone',
  'one-time-code-ignored',
  'duplicate-name-accepted',
  'token-value-in-listing',
  'scope-answered-with-401',
  'public-only-ignored-in-listing',
  'user-record-without-login',
  'limit-not-lowered',
  'next-link-missing',
  'next-link-stuck',
  'has-more-always-true',
  'settings-value-other-than-configured',
  'event-publish-refused',
  'event-publish-refused-with-idempotency-key',
  'event-payload-must-be-flat',
  'event-missing-key-accepted-on-publish',
  'event-missing-key-accepted-on-status',
  'event-missing-key-accepted-on-replay',
  'event-wrong-key-accepted-on-publish',
  'event-wrong-key-accepted-on-status',
  'event-wrong-key-accepted-on-replay',
  'event-key-accepted-in-query-on-publish',
  'event-key-accepted-in-query-on-status',
  'event-key-accepted-in-query-on-replay',
  'event-replay-wants-another-header',
  'event-status-without-body',
  'incident-update-accepted-without-credentials',
  'incident-update-accepted-with-wrong-key',
  'incident-update-accepted-with-basic-username',
  'incident-update-accepted-with-basic-password',
  'incident-update-answered-with-body',
  'incident-update-refused',
]

describe('a faulty deployment', () => {
  it.each(examples)('with %s fails with exactly the requirements that it breaks', async (name) => {
    const fault = faults.find((candidate) => candidate.name === name)
    const run = await embeddedRun({ fault: name })

    expect(run.idsWith('fail').toSorted()).toEqual(fault?.requirements.toSorted())
    expect(run.defects).toEqual([])
    expect(run.report.verdict).toBe('nonconformant')
  })
})

describe.concurrent('a failure', () => {
  it('is told with statement, expected, actual and the exchange that shows it', async () => {
    const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'])
    expect(outcome.status).toBe(1)
    const result = resultOf(outcome, 'code-hosting/pagination/limit-lowered')
    const shown = outcome.report.exchanges.find(({ id }) => id === result.exchanges[0])

    expect(result.expected).toBe('header X-PerPage: 25')
    expect(result.actual).toBe('X-PerPage: 26')
    expect(shown?.request.url).toMatch(/\/api\/v1\/user\/repos\?limit=26$/)
    expect(outcome.output).toContain(result.statement)
    expect(outcome.output).toContain('curl --include')
    expect(outcome.junit).toContain('<failure')
  })

  it('shows the exchange of the endpoint that differs, not of another', async () => {
    const outcome = await plumbline(['run', '--fault', 'scope-answered-with-401-on-repositories'])
    const [id] = withVerdict(outcome, 'fail')
    const result = resultOf(outcome, id ?? '')
    const shown = outcome.report.exchanges.find((exchange) => exchange.id === result.exchanges[0])

    expect(shown?.response?.status).toBe(401)
  })

  it('with another wording only advises when wordings advise', async () => {
    const outcome = await plumbline(['run', '--fault', 'wrong-missing-credentials-message'], {
      PROBE_WORDING: 'advisory',
    })

    expect(withVerdict(outcome, 'advisory')).toEqual([
      'code-hosting/authentication/missing-credentials-message',
    ])
    expect(outcome.status).toBe(0)
  })
})

describe('the registry of faults', () => {
  it('names requirements of the catalogue only', () => {
    const rows = Object.values(catalogues).flatMap(({ requirements }) => [...requirements])
    const ids = new Set<string>(rows.map(({ id }) => id))
    const named = faults.flatMap(({ requirements }) => requirements)

    expect(named.filter((id) => !ids.has(id))).toEqual([])
    expect(named.length).toBeGreaterThan(faults.length - 1)
  })
})
