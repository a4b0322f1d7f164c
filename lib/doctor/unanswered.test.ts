import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeAll, closedPort, startServer } from '../probe/server.fixture.ts'
import { examineEnvironment } from './examination.fixture.ts'

afterAll(closeAll)

/** Configures all three services at one address, with credentials. */
function allAt(baseUrl: string): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    CODE_HOSTING_USERNAME: 'maria',
    CODE_HOSTING_PASSWORD: 'her-password',
    CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/lighthouse',
    EVENT_PUBLISHING_BASE_URL: baseUrl,
    EVENT_PUBLISHING_API_KEY: 'a-key-of-events',
    INCIDENT_STATUS_BASE_URL: baseUrl,
    INCIDENT_STATUS_API_KEY: 'a-key-of-incidents',
    PROBE_RETRIES: '0',
  }
}

const services = ['code-hosting', 'event-publishing', 'incident-status']

interface Server {
  /** Undefined if no server listens. */
  listener?: RequestListener
  /** Service and kind of each finding. */
  findings: string[]
  /** Services that respond. */
  facts: string[]
}

const servers: Record<string, Server> = {
  'no server': { findings: services.map((service) => `${service} target`), facts: [] },
  'closed connections': {
    listener: ({ socket }) => socket.destroy(),
    findings: services.map((service) => `${service} target`),
    facts: [],
  },
  'a web page': {
    listener: (_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<p>Welcome</p>'),
    findings: [
      'code-hosting target',
      'event-publishing target',
      'incident-status unknown',
      'incident-status unknown',
    ],
    facts: ['incident-status'],
  },
  'a gateway': {
    listener: (_, response) => response.writeHead(503).end(),
    findings: [
      'code-hosting target',
      'event-publishing target',
      'incident-status warning',
      'incident-status unknown',
    ],
    facts: ['incident-status'],
  },
  'a redirect': {
    listener: ({ url }, response) =>
      response.writeHead(301, { Location: `https://git.example.com/forge${url}` }).end(),
    findings: services.map((service) => `${service} configuration`),
    facts: [],
  },
}

interface Examined extends Awaited<ReturnType<typeof examineEnvironment>> {
  baseUrl: string
  /** Number of requests with a password. */
  passwords: number
}

const examined = new Map<string, Examined>()

beforeAll(async () => {
  for (const [name, { listener }] of Object.entries(servers)) {
    let passwords = 0
    const server = await startServer((request, response) => {
      if (request.headers.authorization?.startsWith('Basic')) passwords += 1
      listener?.(request, response)
    })
    const { origin } = server.url
    const baseUrl = listener === undefined ? `http://127.0.0.1:${await closedPort()}` : origin
    examined.set(name, { ...(await examineEnvironment(allAt(baseUrl))), baseUrl, passwords })
  }
})

describe('examine', () => {
  it.each(Object.entries(servers))('reports %s', (name, { findings, facts }) => {
    const examination = examined.get(name)
    expect(examination?.findings.map(({ service, kind }) => `${service} ${kind}`)).toEqual(findings)
    expect(Object.keys(examination?.facts ?? {})).toEqual(facts)
  })

  it.each(['closed connections', 'a gateway', 'a redirect'])('sends no password to %s', (name) => {
    expect(examined.get(name)?.passwords).toBe(0)
  })

  it('returns the texts of the snapshot', async () => {
    const texts = [...examined].map(([name, { findings, baseUrl }]) => {
      const lines = findings.map(({ service, kind, text }) => `  ${service} ${kind}: ${text}\n`)
      return `${name}\n${lines.join('')}`.replaceAll(new RegExp(baseUrl, 'gi'), '<base URL>')
    })
    await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/unreachable.txt')
  })
})
