import { afterAll, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import { closeAll, startAnswering, startProbe, startServer } from './server.fixture.ts'

afterAll(closeAll)

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
    expect(error.isTransient).toBe(false)
    expect(probe.records).toMatchObject([{ response: null, error: expect.any(String) }])
    expect((await probe.ask(url)).text).toBe('a')
  })

  it('returns the first response if aborted between two attempts', async () => {
    const controller = new AbortController()
    const { url, times } = await startAnswering([503], { 'Retry-After': '20' })
    const probe = startProbe(HOURS)
    const pending = probe.ask(url, { signal: controller.signal })
    await expect.poll(() => probe.records.length).toBe(1)
    controller.abort()
    expect((await pending).status).toBe(503)
    expect(times).toHaveLength(1)
  })

  it('is rejected during a delay that the server requested', async () => {
    const controller = new AbortController()
    const { url } = await startAnswering([429, 200], { 'Retry-After': '20' })
    const probe = startProbe({ ...HOURS, retries: 0 })
    expect((await probe.ask(url)).status).toBe(429)
    const pending = probe.ask(url, { signal: controller.signal }).catch((error) => error)
    controller.abort()
    expect(await pending).toBeInstanceOf(TransportError)
  })
})
