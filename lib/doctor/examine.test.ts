import type { RequestListener } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { catalogues } from '../cli/services.ts'
import { Inconclusive } from '../conformance/check-errors.ts'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import { closeAll, closedPort, startServer } from '../probe/server.fixture.ts'
import type { FindingKind } from './doctor-report.ts'
import { examineEnvironment, examineReference } from './examination.fixture.ts'
import { examineKey } from './reachability.ts'

afterAll(closeAll)

/** Maximum number of requests without retries. */
const MAX_REQUESTS = 19 + 3 * catalogues.length

describe('examine', () => {
  it('sends only a few GET requests, and finds no problem in a conforming server', async () => {
    const { seen, texts, facts } = await examineReference({}, (environment) => {
      return { ...environment, EVENT_PUBLISHING_EVENT_ID: 'gone' }
    })
    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(seen.length).toBeLessThanOrEqual(MAX_REQUESTS)
    expect(texts('target', 'warning')).toEqual([])
    expect(texts('configuration')).toEqual([expect.stringContaining('EVENT_PUBLISHING_EVENT_ID')])
    expect(Object.keys(facts)).toEqual(catalogues.map(({ service }) => service))
    const found = { repositories: 57, totalCount: true, listsPrivate: true, isMainAdmin: false }
    expect(facts['code-hosting']).toEqual(found)
  })

  it('redacts and truncates the text of a finding', async () => {
    const { findings, texts, environment } = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          userRecord: (account) => ({ login: `${account.password} ${'x'.repeat(5000)}` }),
        }),
      },
    })
    const reported = JSON.stringify(findings)
    expect(texts('configuration')[0]).toMatch(/\$CODE_HOSTING_PASSWORD/)
    expect(reported).not.toContain(environment.CODE_HOSTING_PASSWORD)
    expect(reported.length).toBeLessThan(10_000)
  })
})

const probed = ['code-hosting', 'event-publishing', 'incident-status'] as const

/** Configures these services at one address, with credentials. */
const allAt = (baseUrl: string): Record<string, string> => ({
  CODE_HOSTING_USERNAME: 'maria',
  CODE_HOSTING_PASSWORD: 'her-password',
  CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/lighthouse',
  EVENT_PUBLISHING_API_KEY: 'a-key-of-events',
  INCIDENT_STATUS_API_KEY: 'a-key-of-incidents',
  PROBE_RETRIES: '0',
  ...Object.fromEntries(
    probed.map((service) => [`${service.toUpperCase().replace('-', '_')}_BASE_URL`, baseUrl]),
  ),
})

/** Servers by name; undefined if no server listens. */
const servers: Record<string, RequestListener | undefined> = {
  'no server': undefined,
  'closed connections': ({ socket }) => socket.destroy(),
  'a web page': (_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<p>Welcome</p>')
  },
  'a gateway': (_, response) => response.writeHead(503).end(),
  'a redirect': ({ url }, response) => {
    response.writeHead(301, { Location: `https://git.example.com/forge${url}` }).end()
  },
}

it('reports servers that are not the service, and sends no password to others than web pages', async () => {
  const texts: string[] = []
  for (const [name, listener] of Object.entries(servers)) {
    let passwords = 0
    const server = await startServer((request, response) => {
      if (request.headers.authorization?.startsWith('Basic')) passwords += 1
      listener?.(request, response)
    })
    const { origin } = server.url
    const baseUrl = listener === undefined ? `http://127.0.0.1:${await closedPort()}` : origin
    const { findings, facts } = await examineEnvironment(allAt(baseUrl))
    // A web page may be of the service, so each password is tried once.
    expect.soft(passwords, name).toBe(name === 'a web page' ? 1 : 0)
    const lines = findings.map(({ service, kind, text }) => `  ${service} ${kind}: ${text}\n`)
    const responding = Object.keys(facts).map((service) => `  ${service} responds\n`)
    const text = [`${name}\n`, ...lines, ...responding].join('')
    texts.push(text.replaceAll(new RegExp(baseUrl, 'gi'), '<base URL>'))
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/unreachable.txt')
})

const key = { variable: 'SOME_API_KEY', ifRejected: 'target' } as const

/** Returns a request whose response has this status. */
const responding = (status: number, documentsStatuses: boolean) => async () => {
  const exchange = exchangeWith({ status, documentsStatuses })
  if (exchange.origin.by !== 'service') {
    throw new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
  }
  return exchange
}

it.each<[string, number, number, boolean, FindingKind]>([
  ['is accepted', 404, 401, true, 'ok'],
  ['looks refused', 401, 401, true, 'target'],
  ['is accepted if a rejection may have any status', 404, 503, false, 'ok'],
  ['is unknown after a response of a gateway', 404, 503, true, 'unknown'],
  ['is unknown after a rate limit', 429, 404, false, 'unknown'],
  ['is unknown if both statuses are equal', 404, 404, true, 'unknown'],
])('examineKey reports that a key %s', async (_, withKey, withoutKey, documents, expected) => {
  const kinds: FindingKind[] = []
  const requests = {
    withKey: responding(withKey, documents),
    withoutKey: responding(withoutKey, documents),
  }
  const recorder = {
    add: (kind: FindingKind) => void kinds.push(kind),
    attempt: async () => undefined,
  }
  await examineKey(requests, key, recorder)
  expect(kinds).toEqual([expected])
})
