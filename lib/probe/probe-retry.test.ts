import { afterAll, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import {
  closeAll,
  startProbe,
  startResponding,
  startServer,
  startSocketServer,
} from './server.fixture.ts'

// Not after each: the tests run concurrently.
afterAll(closeAll)

describe.concurrent('a GET', () => {
  it('is retried after a lost connection', async () => {
    const { url, connections } = await startSocketServer((socket) => {
      if (connections() === 1) socket.resetAndDestroy()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const probe = startProbe()
    expect((await probe.ask(url)).status).toBe(200)
    expect(probe.records.map(({ error }) => error === null)).toEqual([false, true])
  })

  it.each([
    [0, 'another', [1]],
    [4, 'another', [1, 2, 3, 4, 5]],
    // A further request, because the service has responded before.
    [1, 'test', [1, 2, 3]],
  ])('with %d retries, after a response of %s: attempts %j', async (retries, known, attempts) => {
    const { url } = await startResponding([200, 503], { 'Retry-After': '0' })
    const probe = startProbe({ retries })
    await probe.ask(url, { service: known })
    expect((await probe.ask(url)).status).toBe(503)
    expect(probe.records.slice(1).map(({ attempt }) => attempt)).toEqual(attempts)
  })
})

describe.concurrent('a request other than GET', () => {
  it('is sent once', async () => {
    const method = 'POST'
    const { url, times } = await startResponding([503], { 'Retry-After': '0' })
    expect((await startProbe().ask(url, { method })).status).toBe(503)
    expect(times).toHaveLength(1)
    const resetting = await startSocketServer((socket) => socket.resetAndDestroy())
    await expect(startProbe().ask(resetting.url, { method })).rejects.toThrow(TransportError)
    expect(resetting.connections()).toBe(1)
  })
})

describe.concurrent('Retry-After', () => {
  it('ends the attempts if the delay is too long', async () => {
    const { url, times } = await startResponding([429], { 'Retry-After': '31' })
    const exchange = await startProbe().ask(url)
    expect([exchange.status, times.length]).toEqual([429, 1])
  })

  it.each(['GET', 'POST'])('of one %s delays all requests, also waiting ones', async (method) => {
    const { url, times } = await startResponding([429, 200], { 'Retry-After': '1' })
    const probe = startProbe({ concurrency: 1 })
    const first = probe.ask(url, { method })
    await Promise.all([first, probe.ask(url), probe.ask(url)])
    const [start = 0, ...others] = times
    for (const time of others) expect(time - start).toBeGreaterThanOrEqual(990)
    expect(others).toHaveLength(method === 'GET' ? 3 : 2)
  })

  it('beyond the maximum of all pauses ends the attempts', async () => {
    const { url, times } = await startResponding([503], { 'Retry-After': '1' })
    const probe = startProbe({ retries: 5, maxPausesMs: 1500 })
    const exchanges = await Promise.all([1, 2, 3].map(() => probe.ask(url)))
    expect(exchanges.map((one) => one.exceededPausesMs)).toEqual([1500, 1500, 1500])
    expect(times).toHaveLength(6)
    expect(await probe.ask(url, { method: 'POST' })).toMatchObject({ exceededPausesMs: 1500 })
  })

  it('of any other status is ignored', async () => {
    const { url, times } = await startResponding([404, 200], { 'Retry-After': '20' })
    const probe = startProbe({ concurrency: 1 })
    await Promise.all([probe.ask(url), probe.ask(url)])
    expect(times).toHaveLength(2)
  })
})

const HOURS = { timeoutMs: 3_600_000 }

describe.concurrent('an aborted request', () => {
  it('is rejected while it waits for a response, and lets others run', async () => {
    const controller = new AbortController()
    const { url } = await startServer((request, response) => {
      if (request.url === '/hangs') controller.abort()
      else response.end('a')
    })
    const probe = startProbe({ ...HOURS, concurrency: 1 })
    const error = await probe
      .ask(new URL('/hangs', url).href, { signal: controller.signal })
      .catch((reason) => reason)
    expect(error).toBeInstanceOf(TransportError)
    expect(error.kind).toBe(undefined)
    expect(probe.records).toMatchObject([{ response: null, error: expect.any(String) }])
    expect((await probe.ask(url)).text).toBe('a')
  })

  it('returns the first response if aborted between two attempts', async () => {
    const controller = new AbortController()
    const { url, times } = await startResponding([503], { 'Retry-After': '8' })
    const probe = startProbe(HOURS)
    const pending = probe.ask(url, { signal: controller.signal })
    await expect.poll(() => probe.records.length).toBe(1)
    controller.abort()
    expect((await pending).status).toBe(503)
    expect(times).toHaveLength(1)
  })

  it('is rejected during a delay that the server requested', async () => {
    const controller = new AbortController()
    const { url } = await startResponding([429, 200], { 'Retry-After': '8' })
    const probe = startProbe({ ...HOURS, retries: 0 })
    expect((await probe.ask(url)).status).toBe(429)
    const pending = probe.ask(url, { signal: controller.signal }).catch((error) => error)
    controller.abort()
    expect(await pending).toBeInstanceOf(TransportError)
  })
})
