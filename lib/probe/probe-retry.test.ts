import { afterAll, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import { closeAll, startAnswering, startProbe, startSocketServer } from './server.fixture.ts'

// Not after each: the tests run concurrently.
afterAll(closeAll)

describe.concurrent('a GET', () => {
  it.each([429, 500, 503])('is retried after %d', async (status) => {
    const { url } = await startAnswering([status, 200], { 'Retry-After': '0' })
    const probe = startProbe()
    const exchange = await probe.ask(url)
    expect(exchange.status).toBe(200)
    expect(exchange.id).toBe('e2')
    expect(probe.records).toMatchObject([
      { id: 'e1', attempt: 1, response: { status } },
      { id: 'e2', attempt: 2, response: { status: 200 } },
    ])
  })

  it.each([0, 4])('is retried at most %d times', async (retries) => {
    const { url } = await startAnswering([503], { 'Retry-After': '0' })
    const probe = startProbe({ retries })
    expect((await probe.ask(url)).status).toBe(503)
    expect(probe.records.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: retries + 1 }, (_, index) => index + 1),
    )
  })

  it.each([
    [0, 1],
    [1, 3],
  ])('is retried once more if the service has responded before: %d', async (retries, attempts) => {
    const { url, times } = await startAnswering([503], { 'Retry-After': '0' })
    const probe = startProbe({ retries, hasResponded: (service) => service === 'test' })
    expect((await probe.ask(url)).status).toBe(503)
    expect(times).toHaveLength(attempts)
  })

  it.each(['resetAndDestroy', 'end'] as const)('is retried after %s', async (ending) => {
    let connections = 0
    const { url } = await startSocketServer((socket) => {
      connections += 1
      if (connections === 1) socket[ending]()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const probe = startProbe()
    expect((await probe.ask(url)).status).toBe(200)
    expect(probe.records).toMatchObject([
      { attempt: 1, response: null, error: expect.any(String) },
      { attempt: 2, response: { status: 200 }, error: null },
    ])
  })
})

describe.concurrent('a request other than GET', () => {
  it.each(['POST', 'DELETE'])('is sent once: %s', async (method) => {
    const { url, times } = await startAnswering([503], { 'Retry-After': '0' })
    expect((await startProbe().ask(url, { method })).status).toBe(503)
    expect(times).toHaveLength(1)
    const resetting = await startSocketServer((socket) => socket.resetAndDestroy())
    await expect(startProbe().ask(resetting.url, { method })).rejects.toThrow(TransportError)
    expect(resetting.connections()).toBe(1)
  })
})

describe.concurrent('Retry-After', () => {
  it('is obeyed in seconds', async () => {
    const { url, times } = await startAnswering([429, 200], { 'Retry-After': '1' })
    await startProbe().ask(url)
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(990)
  })

  it.each(['31', new Date(Date.now() + 3_600_000).toUTCString()])(
    'ends the attempts if the delay is too long: %s',
    async (field) => {
      const { url, times } = await startAnswering([429], { 'Retry-After': field })
      const exchange = await startProbe().ask(url)
      expect([exchange.status, times.length]).toEqual([429, 1])
    },
  )

  it.each(['GET', 'POST'])('of one %s delays all requests, also waiting ones', async (method) => {
    const { url, times } = await startAnswering([429, 200], { 'Retry-After': '1' })
    const probe = startProbe({ concurrency: 1 })
    const first = probe.ask(url, { method })
    await Promise.all([first, probe.ask(url), probe.ask(url)])
    const [start = 0, ...others] = times
    for (const time of others) expect(time - start).toBeGreaterThanOrEqual(990)
    expect(others).toHaveLength(method === 'GET' ? 3 : 2)
  })

  it('of any other status is ignored', async () => {
    const { url, times } = await startAnswering([404, 200], { 'Retry-After': '20' })
    const probe = startProbe({ concurrency: 1 })
    await Promise.all([probe.ask(url), probe.ask(url)])
    expect(times).toHaveLength(2)
  })
})
