import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type HostileOptions, startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd, filesOf, reasonsOf, withVerdict } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

const MEBIBYTE = 1024 * 1024
const TIMEOUT_MS = 250

interface EncounterOptions extends Pick<HostileOptions, 'elsewhere'> {
  /** The requests that meet the behaviour, as `GET /path`. */
  at?: RegExp
  environment?: Record<string, string>
}

/** A run against a deployment that misbehaves, and what was asked of it. */
async function encounter(behaviour: string, options: EncounterOptions = {}) {
  const { at, elsewhere, environment } = options
  const hostile = await startHostile({
    behaviour,
    elsewhere,
    paceMs: 20,
    at: at && (({ method, url }) => at.test(`${method} ${url}`)),
  })
  atTheEnd(() => hostile.close())
  const outcome = await enclosedRun({
    ...hostile.environment,
    PROBE_RETRIES: '1',
    ...(behaviour.startsWith('never') ? { PROBE_TIMEOUT_MS: String(TIMEOUT_MS) } : {}),
    ...environment,
  })
  await hostile.close()
  // Whatever a server does, nothing goes wrong in Plumbline, and a person can read what it says.
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  expect(outcome.output).not.toMatch(/\bundefined\b|\[object |\n\s+at \S+ \(/)
  for (const { reason, verdict } of outcome.report.results) {
    if (verdict !== 'pass') expect(reason).toMatch(/ /)
    expect(reason?.length ?? 0).toBeLessThan(2100)
  }
  for (const name of filesOf(outcome)) {
    const { size } = statSync(join(outcome.directory, 'reports', name))
    expect(size, name).toBeLessThan(16 * MEBIBYTE)
  }
  return { ...outcome, requests: hostile.requests }
}

describe('a deployment in which every answer is hostile', () => {
  it.each([
    ['never-answers', /cannot be reached: .*no complete response within 250 ms/],
    ['closes-behind-the-header', /cannot be reached: .*closed before the response ended/],
    ['deep-json', /gives no answer that can be read: .*nested 100001 levels deep/],
    ['redirects-in-a-circle', /does not answer like .*a redirect to /],
    ['status-999', /gives no answer of its own: .*with 999, which (?:is no status|a gateway may)/],
  ])('ends soon, for one reason for each service: %s', async (behaviour, reason) => {
    const outcome = await encounter(behaviour)
    const reasons = new Set(reasonsOf(outcome, 'inconclusive'))

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass')).toEqual([])
    expect(reasons.size).toBe(3)
    for (const given of reasons) expect(given).toMatch(reason)
    expect(outcome.requests.length).toBeLessThan(40)
  })

  const tooMany = /the large responses of this run are more together than are kept \(32 MiB/

  it.each<[string, { fails?: RegExp; stopped?: RegExp }]>([
    ['prototype-keys', {}],
    ['texts-like-tokens', {}],
    ['invalid-utf-8', { fails: /and it is not UTF-8/ }],
    ['refuses-before-it-reads', { stopped: /answered with 413, which a gateway may have sent/ }],
    ['many-records', { fails: /expected \d+ items at most, got 19900 items/, stopped: tooMany }],
    ['long-messages', { fails: /: expected message "/, stopped: /no more than 4096 are read/ }],
    ['long-token', { fails: /expected a token value of at most 4 kB/, stopped: tooMany }],
  ])('is judged as far as that goes: %s', async (behaviour, { fails, stopped }) => {
    const outcome = await encounter(behaviour)
    const failed = reasonsOf(outcome, 'fail')
    const unjudged = reasonsOf(outcome, 'inconclusive')

    for (const reason of failed) expect(reason).toMatch(fails ?? /nothing fails/)
    expect(failed.length > 0).toBe(fails !== undefined)
    if (stopped === undefined) expect(unjudged).toEqual([])
    else expect(unjudged.join()).toMatch(stopped)
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(outcome.requests.length).toBeLessThan(340)
  })
})

describe('a deployment in which one path is hostile', () => {
  it('is judged for the rest', async () => {
    const outcome = await encounter('endless-body', { at: /user\/repos/ })

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(40)
  })

  it('is not waited for again and again', async () => {
    const outcome = await encounter('never-answers', { at: /^(?!.*settings)/ })

    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(reasonsOf(outcome, 'inconclusive').join()).toContain(
      'is not asked for any more: 4 times',
    )
    expect(outcome.requests.length).toBeLessThan(80)
  })

  it('has no list without an end', async () => {
    const outcome = await encounter('endless-list')

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(reasonsOf(outcome, 'inconclusive').join()).toMatch(/has no end|PROBE_MAX_PAGES/)
    expect(outcome.requests.length).toBeLessThan(1000)
  })
})

const links = ['link-relations', 'link-targets', 'walk'].map(
  (row) => `code-hosting/pagination/${row}`,
)

it.each(['next-to-itself', 'next-to-a-script'])(
  'a list that leads astray fails by its links alone: %s',
  async (behaviour) => {
    const outcome = await encounter(behaviour)
    expect(withVerdict(outcome, 'fail')).toEqual(links)
    expect(outcome.requests.length).toBeLessThan(400)
  },
)

describe('nothing goes to another origin', () => {
  /** An origin that nobody has configured, and all that ever comes there. */
  async function startElsewhere(): Promise<{ elsewhere: string; heard: string[] }> {
    const heard: string[] = []
    const server = createServer((socket) => {
      heard.push('a connection')
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        heard.push(bytes.toString('latin1'))
        socket.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atTheEnd(() => server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    return { elsewhere: `http://127.0.0.1:${port}`, heard }
  }

  it('when it is redirected there, at once or later', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const outcome = await encounter('redirects-elsewhere-308', { elsewhere })
    const at = /^(?!GET)|swagger|\/repos\//
    const later = await encounter('redirects-elsewhere-307', { elsewhere, at })

    expect(heard).toEqual([])
    expect(reasonsOf(outcome, 'inconclusive')[0]).toContain(`a redirect to ${elsewhere}`)
    expect(later.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(3)
    expect(later.requests.some(({ url }) => url.endsWith('/api/swagger'))).toBe(true)
    // A request would have been heard.
    await fetch(elsewhere).catch(() => {})
    expect(heard[1]).toContain('GET / HTTP/1.1')
  })

  it('when a list goes on there', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const outcome = await encounter('next-to-a-host', { elsewhere })

    expect(heard).toEqual([])
    expect(withVerdict(outcome, 'fail')).toEqual(links)
    expect(outcome.reportText).toContain(new URL(elsewhere).host)
  })

  it('when every field and error body names one, and cookies are not sent back', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const { report, requests } = await encounter('points-elsewhere', { elsewhere })
    const bodies = report.exchanges.map(({ response }) => response?.body ?? '')

    expect(heard).toEqual([])
    expect(bodies.filter((body) => body.includes(`"url":"${elsewhere}`)).length).toBeGreaterThan(10)
    expect(requests.length).toBeGreaterThan(150)
    expect(requests.filter(({ headers }) => 'cookie' in headers)).toEqual([])
  })

  it('of a proxy that is not meant for the host', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const { status } = await encounter('sets-cookies', {
      environment: {
        HTTP_PROXY: elsewhere,
        http_proxy: elsewhere,
        HTTPS_PROXY: elsewhere,
        NO_PROXY: 'localhost, 127.0.0.1',
      },
    })
    expect([status, heard]).toEqual([0, []])
  })
})
