import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { curlCommand } from '../probe/curl.ts'
import { type HostileOptions, startHostile } from '../reference/hostile/index.fixture.ts'
import {
  atTheEnd,
  filesOf,
  reasonsOf,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

const MEBIBYTE = 1024 * 1024
const TIMEOUT_MS = 250
const MAX_REQUESTS = 133 * catalogues.length

interface EncounterOptions extends Pick<HostileOptions, 'basePath' | 'elsewhere'> {
  /** The requests that meet the behaviour, as `GET /path`. */
  at?: RegExp
  environment?: Record<string, string>
}

/** A run against a deployment that misbehaves, and what was asked of it. */
async function encounter(behaviour: string, options: EncounterOptions = {}) {
  const { at, basePath, elsewhere, environment } = options
  const hostile = await startHostile({
    behaviour,
    elsewhere,
    paceMs: 20,
    ...(basePath !== undefined && { basePath }),
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
  // No server causes an internal error or an unreadable message.
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

describe('a server with only hostile responses', () => {
  it.each([
    ['never-answers', /cannot be reached: .*no complete response within 250 ms/],
    ['closes-behind-the-header', /cannot be reached: .*closed before the response ended/],
    ['deep-json', /a response that cannot be read: .*nested 100001 levels deep/],
    ['redirects-in-a-circle', /does not respond like .*a redirect to /],
    ['status-999', /a gateway did: .*returned 999, which (?:is no status|a gateway may)/],
  ])('ends soon, for one reason for each service: %s', async (behaviour, reason) => {
    const outcome = await encounter(behaviour)
    const reasons = new Set(reasonsOf(outcome, 'inconclusive'))

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass')).toEqual([])
    expect(reasons.size).toBe(catalogues.length)
    for (const reported of reasons) expect(reported).toMatch(reason)
    expect(outcome.requests.length).toBeLessThan(13 * catalogues.length)
  })

  const tooMany = /the large responses of this run are more together than are kept \(32 MiB/

  it.each<[string, { fails?: RegExp; stopped?: RegExp }]>([
    ['prototype-keys', {}],
    ['texts-like-tokens', {}],
    ['many-backslashes', {}],
    ['invalid-utf-8', { fails: /JSON that is not UTF-8/ }],
    ['refuses-before-it-reads', { stopped: /returned 413, which a gateway may have sent/ }],
    [
      'many-records',
      {
        fails: /expected \d+ items at most, got (19900 items|\d+ items or more)/,
        stopped: tooMany,
      },
    ],
    ['long-messages', { fails: /: expected message "/, stopped: /characters, more than 4096/ }],
  ])('is judged as far as possible: %s', async (behaviour, { fails, stopped }) => {
    const outcome = await encounter(behaviour)
    const failed = reasonsOf(outcome, 'fail')
    const noVerdict = reasonsOf(outcome, 'inconclusive')

    for (const reason of failed) expect(reason).toMatch(fails ?? /nothing fails/)
    expect(failed.length > 0).toBe(fails !== undefined)
    if (stopped === undefined) expect(noVerdict).toEqual([])
    else expect(noVerdict.join()).toMatch(stopped)
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(0)
    expect(outcome.requests.length).toBeLessThan(MAX_REQUESTS)
  })

  it.each([
    ['long-token', tooMany],
    ['token-of-six-kilobytes', /^the value of the new token has 6000 characters/],
    ['token-beyond-header-fields', /^the value of the new token .* header field/],
  ])(
    'shows no new token that cannot be used, and judges the rest: %s',
    async (behaviour, stopped) => {
      const outcome = await encounter(behaviour)
      const files = filesOf(outcome).map((name) => join(outcome.directory, 'reports', name))
      const shown = [outcome.output, ...files.map((file) => readFileSync(file, 'utf8'))]

      expect(files.length).toBeGreaterThan(4)
      for (const text of shown) expect(/[\da-f]{38}|жетон/.exec(text)).toBeNull()
      expect(outcome.reportText).toContain('$ALL_TOKEN')
      expect(outcome.reportText).toContain('Bearer $UNKNOWN_TOKEN')
      expect(withVerdict(outcome, 'fail')).toEqual([])
      expect(resultOf(outcome, 'code-hosting/tokens/created').verdict).toBe('inconclusive')
      expect(reasonsOf(outcome, 'inconclusive').join('\n')).toMatch(new RegExp(stopped, 'm'))
      const noVerdict = withVerdict(outcome, 'inconclusive')
      expect(noVerdict.filter((id) => !id.startsWith('code-hosting/'))).toEqual([])
    },
  )
})

describe('a server with one hostile path', () => {
  it('is judged by the other paths', async () => {
    const outcome = await encounter('endless-body', { at: /user\/repos/ })

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(40)
  })

  it('does not delay the run repeatedly', async () => {
    const outcome = await encounter('never-answers', { at: /^(?!.*settings)/ })

    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(reasonsOf(outcome, 'inconclusive').join()).toContain('is no longer requested: 4 ')
    expect(outcome.requests.length).toBeLessThan(80)
  })

  it('cannot cause an endless list', async () => {
    const outcome = await encounter('endless-list')

    // It lists what is not there.
    expect(withVerdict(outcome, 'fail')).toEqual(['code-hosting/resources/listed-repository'])
    expect(reasonsOf(outcome, 'inconclusive').join()).toMatch(/has no end|PROBE_MAX_PAGES/)
    expect(outcome.requests.length).toBeLessThan(1000)
  })
})

describe('a list with a page that is too large', () => {
  const tooLong = ['limit-lowered', 'per-page-header'].map(
    (row) => `code-hosting/pagination/${row}`,
  )

  it.each(['records-beyond-the-limit', 'megabytes-beyond-the-limit'])(
    'fails by its number of items: %s',
    async (behaviour) => {
      const outcome = await encounter(behaviour)
      const { actual, exchanges } = resultOf(outcome, 'code-hosting/pagination/limit-lowered')

      expect(withVerdict(outcome, 'fail').sort()).toEqual(tooLong)
      expect(actual).toBe('20000 items or more')
      const shown = outcome.report.exchanges.find(({ id }) => id === exchanges[0])
      expect(shown?.response).toMatchObject({ status: 200, bodyKept: 64_000 })
      const settings = 'code-hosting/settings/agree-with-pagination'
      expect(withVerdict(outcome, 'inconclusive')).toEqual([settings])
    },
  )

  it('is judged by the checks that need no page', async () => {
    const outcome = await encounter('short-records')

    expect(withVerdict(outcome, 'fail')).toEqual(expect.arrayContaining(tooLong))
    const unread = resultOf(outcome, 'code-hosting/tokens/value-shown-once')
    expect([unread.verdict, unread.reason]).toEqual(['pass', expect.stringMatching(/left out/)])
    const judged = withVerdict(outcome, 'pass')
    expect(judged).toContain('code-hosting/authentication/bearer')
    expect(judged).toContain('code-hosting/scopes/read-suffices')
    expect(withVerdict(outcome, 'inconclusive').length).toBeLessThan(25)
  })
})

const isOfCodeHosting = (id: string) => id.startsWith('code-hosting/')
const links = ['link-relations', 'link-targets', 'walk'].map(
  (row) => `code-hosting/pagination/${row}`,
)

it.each(['next-to-itself', 'next-to-a-script', 'next-to-another-path'])(
  'a list with wrong links fails only by its links: %s',
  async (behaviour) => {
    const outcome = await encounter(behaviour)
    expect(withVerdict(outcome, 'fail').filter(isOfCodeHosting)).toEqual(links)
    expect(outcome.requests.length).toBeLessThan(MAX_REQUESTS)
  },
)

it.each(['next-to-another-application', 'next-by-dot-segments'])(
  'nothing goes to another application of the origin: %s',
  async (behaviour) => {
    const outcome = await encounter(behaviour, { basePath: '/git' })
    const paths = outcome.requests.map(({ url }) => url)

    expect(paths.filter((path) => !path.startsWith('/git/') || /jenkins/.test(path))).toEqual([])
    expect(withVerdict(outcome, 'fail').filter(isOfCodeHosting)).toEqual(links.slice(1))
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
  },
)

it('no command of a report executes or expands text of a server', async () => {
  const { output, report } = await encounter('next-to-variables')
  const directory = temporaryDirectory()
  const commands = report.exchanges.map((exchange) => curlCommand(exchange))
  const secrets = { OTHER_SECRET: 'of-another', CODE_HOSTING_PASSWORD: 'known' }
  const env = { PATH: process.env.PATH, HOME: directory, ...secrets }
  const script = `curl() { printf '%s\\n' "$@"; }\n${commands.join('\n')}`
  const words = execFileSync('bash', ['-c', script], { cwd: directory, env, encoding: 'utf8' })
  const urls = words.split('\n').filter((word) => word.includes('OTHER_SECRET'))

  expect(urls.length).toBeGreaterThan(5)
  for (const url of urls) expect(url).toMatch(/%24OTHER_SECRET%24CODE_HOSTING_PASSWORD(&|$)/)
  expect(words).toContain(':known\n')
  expect(words).not.toContain('of-another')
  expect(readdirSync(directory)).toEqual([])
  expect(output).not.toContain('$OTHER_SECRET')
})

describe('nothing goes to another origin', () => {
  /** Starts a server at an origin that is not configured, and records its requests. */
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

  it('after an immediate or a later redirect', async () => {
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

  it('after a link of a list', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const outcome = await encounter('next-to-a-host', { elsewhere })

    expect(heard).toEqual([])
    expect(withVerdict(outcome, 'fail').filter(isOfCodeHosting)).toEqual(links)
    expect(outcome.reportText).toContain(new URL(elsewhere).host)
  })

  it('from header fields and error bodies, and cookies are not sent back', async () => {
    const { elsewhere, heard } = await startElsewhere()
    const { report, requests } = await encounter('points-elsewhere', { elsewhere })
    const bodies = report.exchanges.map(({ response }) => response?.body ?? '')

    expect(heard).toEqual([])
    expect(bodies.filter((body) => body.includes(`"url":"${elsewhere}`)).length).toBeGreaterThan(10)
    expect(requests.length).toBeGreaterThan(150)
    expect(requests.filter(({ headers }) => 'cookie' in headers)).toEqual([])
  })

  it('through a proxy of another host', async () => {
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
