import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type HostileOptions, startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd } from './command.fixture.ts'
import { type EnclosedOutcome, enclosedRun, idsWith, reasonsOf } from './enclosed-run.fixture.ts'

/** An origin that nobody has configured, and all that ever comes there. */
async function startElsewhere(): Promise<{ origin: string; heard: string[] }> {
  const heard: string[] = []
  const server = createServer((socket) => {
    heard.push('a connection')
    socket.on('error', () => {})
    socket.on('data', (bytes) => heard.push(bytes.toString('latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { origin: `http://127.0.0.1:${port}`, heard }
}

interface Visit {
  outcome: EnclosedOutcome
  /** What came to the origin elsewhere. */
  heard: readonly string[]
  requests: Awaited<ReturnType<typeof startHostile>>['requests']
  elsewhere: string
}

async function visit(
  behaviour: string,
  environment: (elsewhere: string) => Record<string, string> = () => ({}),
  at?: HostileOptions['at'],
): Promise<Visit> {
  const { origin, heard } = await startElsewhere()
  const hostile = await startHostile({ behaviour, elsewhere: origin, at })
  atTheEnd(() => hostile.close())
  const outcome = await enclosedRun({
    ...hostile.environment,
    PROBE_RETRIES: '0',
    ...environment(origin),
  })
  await hostile.close()
  return { outcome, heard, requests: hostile.requests, elsewhere: origin }
}

describe('nothing goes to another origin', () => {
  it.each([302, 308])('when it is redirected there with %d', async (status) => {
    const { outcome, heard, requests, elsewhere } = await visit(`redirects-elsewhere-${status}`)

    expect(heard).toEqual([])
    expect(requests.length).toBeGreaterThan(5)
    expect(outcome.errors).not.toMatch(/^plumbline: /m)
    expect(reasonsOf(outcome, 'inconclusive')[0]).toContain(`a redirect to ${elsewhere}`)
  })

  it('when only what a run asks for later is redirected there', async () => {
    const { heard, requests } = await visit(
      'redirects-elsewhere-307',
      undefined,
      ({ method, url }) => method !== 'GET' || /swagger|\/repos\//.test(url ?? ''),
    )

    expect(heard).toEqual([])
    expect(requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(3)
    expect(requests.some(({ url }) => url.endsWith('/api/swagger'))).toBe(true)
  })

  it.each(['next-elsewhere', 'next-to-a-host'])('when a list has a %s', async (behaviour) => {
    const { outcome, heard, elsewhere } = await visit(behaviour)

    expect(heard).toEqual([])
    expect(idsWith(outcome, 'fail')).toEqual([
      'code-hosting/pagination/link-relations',
      'code-hosting/pagination/link-targets',
      'code-hosting/pagination/walk',
    ])
    expect(JSON.stringify(outcome.report.exchanges)).toContain(new URL(elsewhere).host)
    expect(outcome.status).toBe(1)
  })

  it('when every field and error body names one, and cookies are not sent back', async () => {
    const { outcome, heard, requests, elsewhere } = await visit('points-elsewhere')
    const bodies = outcome.report.exchanges.map(({ response }) => response?.body ?? '')

    expect(heard).toEqual([])
    expect(bodies.filter((body) => body.includes(`"url":"${elsewhere}`)).length).toBeGreaterThan(10)
    expect(requests.length).toBeGreaterThan(150)
    expect(requests.filter(({ headers }) => 'cookie' in headers)).toEqual([])
  })

  it('of a proxy that is not meant for the host, nor of one for https', async () => {
    const { outcome, heard } = await visit('sets-cookies', (elsewhere) => ({
      HTTP_PROXY: elsewhere,
      http_proxy: elsewhere,
      HTTPS_PROXY: elsewhere,
      NO_PROXY: 'localhost, 127.0.0.1',
    }))
    const secure = await visit('sets-cookies', (elsewhere) => ({ HTTPS_PROXY: elsewhere }))

    expect(heard).toEqual([])
    expect(outcome.status).toBe(0)
    expect(secure.heard).toEqual([])
    expect(secure.outcome.status).toBe(0)
  })

  it('for that is where a request with credentials would be heard', async () => {
    const { origin, heard } = await startElsewhere()
    await enclosedRun({
      INCIDENT_STATUS_BASE_URL: origin,
      INCIDENT_STATUS_API_KEY: 'a-key-that-is-heard',
      INCIDENT_STATUS_INCIDENT_ID: 'INC-1',
      INCIDENT_STATUS_UPDATE_BODY: '{}',
      PROBE_RETRIES: '0',
      PROBE_TIMEOUT_MS: '300',
    })

    expect(heard).toContain('a connection')
    expect(heard.join()).toContain('POST /v1/incidents/INC-1/updates')
  })
})
