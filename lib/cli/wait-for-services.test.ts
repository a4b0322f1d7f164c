import { afterAll, describe, expect, it } from 'vitest'
import {
  closeAll,
  closedPort,
  startResponding,
  startSocketServer,
} from '../probe/server.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { prepareTarget } from './prepare-run.ts'
import { waitForServices } from './wait-for-services.ts'

afterAll(closeAll)

const LONG = 3600

/** Waits for a service, and returns the notices. */
async function wait(
  baseUrl: string,
  seconds: number,
  onNotice: () => void = () => {},
  interruption?: Promise<unknown>,
) {
  const environment = { INCIDENT_STATUS_BASE_URL: baseUrl.replace(/\/$/, '') }
  const context = { ...createNestedContext(temporaryDirectory()), environment }
  const prepared = await prepareTarget({}, context)
  const notices: string[] = []
  const write = (text: string) => {
    notices.push(text)
    onNotice()
  }
  await waitForServices(prepared, seconds, { ...context, errors: { write } }, interruption)
  return notices
}

describe.concurrent('waiting for a service', () => {
  it('continues after status 503, and ends with another response', async () => {
    const status = 503
    const { url, times } = await startResponding([status, 404])
    const notices = await wait(url.href, LONG)

    expect(times).toHaveLength(2)
    expect(notices).toEqual([
      expect.stringMatching(` ${LONG} s .*incident-status.* ${status}`),
      expect.stringMatching(/^waited /),
    ])
  })

  it.each([200, 500])('ends with one request after %d', async (status) => {
    const { url, times } = await startResponding([status])
    expect(await wait(url.href, LONG)).toEqual([])
    expect(times).toHaveLength(1)
  })

  it.each([
    ['a refused connection', async () => `http://127.0.0.1:${await closedPort()}`, 'ECONNREFUSED'],
    ['an unknown host name', async () => 'http://service.invalid', 'does not resolve'],
  ])('continues after %s, and ends with an interruption', async (_, start, reason) => {
    let interrupt = () => {}
    const interruption = new Promise<void>((resolve) => {
      interrupt = resolve
    })
    const [notice] = await wait(await start(), LONG, interrupt, interruption)
    expect(notice).toContain(reason)
  })

  it('ends when the time is over', async () => {
    const { url, times } = await startResponding([503])
    expect(await wait(url.href, 2)).toHaveLength(2)
    expect(times.length).toBeLessThanOrEqual(3)
  })

  it('ends when the time is over during the first request', async () => {
    const { url } = await startSocketServer(() => {})
    expect(await wait(url.href, 1)).toHaveLength(2)
  })
})
