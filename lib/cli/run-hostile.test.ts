import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeAll, startSocketServer } from '../probe/server.fixture.ts'
import { type HostileOptions, startHostile } from '../test-bed/reference/hostile/index.fixture.ts'
import {
  atTheEnd,
  filesOf,
  reasonsOf,
  reportsIn,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

const MAX_REQUESTS = 260 * catalogues.length

interface EncounterOptions extends Pick<HostileOptions, 'basePath' | 'elsewhere'> {
  /** The requests that meet the behaviour, as `GET /path`. */
  at?: RegExp
  environment?: Record<string, string>
  /** Patterns of the requirements to judge; without any, the whole run. */
  requirement?: string[]
}

/** Runs the suites against a server that misbehaves, and returns its requests too. */
async function encounter(behaviour: HostileOptions['behaviour'], options: EncounterOptions = {}) {
  const { at, environment, requirement, ...server } = options
  const hostile = await startHostile({
    behaviour,
    paceMs: 20,
    at: at && (({ method, url }) => at.test(`${method} ${url}`)),
    ...server,
  })
  atTheEnd(() => hostile.close())
  const variables = { ...hostile.environment, PROBE_RETRIES: '1', ...environment }
  const outcome = await enclosedRun(variables, requirement && { requirement })
  await hostile.close()
  // No server causes an internal error or an unreadable message.
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  expect(outcome.output).not.toMatch(/\bundefined\b|\[object |\n\s+at \S+ \(/)
  for (const { reason, verdict } of outcome.report.results) {
    if (verdict !== 'pass') expect(reason).toMatch(/ /)
    expect(reason?.length ?? 0).toBeLessThan(2100)
  }
  for (const name of filesOf(outcome)) {
    const { size } = statSync(join(reportsIn(outcome.directory), name))
    expect(size, name).toBeLessThan(16_000_000)
  }
  return { ...outcome, requests: hostile.requests }
}

describe('a server with only hostile responses', () => {
  it.each([
    ['never-answers', { instead: 'nothing', because: { kind: 'transport' } }],
    ['deep-json', { instead: 'unreadable', because: { kind: 'unreadable' } }],
    ['status-999', { instead: 'gateway', because: { status: 999 } }],
    ['redirects-in-a-circle', undefined],
  ])('ends soon, for one reason for each service: %s', async (behaviour, noService) => {
    const environment = { PROBE_TIMEOUT_MS: behaviour === 'never-answers' ? '100' : '10000' }
    const outcome = await encounter(behaviour, { environment })
    const reasons = new Set(reasonsOf(outcome, 'inconclusive'))
    const results = outcome.report.results.filter(({ verdict }) => verdict === 'inconclusive')

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass')).toEqual([])
    expect(reasons.size).toBe(catalogues.length)
    for (const { noVerdict } of results) {
      if (noService === undefined) expect(noVerdict).toMatchObject({ kind: 'settings' })
      else expect(noVerdict).toMatchObject({ kind: 'no service', ...noService })
    }
    // The planned cases are missing, not the requirement.
    expect(outcome.report.cases).toContain('user/Bearer')
    expect(outcome.requests.length).toBeLessThan(13 * catalogues.length)
  })

  const tooMany = /\(32 MiB/

  /** Adds keys of prototypes or backslashes to the objects, by path, and texts like tokens to tokens. */
  const confusing = ({ method, url = '' }: { method?: string; url?: string }) =>
    method === 'POST'
      ? 'texts-like-tokens'
      : url.length % 16 === 0
        ? 'many-backslashes'
        : 'prototype-keys'

  type Expected = EncounterOptions & { fails?: RegExp; stopped?: RegExp }

  it.each<[HostileOptions['behaviour'], Expected]>([
    [
      confusing,
      { requirement: ['*/tokens/d*', 'settings', '*/resources/*', 'event-*', 'incident-*'] },
    ],
    [
      'invalid-utf-8',
      { requirement: ['settings', '*/pagination/l*', '*/resources/*'], fails: / not UTF-8/ },
    ],
    ['refuses-before-it-reads', { requirement: ['*/tokens/*', 'settings'], stopped: / 413,/ }],
    [
      'many-records',
      {
        requirement: ['settings', '*/pagination/l*'],
        fails: / items .*, got \d+ items/,
        stopped: tooMany,
      },
    ],
  ])('is judged as far as possible: %s', async (behaviour, { fails, stopped, ...options }) => {
    const outcome = await encounter(behaviour, options)
    const failed = reasonsOf(outcome, 'fail')
    const noVerdict = reasonsOf(outcome, 'inconclusive')

    for (const reason of failed) expect(reason).toMatch(fails ?? /^$/)
    expect(failed.length > 0).toBe(fails !== undefined)
    if (stopped === undefined) expect(noVerdict).toEqual([])
    else expect(noVerdict.join()).toMatch(stopped)
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(outcome.requests.length).toBeLessThan(MAX_REQUESTS)
  })

  it.each([
    // Tokens that arrive together are read up to the memory limit, not always the same.
    ['long-token', tooMany, /\$(?!UNKNOWN_)[A-Z_]+_TOKEN\b/],
    ['token-beyond-header-fields', / header field/, /\$ALL_TOKEN\b/],
  ])(
    'shows no new token that cannot be used, and judges the rest: %s',
    async (behaviour, stopped, shown) => {
      // No response hangs, but a slow machine needs time for megabytes.
      const environment = { PROBE_TIMEOUT_MS: '30000' }
      const requirement = ['tokens', '*/scopes/m*', '*/authentication/b*']
      const outcome = await encounter(behaviour, { environment, requirement })
      const files = filesOf(outcome).map((name) => join(reportsIn(outcome.directory), name))
      const texts = [outcome.output, ...files.map((file) => readFileSync(file, 'utf8'))]

      expect(files.length).toBeGreaterThan(4)
      for (const text of texts) expect(/[\da-f]{38}|жетон/.exec(text)).toBeNull()
      const sent = JSON.stringify(outcome.exchanges)
      expect(sent).toMatch(shown)
      expect(sent).toContain('Bearer $UNKNOWN_TOKEN')
      expect(withVerdict(outcome, 'fail')).toEqual([])
      expect(resultOf(outcome, 'code-hosting/tokens/created').verdict).toBe('inconclusive')
      expect(reasonsOf(outcome, 'inconclusive').join('\n')).toMatch(new RegExp(stopped, 'm'))
      const noVerdict = withVerdict(outcome, 'inconclusive')
      expect(noVerdict.filter((id) => !id.startsWith('code-hosting/'))).toEqual([])
    },
  )
})

describe('a server with one hostile path', () => {
  it('does not delay the run repeatedly', async () => {
    const outcome = await encounter('never-answers', {
      at: /^(?!.*settings)/,
      environment: { PROBE_TIMEOUT_MS: '250' },
      requirement: ['*/pagination/l*', '*/authentication/b*'],
    })

    expect(withVerdict(outcome, 'fail')).toEqual([])
    const stopped = outcome.report.results.filter(({ noVerdict }) => noVerdict?.kind === 'stopped')
    expect(stopped[0]?.noVerdict).toMatchObject({ failures: 4 })
    expect(outcome.requests.length).toBeLessThan(80)
  })
})

it('a list with a page that is too large fails by its number of items', async () => {
  const outcome = await encounter(
    ({ url = '', headers }) => {
      if (url.includes('/tokens')) return 'short-records'
      const isBasic = headers.authorization?.startsWith('Basic')
      return isBasic ? 'records-beyond-the-limit' : 'megabytes-beyond-the-limit'
    },
    {
      at: /limit=26&page=1|^GET .*\/tokens$/,
      requirement: ['*/pagination/limit-l*', '*/pagination/per-*', 'tokens'],
    },
  )
  const { actual, exchanges } = resultOf(outcome, 'code-hosting/pagination/limit-lowered')

  expect(withVerdict(outcome, 'fail')).toEqual(
    ['limit-lowered', 'per-page-header'].map((row) => `code-hosting/pagination/${row}`),
  )
  expect(actual).toMatch(/^20000 items /)
  const contradicting = outcome.report.exchanges.find(({ id }) => id === exchanges[0])
  expect(contradicting?.response).toMatchObject({ status: 200, bodyKept: 64_000 })
  expect(withVerdict(outcome, 'inconclusive')).toEqual([])
  // Its list of tokens cannot be read.
  const unread = resultOf(outcome, 'code-hosting/tokens/value-shown-once')
  expect(unread.verdict).toBe('pass')
  expect(unread.cases?.missing.map(({ noVerdict }) => noVerdict.kind)).toContain('unreadable')
})

const isOfCodeHosting = (id: string) => id.startsWith('code-hosting/')
const links = ['link-targets', 'walk'].map((row) => `code-hosting/pagination/${row}`)

it('nothing goes to another application of the origin', async () => {
  const outcome = await encounter('next-to-another-application', { basePath: '/git' })
  const paths = outcome.requests.map(({ url }) => url)

  expect(paths.filter((path) => !path.startsWith('/git/') || /jenkins/.test(path))).toEqual([])
  expect(withVerdict(outcome, 'fail').filter(isOfCodeHosting)).toEqual(links)
  for (const reason of reasonsOf(outcome, 'fail')) expect(reason).toContain('jenkins/job')
  expect(withVerdict(outcome, 'inconclusive')).toEqual([
    'code-hosting/documentation/served',
    ...['readable', 'key-required', 'key-checked', 'key-in-header'].map(
      (row) => `event-publishing/status/${row}`,
    ),
    ...['accepted', 'key-required', 'key-checked', 'key-in-header'].map(
      (row) => `event-publishing/replay/${row}`,
    ),
  ])
})

describe('nothing goes to another origin', () => {
  /** Starts a server at an origin that is not configured. */
  async function startElsewhere() {
    const { url, connections } = await startSocketServer((socket) => socket.end())
    atTheEnd(closeAll)
    return { elsewhere: url.origin, connections }
  }

  it('after an immediate or a later redirect', async () => {
    const { elsewhere, connections } = await startElsewhere()
    const outcome = await encounter('redirects-elsewhere-308', { elsewhere })
    const at = /^(?!GET)|swagger|\/repos\//
    const later = await encounter('redirects-elsewhere-307', { elsewhere, at })

    expect(connections()).toBe(0)
    expect(reasonsOf(outcome, 'inconclusive')[0]).toContain(` ${elsewhere}`)
    expect(later.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(3)
    expect(later.requests.some(({ url }) => url.endsWith('/api/swagger'))).toBe(true)
    await fetch(elsewhere).catch(() => {})
    expect(connections()).toBe(1)
  })

  it('after a link of a list', async () => {
    const { elsewhere, connections } = await startElsewhere()
    const outcome = await encounter('next-to-a-host', { elsewhere, requirement: links })

    expect(connections()).toBe(0)
    expect(withVerdict(outcome, 'fail').filter(isOfCodeHosting)).toEqual(links)
    expect(outcome.reportText).toContain(new URL(elsewhere).host)
  })
})
