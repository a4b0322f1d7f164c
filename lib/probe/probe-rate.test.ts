import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeAll, startProbe, startResponding } from './server.fixture.ts'

afterEach(async () => {
  vi.useRealTimers()
  await closeAll()
})

/** Returns the shortest time in which one request more than the limit was sent. */
function minDurationOf(limit: number, times: readonly number[]): number {
  return Math.min(...times.slice(limit).map((time, index) => time - (times[index] ?? 0)))
}

describe('a limit of requests per second', () => {
  it('applies to any second', async () => {
    vi.useFakeTimers()
    const times: number[] = []
    const probe = startProbe({
      requestsPerSecond: 3,
      beforeSend() {
        times.push(Date.now())
        throw new Error('counted, not sent')
      },
    })
    const ask = () => probe.ask('http://service.invalid/').catch(() => {})
    const all = [ask()]
    await vi.advanceTimersByTimeAsync(900)
    all.push(...Array.from({ length: 9 }, ask))
    await vi.advanceTimersByTimeAsync(60_000)
    await Promise.all(all)
    expect(times).toHaveLength(10)
    expect(minDurationOf(3, times)).toBeGreaterThanOrEqual(1000)
  })

  it('applies to retries, and after a delay that the server requested', async () => {
    const { url } = await startResponding([429, 200], { 'Retry-After': '1' })
    const times: number[] = []
    const probe = startProbe({
      requestsPerSecond: 2,
      beforeSend: () => times.push(performance.now()),
    })
    const first = probe.ask(url)
    await expect.poll(() => probe.records.length).toBe(1)
    await Promise.all([first, probe.ask(url), probe.ask(url), probe.ask(url)])
    expect(times).toHaveLength(5)
    const [start = 0, second = 0] = times
    expect(second - start).toBeGreaterThanOrEqual(990)
    expect(minDurationOf(2, times)).toBeGreaterThanOrEqual(990)
  })

  it('does not hold up an aborted request', async () => {
    const { url, times } = await startResponding([200])
    const probe = startProbe({ requestsPerSecond: 1 })
    await probe.ask(url)
    // The time for the next request never comes.
    vi.useFakeTimers()
    const controller = new AbortController()
    const pending = probe.ask(url, { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toMatchObject({ name: 'TransportError', kind: undefined })
    expect(times).toHaveLength(1)
  })
})
