import { afterEach, describe, expect, it } from 'vitest'
import { basic, bearer, queryToken } from './credentials.ts'
import { closeAll, startProbe, startServer } from './server.fixture.ts'

afterEach(closeAll)

describe('a request', () => {
  it('arrives as it is asked for', async () => {
    let seen: unknown
    const { url } = await startServer(async (request, response) => {
      const chunks = await request.toArray()
      const { 'x-extra': extra, authorization, 'user-agent': agent } = request.headers
      const body = Buffer.concat(chunks).toString()
      seen = { method: request.method, path: request.url, extra, authorization, agent, body }
      response.writeHead(201).end('{"id":1}')
    })
    const exchange = await startProbe().ask(new URL('/a%20b?c=d', url), {
      method: 'POST',
      headers: { 'X-Extra': 'ö' },
      credentials: basic('maria', 'pä'),
      body: '{"é":1}',
    })
    expect(seen).toEqual({
      method: 'POST',
      path: '/a%20b?c=d',
      extra: 'ö',
      authorization: `Basic ${Buffer.from('maria:pä').toString('base64')}`,
      agent: 'plumbline/test',
      body: '{"é":1}',
    })
    expect(exchange).toMatchObject({ id: 'e1', status: 201, text: '{"id":1}', json: { id: 1 } })
  })

  it('carries a token in the query beside the other parameters', async () => {
    const { url } = await startServer((request, response) => response.end(request.url))
    const target = new URL('/?page=1', url)
    const { text } = await startProbe().ask(target, { credentials: queryToken('token', 'a&b') })
    expect(text).toBe('/?page=1&token=a%26b')
    expect(target.search).toBe('?page=1')
  })

  it('is recorded with all that was exchanged', async () => {
    const { url } = await startServer((_, response) =>
      setTimeout(() => response.setHeader('X-Case', 'kept').end('é'), 30),
    )
    const probe = startProbe()
    const { record } = await probe.ask(url, { credentials: bearer('t'), endpoint: 'GET /' })
    expect(probe.records).toEqual([record])
    expect(record).toMatchObject({
      id: 'e1',
      service: 'test',
      purpose: 'test',
      endpoint: 'GET /',
      attempt: 1,
      request: {
        method: 'GET',
        url: url.href,
        headers: [
          { name: 'User-Agent', value: 'plumbline/test' },
          { name: 'Authorization', value: 'Bearer t' },
        ],
        body: null,
      },
      response: { status: 200, body: 'é', bodyBytes: 2 },
      error: null,
    })
    expect(record.response?.headers).toContainEqual({ name: 'X-Case', value: 'kept' })
    expect(Math.abs(Date.now() - Date.parse(record.startedAt))).toBeLessThan(10_000)
    expect(record.durationMs).toBeGreaterThan(20)
    expect(record.durationMs).toBeLessThan(5000)
  })
})

describe('concurrency', () => {
  it('is never exceeded over the run, and used', async () => {
    let underWay = 0
    let most = 0
    const listener = (_: unknown, response: { end(): void }) => {
      underWay += 1
      most = Math.max(most, underWay)
      setTimeout(() => {
        underWay -= 1
        response.end()
      }, 5)
    }
    const servers = await Promise.all([startServer(listener), startServer(listener)])
    const probe = startProbe({ concurrency: 3 })
    const urls = Array.from({ length: 30 }, (_, index) => servers[index % 2]?.url ?? '')
    await Promise.all(urls.map((url) => probe.ask(url)))
    expect(most).toBe(3)
    expect(probe.records.map(({ id }) => Number(id.slice(1))).sort((a, b) => a - b)).toEqual(
      urls.map((_, index) => index + 1),
    )
  })

  it('lets a repeated request go before those that wait', async () => {
    const seen: string[] = []
    const { url } = await startServer((request, response) => {
      seen.push(request.url ?? '')
      const passing = seen.length === 1
      response.writeHead(passing ? 503 : 200, { 'Retry-After': '0' })
      setTimeout(() => response.end(), 10)
    })
    const probe = startProbe({ concurrency: 1 })
    await Promise.all(['/a', '/b', '/c', '/d'].map((path) => probe.ask(new URL(path, url))))
    expect(seen.indexOf('/a', 1)).toBeLessThan(seen.indexOf('/d'))
  })
})
