import { beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import {
  atTheEnd,
  type CommandOutcome,
  plumbline,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

const all = catalogues
const ids = all.flatMap(({ requirements }) => requirements.map(({ id }): string => id))
const observed = all.flatMap(({ observations = {} }) => Object.keys(observations))

async function reference(): Promise<Record<string, string>> {
  const { environment, close } = await startReference()
  atTheEnd(close)
  return environment
}

describe('a run against the reference deployment', () => {
  let outcome: CommandOutcome
  beforeAll(async () => {
    outcome = await plumbline(['run'])
  }, 60_000)

  it('judges every requirement but those that the deployment rightly cannot show', () => {
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

  it('takes away every token that it made, and its ledger with them', () => {
    const made = outcome.report.exchanges.filter(({ response }) => response?.status === 201)
    const deleted = outcome.report.exchanges.filter(({ request }) => request.method === 'DELETE')
    const gone = deleted.filter(({ response }) => response?.status === 204)
    const others = deleted.filter((exchange) => !gone.includes(exchange))

    expect(made.length).toBeGreaterThan(5)
    expect(gone).toHaveLength(made.length)
    // Whether refusals can be believed: one of each status is asked after.
    expect(others.map(({ request }) => request.url.replace(/.*-\w{6}-/, '')).sort()).toEqual([
      'unknown-scope',
      'wrong-password',
    ])
    expect(outcome.report.leftBehind).toEqual([])
  })

  it('sends no more requests than it needs', () => {
    const { exchanges } = outcome.report
    const gets = exchanges.filter(({ request }) => request.method === 'GET')
    const lines = gets.map(({ request }) => JSON.stringify([request.url, request.headers]))

    expect(exchanges.length).toBeLessThanOrEqual(200)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('has every observation, each with a shape and the exchanges that show it', () => {
    const { observations } = outcome.report
    expect(observations.map(({ id }) => id)).toEqual(observed.toSorted())
    for (const { id, value, exchanges } of observations) {
      expect(value, id).not.toBeNull()
      expect(exchanges.length, id).toBeGreaterThan(0)
    }
    expect(outcome.output).toContain(`Observations (${observed.length})`)
    expect(JSON.stringify(observations.map(({ value }) => value))).not.toContain('maria')
  })

  it('says at the very end what was probed', () => {
    expect(outcome.output.trimEnd().split('\n').at(-1)).toContain('embedded reference deployment')
  })
})

describe('a failure', () => {
  it('is told with statement, expected, actual and the exchange that shows it', async () => {
    const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'])
    const result = resultOf(outcome, 'code-hosting/pagination/limit-lowered')
    const shown = outcome.report.exchanges.find(({ id }) => id === result.exchanges[0])

    expect(outcome.status).toBe(1)
    expect(result).toMatchObject({ expected: 'X-PerPage: 25', actual: 'X-PerPage: 26' })
    expect(shown?.request.url).toMatch(/\/api\/v1\/user\/repos\?limit=26$/)
    expect(outcome.output).toContain(result.statement)
    expect(outcome.output).toMatch(/ expected +X-PerPage: 25\n +actual +X-PerPage: 26\n/)
    expect(outcome.output).toContain('curl --include')
    expect(outcome.junit).toContain('<failure')
  })

  it('shows the exchange of the endpoint that differs, not of another', async () => {
    const outcome = await enclosedRun({}, { fault: 'scope-answered-with-401-on-repositories' })
    const [id = ''] = withVerdict(outcome, 'fail')
    const [first] = resultOf(outcome, id).exchanges
    const shown = outcome.report.exchanges.find((exchange) => exchange.id === first)

    expect(shown?.response?.status).toBe(401)
  })

  it('with another wording only advises when wordings advise', async () => {
    const { environment, close } = await startReference({
      fault: 'wrong-missing-credentials-message',
    })
    atTheEnd(close)
    const outcome = await enclosedRun({ ...environment, PROBE_WORDING: 'advisory' })

    expect(withVerdict(outcome, 'advisory')).toEqual([
      'code-hosting/authentication/missing-credentials-message',
    ])
    expect(outcome.status).toBe(0)
  })
})

describe('a run', () => {
  it.each([
    ['event-publishing', 'EVENT_PUBLISHING_BASE_URL'],
    ['incident-status', 'INCIDENT_STATUS_BASE_URL'],
    ['code-hosting', 'CODE_HOSTING_BASE_URL'],
  ])('probes %s alone when only %s is set', async (service, variable) => {
    const { [variable]: baseUrl = '' } = await reference()
    const outcome = await enclosedRun({ [variable]: baseUrl })
    const services = outcome.report.results.map(({ requirement }) => requirement.split('/')[0])

    expect(new Set(services)).toEqual(new Set([service]))
    expect(outcome.report.exchanges.filter((exchange) => exchange.service !== service)).toEqual([])
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(Object.keys(outcome.report.target)).toHaveLength(1)
  })

  it('sends nothing but GET in read-only mode', async () => {
    const outcome = await enclosedRun({ ...(await reference()), PROBE_READ_ONLY: 'true' })
    const methods = outcome.report.exchanges.map(({ request }) => request.method)

    expect(new Set(methods)).toEqual(new Set(['GET']))
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(30)
    expect(resultOf(outcome, 'code-hosting/tokens/created').reason).toContain('PROBE_READ_ONLY')
    expect(outcome.status).toBe(0)
  })

  it('creates nothing with a given token', async () => {
    const outcome = await enclosedRun({}, { variant: 'given-token' })
    const urls = outcome.report.exchanges.map(({ request }) => request.url)

    expect(urls.filter((url) => url.endsWith('/tokens'))).toEqual([])
    expect(outcome.status).toBe(0)
  })

  it('sends a payload as the operator wrote it, whatever can be made of it here', async () => {
    const deep = `${'{"a":'.repeat(6000)}{}${'}'.repeat(6000)}`
    const payload = `{"__proto__": {"size": 12345678901234567890}, "deep": ${deep}}`
    const environment = { ...(await reference()), EVENT_PUBLISHING_EVENT_PAYLOAD: payload }
    const outcome = await plumbline(['run', '--service', 'event-publishing'], environment)
    const bodies = outcome.report.exchanges.map(({ request }) => request.body ?? '')

    expect(outcome.errors).not.toContain('Cannot provide')
    expect(outcome.status).toBe(0)
    expect(bodies.filter((body) => body.endsWith(`,"payload":${payload}}`))).not.toEqual([])
    const varied = bodies.filter((body) => body.includes(`${payload.slice(0, -1)},"plumbline":`))
    expect(varied).toHaveLength(2)
  })

  it('judges what is selected, and says of the rest that it was not', async () => {
    const outcome = await enclosedRun(await reference(), {
      requirement: ['code-hosting/settings'],
      embedded: false,
    })

    expect(withVerdict(outcome, 'pass')).toEqual([
      'code-hosting/settings/readable-by-any-client',
      'code-hosting/settings/record',
      'code-hosting/settings/values',
      'code-hosting/settings/agree-with-pagination',
    ])
    expect(resultOf(outcome, 'code-hosting/errors/body').reason).toBe('not selected')
    expect(outcome.report.exchanges.length).toBeLessThan(25)
    expect(outcome.output).not.toContain('embedded')
    expect(outcome.status).toBe(0)
  })

  it('is not green when nothing was judged', async () => {
    const outcome = await enclosedRun({}, { requirement: ['code-hosting/limits/*'] })

    expect(outcome.report.verdict).toBe('inconclusive')
    expect(outcome.status).toBe(3)
  })

  it('probes the embedded deployment without a proxy', async () => {
    const proxy = 'http://127.0.0.1:9'
    const environment = { HTTP_PROXY: proxy, http_proxy: proxy }
    const { status } = await enclosedRun(environment, { requirement: ['code-hosting/settings'] })

    expect(status).toBe(0)
  })
})

describe('an account that was used for years', () => {
  const runAs = (variant: string) => enclosedRun({}, { service: ['code-hosting'], variant })

  it('of 530 repositories is judged with few requests more than one of 57', async () => {
    const outcome = await runAs('account-of-many-repositories')

    expect(outcome.status).toBe(0)
    expect(outcome.report.exchanges.length).toBeLessThan(220)
    expect(resultOf(outcome, 'code-hosting/pagination/walk').reason).toContain(
      'the first 20 and the last 10 of 27 pages',
    )
  })

  it('of 10,000 repositories leaves what needs all of them without a verdict', async () => {
    const outcome = await runAs('account-of-too-many-repositories-inconclusive')
    const inconclusive = withVerdict(outcome, 'inconclusive')

    expect(outcome.status).toBe(3)
    expect(outcome.report.exchanges.length).toBeLessThan(220)
    expect(inconclusive).toEqual([
      'code-hosting/scopes/public-only-listing',
      'code-hosting/scopes/public-only-shows-public',
      'code-hosting/pagination/total-count',
      'code-hosting/pagination/walk',
    ])
    for (const id of inconclusive) {
      expect(resultOf(outcome, id).reason).toMatch(
        /^PROBE_MAX_PAGES is 12: 12 of \d+ pages of the list were read; this needs all of them$/,
      )
    }
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(75)
    expect(withVerdict(outcome, 'fail')).toEqual([])
  })
})
