import { afterEach, describe, expect, it } from 'vitest'
import { basic, bearer, bodyMembers } from './credentials.ts'
import { TransportError } from './exchange.ts'
import { closeAll, startProbe, startServer } from './server.fixture.ts'

afterEach(closeAll)

describe('a request', () => {
  it('is sent as specified, and recorded completely', async () => {
    let received: unknown
    const { url } = await startServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const { 'x-extra': extra, authorization, 'user-agent': agent } = request.headers
      received = { method: request.method, path: request.url, extra, authorization, agent, body }
      setTimeout(() => response.writeHead(201, { 'X-Case': 'kept' }).end('{"id":"é"}'), 30)
    })
    const probe = startProbe()
    const exchange = await probe.ask(new URL('/a%20b?c=d', url), {
      method: 'POST',
      headers: { 'X-Extra': 'ö' },
      credentials: basic('maria', 'pä'),
      body: '{"é":1}',
      endpoint: 'POST /a',
    })
    const authorization = `Basic ${Buffer.from('maria:pä').toString('base64')}`
    const sent = { method: 'POST', body: '{"é":1}' }
    const agent = 'plumbline/test'
    expect(received).toEqual({ ...sent, path: '/a%20b?c=d', extra: 'ö', authorization, agent })
    expect(exchange).toMatchObject({ id: 'e1', status: 201, json: { id: 'é' } })
    const { record } = exchange
    expect(probe.records).toEqual([record])
    const fields = { 'User-Agent': agent, 'X-Extra': 'ö', Authorization: authorization }
    const headers = Object.entries(fields).map(([name, value]) => ({ name, value }))
    expect(record).toMatchObject({
      ...{ id: 'e1', service: 'test', purpose: 'test', endpoint: 'POST /a', attempt: 1 },
      request: { ...sent, headers },
      response: { status: 201, body: '{"id":"é"}', bodyBytes: 11 },
      error: null,
    })
    expect(record.response?.headers).toContainEqual({ name: 'X-Case', value: 'kept' })
    expect(Math.abs(Date.now() - Date.parse(record.startedAt))).toBeLessThan(60_000)
    expect(record.durationMs).toBeGreaterThan(20)
  })
})

it('credentials in the body are JSON, also of a request without another body', async () => {
  const { url } = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    response.end(`${request.headers['content-type']} ${body}`)
  })
  const credentials = bodyMembers(['key'], 'k1')
  const { text } = await startProbe().ask(url, { method: 'POST', credentials })
  expect(text).toBe('application/json {"key":"k1"}')
})

it('a named connection carries the requests with its name one after the other, and no other request', async () => {
  const { url, connections } = await startServer((request, response) =>
    response.end(`${request.socket.remotePort}`),
  )
  const probe = startProbe()
  const ask = (connection?: string) =>
    probe.ask(url, { method: 'POST', connection }).then(({ text }) => text)
  const names = ['one', undefined, 'two', 'one', undefined, 'two', 'one'] as const
  const ports = await Promise.all(names.map(ask))
  const portsOf = (name?: string) => new Set(ports.filter((_, index) => names[index] === name))
  expect(portsOf('one').size).toBe(1)
  expect(portsOf('two').size).toBe(1)
  expect([...portsOf('one'), ...portsOf('two'), ...portsOf()]).toHaveLength(connections())
})

describe('concurrency', () => {
  it('is used completely and never exceeded', async () => {
    let active = 0
    let maxActive = 0
    const listener = (_: unknown, response: { end(): void }) => {
      active += 1
      maxActive = Math.max(maxActive, active)
      setTimeout(() => {
        active -= 1
        response.end()
      }, 5)
    }
    const servers = await Promise.all([startServer(listener), startServer(listener)])
    const probe = startProbe({ concurrency: 3 })
    const urls = Array.from({ length: 30 }, (_, index) => servers[index % 2]?.url ?? '')
    await Promise.all(urls.map((url) => probe.ask(url)))
    expect(maxActive).toBe(3)
    expect(probe.records.map(({ id }) => Number(id.slice(1))).sort((a, b) => a - b)).toEqual(
      urls.map((_, index) => index + 1),
    )
  })

  it('is not reduced by requests that wait for their connection', async () => {
    let end = (): void => {}
    const { url } = await startServer((request, response) => {
      if (request.url === '/held') end = () => response.end()
      else response.end(() => end())
    })
    const probe = startProbe({ concurrency: 2 })
    const connection = 'one'
    // Only the last one lets the first one end.
    const paths = [['/held', { connection }], ['/next', { connection }], ['/other']] as const
    const all = paths.map(([path, parts]) => probe.ask(new URL(path, url), parts))
    expect(await Promise.all(all)).toHaveLength(3)
  })

  it('is not reduced by a request that cannot be sent', async () => {
    const { url } = await startServer((_, response) => response.end())
    const probe = startProbe({ concurrency: 2, timeoutMs: 1000, retries: 0 })
    const unsendable = { credentials: bearer('ключ'), service: 'other' }
    for (let count = 0; count < 3; count += 1) {
      await expect(probe.ask(url, unsendable)).rejects.toThrow(TransportError)
    }
    expect(await probe.ask(url)).toMatchObject({ status: 200 })
    expect(probe.records[0]).toMatchObject({ response: null })
  })

  it('sends a retry before waiting requests', async () => {
    const received: string[] = []
    const { url } = await startServer((request, response) => {
      received.push(request.url ?? '')
      const passing = received.length === 1
      response.writeHead(passing ? 503 : 200, { 'Retry-After': '0' })
      setTimeout(() => response.end(), 10)
    })
    const probe = startProbe({ concurrency: 1 })
    await Promise.all(['/a', '/b', '/c', '/d'].map((path) => probe.ask(new URL(path, url))))
    expect(received.indexOf('/a', 1)).toBeLessThan(received.indexOf('/d'))
  })
})
