import { afterAll, describe, expect, it } from 'vitest'
import {
  closeAll,
  closedPort,
  startResponding,
  startSocketServer,
} from '../probe/server.fixture.ts'
import type { RunReport } from '../results/run-report.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { prepareTarget } from './prepare-run.ts'
import { waitForServices } from './wait-for-services.ts'

afterAll(closeAll)

const LONG = 3600

async function wait(
  baseUrl: string,
  seconds: number,
  onNotice: (text: string) => void = () => {},
  interruption?: Promise<unknown>,
) {
  const environment = { INCIDENT_STATUS_BASE_URL: baseUrl.replace(/\/$/, '') }
  const context = { ...createNestedContext(temporaryDirectory()), environment }
  const prepared = await prepareTarget({}, context)
  const errors = { write: onNotice }
  return waitForServices(prepared, seconds, { ...context, errors }, interruption)
}

/** Waits until the first notice, which interrupts. */
async function waitUntilNotice(baseUrl: string): Promise<RunReport['run']['awaited']> {
  let interrupt = () => {}
  const interruption = new Promise<void>((resolve) => {
    interrupt = resolve
  })
  return wait(baseUrl, LONG, interrupt, interruption)
}

describe.concurrent('waiting for a service', () => {
  it.each([502, 503, 504])('continues after %d, and ends with another response', async (status) => {
    const { url, times } = await startResponding([status, 404])
    const notices: string[] = []
    const [awaited, ...others] = await wait(url.href, LONG, (text) => notices.push(text))

    expect(others).toEqual([])
    expect(awaited).toMatchObject({
      service: 'incident-status',
      responds: true,
      reason: `status ${status}`,
    })
    expect(awaited?.durationMs).toBeGreaterThan(0)
    expect(times).toHaveLength(2)
    expect(notices).toEqual([
      expect.stringMatching(` ${LONG} s .*incident-status.* ${status}`),
      expect.stringMatching(/incident-status/),
    ])
  })

  it.each([200, 301, 401, 404, 405, 429, 500])('ends with one request after %d', async (status) => {
    const { url, times } = await startResponding([status])
    expect(await wait(url.href, LONG)).toEqual([])
    expect(times).toHaveLength(1)
  })

  it.each([
    ['a refused connection', async () => `http://127.0.0.1:${await closedPort()}`, 'ECONNREFUSED'],
    ['an unknown host name', async () => 'http://service.invalid', 'does not resolve'],
    [
      'a reset connection',
      async () => (await startSocketServer((socket) => socket.resetAndDestroy())).url.href,
      'ECONNRESET',
    ],
  ])('continues after %s, and ends with an interruption', async (_, start, reason) => {
    expect(await waitUntilNotice(await start())).toMatchObject([
      { responds: false, reason: expect.stringContaining(reason) },
    ])
  })

  it('ends with a response that is not HTTP', async () => {
    const { url } = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await wait(url.href, LONG)).toEqual([])
  })

  it('ends when the time is over', async () => {
    const { url, times } = await startResponding([503])
    expect(await wait(url.href, 2)).toMatchObject([{ responds: false, reason: 'status 503' }])
    expect(times.length).toBeLessThanOrEqual(3)
  })

  it('ends when the time is over during the first request', async () => {
    const { url } = await startSocketServer(() => {})
    expect(await wait(url.href, 1)).toMatchObject([{ responds: false, reason: 'no response' }])
  })
})
