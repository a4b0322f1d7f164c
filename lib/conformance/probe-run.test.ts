import { beforeEach, describe, expect, it, vi } from 'vitest'
import { targetWith } from '../../suites/code-hosting/service.fixture.ts'
import { anonymous, bearer } from '../probe/credentials.ts'
import type { ProbeRequest } from '../probe/exchange.ts'
import type { Probe } from '../probe/probe.ts'
import { exchangeOf } from './exchange.fixture.ts'
import type { RunSettings } from './probe-run.ts'

const fake = vi.hoisted(() => ({
  settings: undefined as unknown,
  options: undefined as ConstructorParameters<typeof Probe>[0] | undefined,
  sent: [] as ProbeRequest[],
  status: 200,
  broken: false,
}))

vi.mock('vitest', async (original) => ({
  ...(await original<typeof import('vitest')>()),
  inject: () => fake.settings,
}))

vi.mock('../probe/probe.ts', () => ({
  Probe: class {
    constructor(options: ConstructorParameters<typeof Probe>[0]) {
      fake.options = options
    }

    async send(request: ProbeRequest) {
      const id = `e${fake.sent.push(request)}`
      const exchange = exchangeOf(id, request, { status: fake.status })
      fake.options?.onExchange(exchange.record, fake.broken ? undefined : exchange)
      if (!fake.broken) return exchange
      const { TransportError } = await import('../probe/exchange.ts')
      throw new TransportError('<detail>', exchange.record)
    }

    async close() {}
  },
}))

/** Loads the modules again, which have one run per worker, and returns a new run. */
async function newRun({ embedded = false, codeHosting = targetWith() } = {}) {
  const settings: RunSettings = {
    runId: 'run7',
    version: '1.2.3',
    target: {
      codeHosting,
      probe: {
        ...{ readOnly: false, wording: 'strict', evidence: 'full', concurrency: 8 },
        ...{ timeoutMs: 1000, retries: 2, maxBodyBytes: 1000, maxPages: 100 },
        proxy: { http: 'http://proxy:3128' },
      },
    },
    secrets: [{ name: 'CODE_HOSTING_PASSWORD', value: codeHosting.password ?? '' }],
    embedded,
    selected: [],
    checks: [],
    documentsStatuses: ['code-hosting'],
  }
  fake.settings = settings
  vi.resetModules()
  const { currentRun } = await import('./lifecycle.ts')
  const { runCheck: judge } = await import('./run-check.ts')
  const run = currentRun()
  /** Returns the result of a check that sends a request. */
  const judgeSending = (id: string, request = get()) =>
    judge(id, async () => void (await run.send('code-hosting', request)))
  return { run, judgeSending }
}

const get = (path = '/api/v1/user') => ({
  method: 'GET',
  url: new URL(`https://git.example.com${path}`),
  credentials: anonymous,
})

beforeEach(() => {
  Object.assign(fake, { status: 200, broken: false })
  fake.sent.length = 0
})

describe('currentRun', () => {
  it('registers secrets, and uses no proxy for the reference server', async () => {
    const { run } = await newRun()
    expect(run.redactor.redact('main-password')).toBe('$CODE_HOSTING_PASSWORD')
    expect(fake.options).toMatchObject({
      userAgent: 'plumbline/1.2.3',
      documentsStatuses: ['code-hosting'],
      proxy: { http: 'http://proxy:3128' },
    })
    await newRun({ embedded: true })
    expect(fake.options).toMatchObject({ proxy: undefined })
  })

  it('does not redact the name of an account with which a password begins', async () => {
    const account = { username: 'release-bot-7', password: 'release-bot-7-pw' }
    const { run } = await newRun({ codeHosting: targetWith(account) })
    const redacted = 'release-bot-7: $CODE_HOSTING_PASSWORD'
    expect(run.redactor.redact('release-bot-7: release-bot-7-pw')).toBe(redacted)
  })

  it('sends identical GET requests once, and every other request each time', async () => {
    const { run } = await newRun()
    const [one, other] = await Promise.all([
      run.send('code-hosting', get('/x?a=1&b=2')),
      run.send('code-hosting', get('/x?b=2&a=1')),
    ])
    expect(one).toBe(other)
    await run.send('code-hosting', { ...get('/x?a=1&b=2'), credentials: bearer('token') })
    await run.send('code-hosting', { ...get('/x?a=1&b=2'), headers: { Sudo: 'otto' } })
    await run.send('code-hosting', { ...get('/x?a=1&b=2'), fresh: true })
    await run.send('code-hosting', { ...get(), method: 'POST' })
    await run.send('code-hosting', { ...get(), method: 'POST' })
    expect(fake.sent).toHaveLength(6)
  })

  it('sends a query sorted by name and otherwise unchanged, except for a followed link', async () => {
    const { run } = await newRun()
    await run.send('code-hosting', get('/x?page=2&limit=%61+b&page=1'))
    await run.send('code-hosting', get('/x?limit=%61+b&page=2&page=1'))
    await run.send('code-hosting', { ...get('/x?page=2&limit=1'), asWritten: true })
    const searches = fake.sent.map(({ url }) => url.search)
    expect(searches).toEqual(['?limit=%61+b&page=2&page=1', '?page=2&limit=1'])
  })

  it('sends nothing outside of the base URL of the service', async () => {
    const { run, judgeSending } = await newRun()
    Object.assign(run.settings.target.codeHosting ?? {}, { baseUrl: 'https://git.example.com/git' })
    for (const path of ['/jenkins/build', '/git/..%2Fjenkins', '/git-2/api/v1/user']) {
      expect(await judgeSending('a', get(path))).toMatchObject({ verdict: 'inconclusive' })
    }
    expect(fake.sent).toEqual([])
    await run.send('code-hosting', get('/git/api/v1/user'))
    // The target has no base URL for this service.
    await run.send('event-publishing', get('/jenkins/build'))
    expect(fake.sent).toHaveLength(2)
  })

  it('is inconclusive without a response, for each check', async () => {
    fake.broken = true
    const { run, judgeSending } = await newRun()
    for (const id of ['a', 'b']) {
      expect(await judgeSending(id)).toMatchObject({
        verdict: 'inconclusive',
        noVerdict: { kind: 'transport', exchange: 'e1', detail: '<detail>' },
        exchanges: ['e1'],
      })
    }
    expect(fake.sent).toHaveLength(1)
    expect(run.exchanges).toEqual([])
  })
})
