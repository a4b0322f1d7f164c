import { afterAll, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import { closeAll, startAnswering, startProbe, startServer } from './server.fixture.ts'

afterAll(closeAll)

const HOURS = { timeoutMs: 3_600_000 }

describe.concurrent('a request that is given up', () => {
  it('while it waits for a response, says so and makes room for others', async () => {
    const controller = new AbortController()
    const { url } = await startServer((request, response) => {
      if (request.url === '/hangs') controller.abort()
      else response.end('a')
    })
    const probe = startProbe({ ...HOURS, concurrency: 1 })
    const given = await probe
      .ask(new URL('/hangs', url).href, { signal: controller.signal })
      .catch((error) => error)
    expect(given).toBeInstanceOf(TransportError)
    expect(given.isTransient).toBe(false)
    expect(given.message).toMatch(/: given up before there was a response$/)
    expect(probe.records).toMatchObject([{ response: null, error: expect.any(String) }])
    expect((await probe.ask(url)).text).toBe('a')
  })

  it('between two attempts, has the answer to the first', async () => {
    const controller = new AbortController()
    const { url, times } = await startAnswering([503], { 'Retry-After': '20' })
    const probe = startProbe(HOURS)
    const asked = probe.ask(url, { signal: controller.signal })
    await expect.poll(() => probe.records.length).toBe(1)
    controller.abort()
    expect((await asked).status).toBe(503)
    expect(times).toHaveLength(1)
  })

  it('while a server asks for patience, does not wait for it', async () => {
    const controller = new AbortController()
    const { url } = await startAnswering([429, 200], { 'Retry-After': '20' })
    const probe = startProbe({ ...HOURS, retries: 0 })
    expect((await probe.ask(url)).status).toBe(429)
    const asked = probe.ask(url, { signal: controller.signal }).catch((error) => error)
    controller.abort()
    expect(await asked).toBeInstanceOf(TransportError)
  })
})
