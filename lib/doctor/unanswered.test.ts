import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { examineEnvironment } from './examination.fixture.ts'

const closings: (() => unknown)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns an address at which no server listens. */
async function unusedAddress(): Promise<string> {
  const url = await serve(() => {})
  for (const close of closings.splice(0)) close()
  return url
}

const password = 'a-password-of-maria'

/** Configures all three services at one address, with credentials. */
function allAt(baseUrl: string): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    CODE_HOSTING_USERNAME: 'maria',
    CODE_HOSTING_PASSWORD: password,
    CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/lighthouse',
    EVENT_PUBLISHING_BASE_URL: baseUrl,
    EVENT_PUBLISHING_API_KEY: 'a-key-of-events',
    INCIDENT_STATUS_BASE_URL: baseUrl,
    INCIDENT_STATUS_API_KEY: 'a-key-of-incidents',
    PROBE_RETRIES: '0',
  }
}

function reported(examination: Awaited<ReturnType<typeof examineEnvironment>>): string[] {
  return examination.findings.map(({ service, kind, text }) => `${service} ${kind}: ${text}`)
}

const services = ['code-hosting', 'event-publishing', 'incident-status']

describe('examine, without the service', () => {
  it('reports one problem per service, and no facts', async () => {
    const examination = await examineEnvironment(allAt(await unusedAddress()))

    expect(reported(examination)).toEqual(
      services.map((service) =>
        expect.stringMatching(
          `^${service} target: .*cannot be reached: .*connection was refused.*BASE_URL right\\?$`,
        ),
      ),
    )
    expect([examination.facts, examination.clocks]).toEqual([{}, {}])
  })

  it('sends no password', async () => {
    const authorizations: (string | undefined)[] = []
    const baseUrl = await serve((request) => {
      authorizations.push(request.headers.authorization)
      request.socket.destroy()
    })
    const { facts } = await examineEnvironment({
      CODE_HOSTING_BASE_URL: baseUrl,
      CODE_HOSTING_USERNAME: 'maria',
      CODE_HOSTING_PASSWORD: password,
      PROBE_RETRIES: '0',
    })

    expect(facts).toEqual({})
    expect(authorizations.length).toBeGreaterThan(0)
    expect(authorizations.filter((value) => value !== undefined)).toEqual([])
  })

  it('reports a web page', async () => {
    const baseUrl = await serve((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<p>Welcome</p>')
    })
    const examination = await examineEnvironment(allAt(baseUrl))

    expect(reported(examination)).toEqual([
      expect.stringMatching(/^code-hosting target: .*does not respond like/),
      expect.stringMatching(/^event-publishing target: .*does not respond like/),
      expect.stringMatching(
        /^incident-status unknown: Unknown if it is the service .*200 and a web page/,
      ),
      expect.stringMatching(
        /^incident-status unknown: Unknown if INCIDENT_STATUS_API_KEY is accepted/,
      ),
    ])
    expect(Object.keys(examination.facts)).toEqual(['incident-status'])
  })

  it('reports a gateway', async () => {
    const baseUrl = await serve((_, response) => {
      response.writeHead(503).end()
    })
    const examination = await examineEnvironment(allAt(baseUrl))

    expect(reported(examination).slice(0, 3)).toEqual([
      expect.stringMatching(/^code-hosting target: .*503/),
      expect.stringMatching(/^event-publishing target: .*503/),
      expect.stringMatching(
        /^incident-status warning: It may not be the service .*503.* Is it up\?$/,
      ),
    ])
  })

  it('reports the address to which a base URL redirects, and sends no password', async () => {
    const authorizations: (string | undefined)[] = []
    const baseUrl = await serve(({ url, headers }, response) => {
      authorizations.push(headers.authorization)
      response.writeHead(301, { Location: `https://git.example.com/forge${url}` }).end()
    })
    const examination = await examineEnvironment(allAt(baseUrl))

    expect(reported(examination)).toEqual(
      ['CODE_HOSTING', 'EVENT_PUBLISHING', 'INCIDENT_STATUS'].map((name, index) =>
        expect.stringMatching(
          `^${services[index]} configuration: .*${name}_BASE_URL=https://git.example.com/forge$`,
        ),
      ),
    )
    expect(examination.facts).toEqual({})
    expect(authorizations.some((value) => value?.startsWith('Basic'))).toBe(false)
  })
})
