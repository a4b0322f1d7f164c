import { beforeEach, describe, expect, it, vi } from 'vitest'
import { targetWith } from '../../suites/code-hosting/support/service.fixture.ts'
import { anonymous, bearer } from '../probe/credentials.ts'
import type { ProbeRequest } from '../probe/exchange.ts'
import type { ProbeOptions } from '../probe/probe.ts'
import { exchangeOf } from './exchange.fixture.ts'
import type { RunSettings } from './run.ts'

const fake = vi.hoisted(() => ({
  settings: undefined as unknown,
  options: undefined as unknown,
  sent: [] as ProbeRequest[],
  status: 200,
  broken: false,
}))

vi.mock('vitest', async (original) => ({
  ...(await original<typeof import('vitest')>()),
  inject: () => fake.settings,
}))

vi.mock('../probe/probe.ts', () => ({
  createProbe: (options: ProbeOptions) => {
    fake.options = options
    return {
      close: async () => {},
      async send(request: ProbeRequest) {
        const id = `e${fake.sent.push(request)}`
        const exchange = exchangeOf(id, request, { status: fake.status })
        options.onExchange(exchange.record, fake.broken ? undefined : exchange)
        if (!fake.broken) return exchange
        const { TransportError } = await import('../probe/exchange.ts')
        throw new TransportError('the connection was refused', exchange.record)
      },
    }
  },
}))

/** A run, and the modules that belong to it: a worker has one run, so that each needs its own. */
async function newRun({ embedded = false, codeHosting = targetWith() } = {}) {
  const settings: RunSettings = {
    runId: 'run7',
    version: '1.2.3',
    target: {
      codeHosting,
      probe: {
        readOnly: false,
        wording: 'strict',
        evidence: 'full',
        concurrency: 8,
        timeoutMs: 1000,
        retries: 2,
        maxBodyBytes: 1000,
        maxPages: 100,
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
  const { currentRun } = await import('./run.ts')
  const { judge } = await import('./judgement.ts')
  return { run: currentRun(), judge, ...(await import('./scope.ts')) }
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

describe('a run', () => {
  it('knows the secrets and keeps proxies away from the embedded deployment', async () => {
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

  it('shows the name of an account, also where a password begins with it', async () => {
    const account = { username: 'release-bot-7', password: 'release-bot-7-pw' }
    const { run } = await newRun({ codeHosting: targetWith(account) })
    const shown = 'release-bot-7: $CODE_HOSTING_PASSWORD'
    expect(run.redactor.redact('release-bot-7: release-bot-7-pw')).toBe(shown)
  })

  it('sends the same GET once, whoever asks, and every other request each time', async () => {
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

  it('sends a query in one order, each part as it is written, whoever asks first', async () => {
    const { run } = await newRun()
    await run.send('code-hosting', get('/x?page=2&limit=%61+b&page=1'))
    await run.send('code-hosting', get('/x?limit=%61+b&page=2&page=1'))
    expect(fake.sent.map(({ url }) => url.search)).toEqual(['?limit=%61+b&page=2&page=1'])
  })

  it('keeps the order of the query of a followed link', async () => {
    const { run } = await newRun()
    await run.send('code-hosting', { ...get('/x?page=2&limit=1'), asWritten: true })
    expect(fake.sent.map(({ url }) => url.search)).toEqual(['?page=2&limit=1'])
  })

  it('sends for the running check, whose evidence the exchange becomes, shared or not', async () => {
    const { run, judge } = await newRun()
    const ask = async () => void (await run.send('code-hosting', get()))
    const [first, second] = await Promise.all([judge('a', 'probe', ask), judge('b', 'probe', ask)])
    expect(first.exchanges).toEqual(['e1'])
    expect(second.exchanges).toEqual(['e1'])
    expect(fake.sent).toMatchObject([{ purpose: 'a', service: 'code-hosting' }])
  })

  it('sends nothing to what is not below the base URL of the service', async () => {
    const { run, judge } = await newRun()
    Object.assign(run.settings.target.codeHosting ?? {}, { baseUrl: 'https://git.example.com/git' })
    for (const path of ['/jenkins/build', '/git/..%2Fjenkins', '/git-2/api/v1/user']) {
      const ask = async () => void (await run.send('code-hosting', get(path)))
      expect(await judge('a', 'probe', ask)).toMatchObject({ verdict: 'inconclusive' })
    }
    expect(fake.sent).toEqual([])
    await run.send('code-hosting', get('/git/api/v1/user'))
    // A service that the target does not have is below no base URL.
    await run.send('event-publishing', get('/jenkins/build'))
    expect(fake.sent).toHaveLength(2)
  })

  it.each([413, 503])('is inconclusive about %d, which it keeps', async (status) => {
    fake.status = status
    const { run, judge } = await newRun()
    const ask = async () => void (await run.send('code-hosting', get()))
    expect(await judge('a', 'probe', ask)).toMatchObject({
      verdict: 'inconclusive',
      unjudged: { kind: 'gateway', exchange: 'e1', status },
      exchanges: ['e1'],
    })
    expect(run.exchanges).toHaveLength(1)
  })

  it('is inconclusive without a response, for all who ask for it', async () => {
    fake.broken = true
    const { run, judge } = await newRun()
    const ask = async () => void (await run.send('code-hosting', get()))
    for (const id of ['a', 'b']) {
      expect(await judge(id, 'probe', ask)).toMatchObject({
        verdict: 'inconclusive',
        unjudged: { kind: 'transport', exchange: 'e1', detail: 'the connection was refused' },
        exchanges: ['e1'],
      })
    }
    expect(fake.sent).toHaveLength(1)
    expect(run.exchanges).toEqual([])
  })
})
