import { afterAll, describe, expect, it } from 'vitest'
import { closeAll, startAnswering, startProbe } from './server.fixture.ts'

// Not after each: the tests wait side by side.
afterAll(closeAll)

describe.concurrent('Retry-After', () => {
  it('is obeyed in seconds', async () => {
    const { url, times } = await startAnswering([429, 200], { 'Retry-After': '1' })
    await startProbe().ask(url)
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThanOrEqual(990)
  })

  it.each(['31', new Date(Date.now() + 3_600_000).toUTCString()])(
    'that asks for too long ends the attempts: %s',
    async (field) => {
      const { url, times } = await startAnswering([429], { 'Retry-After': field })
      const exchange = await startProbe().ask(url)
      expect([exchange.status, times.length]).toEqual([429, 1])
    },
  )

  it.each(['GET', 'POST'])(
    'of one %s holds every request back, also those in line',
    async (method) => {
      const { url, times } = await startAnswering([429, 200], { 'Retry-After': '1' })
      const probe = startProbe({ concurrency: 1 })
      const first = probe.ask(url, { method })
      await Promise.all([first, probe.ask(url), probe.ask(url)])
      const [start = 0, ...others] = times
      for (const time of others) expect(time - start).toBeGreaterThanOrEqual(990)
      expect(others).toHaveLength(method === 'GET' ? 3 : 2)
    },
  )

  it('of any other status holds nothing back', async () => {
    const { url, times } = await startAnswering([404, 200], { 'Retry-After': '20' })
    const probe = startProbe({ concurrency: 1 })
    await Promise.all([probe.ask(url), probe.ask(url)])
    expect(times).toHaveLength(2)
  })
})
