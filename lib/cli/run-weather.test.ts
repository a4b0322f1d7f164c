import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { runInOwnThread, verdictsOf } from './own-thread-run.fixture.ts'
import { runInWeather } from './weather.fixture.ts'

let calm: Promise<Record<string, string>> | undefined

/** Those of a deployment that answers every request. */
function calmVerdicts(): Promise<Record<string, string>> {
  calm ??= runInWeather('', { rate: 0 }).then(verdictsOf)
  return calm
}

describe('a deployment that fails one request in twenty', () => {
  // The one has many answers that are lost after the request was carried out, the other hangs too.
  it.each(['3', '10'])('gets the right verdict for every row: seed %s', async (seed) => {
    const outcome = await runInWeather(seed)
    expect(outcome.troubles.length).toBeGreaterThan(3)
    expect(verdictsOf(outcome), outcome.troubles.join('\n')).toEqual(await calmVerdicts())
    expect(outcome.report.leftBehind).toEqual([])
    expect(outcome.status).toBe(0)
  })

  it('keeps its faults', async () => {
    const outcome = await runInWeather('3', { fault: 'duplicate-name-accepted' })
    const failed = outcome.report.results.filter(({ verdict }) => verdict === 'fail')
    expect(outcome.troubles.length).toBeGreaterThan(3)
    expect(failed.map(({ requirement }) => requirement)).toEqual([
      'code-hosting/tokens/duplicate-name',
    ])
    expect(outcome.report.results.some(({ verdict }) => verdict === 'inconclusive')).toBe(false)
  })
})

/** Reasons of what got no verdict, each once. */
function reasonsIn({ results }: RunReport): string[] {
  const unjudged = results.filter(({ verdict }) => verdict === 'inconclusive')
  return [...new Set(unjudged.map(({ reason }) => reason ?? ''))]
}

const failedIn = ({ results }: RunReport) => results.filter(({ verdict }) => verdict === 'fail')

describe('a deployment that is down', () => {
  it.each([503, 429, 408, 520, 'reset'] as const)('gets one message a service: %s', async (way) => {
    const headers = new Headers({ 'Retry-After': '0' })
    const { environment, close } = await startReference({
      intermediary: () => async () =>
        way === 'reset' ? { status: 200, headers, raw: '' } : { status: way, headers, body: '' },
    })
    atTheEnd(close)
    const { status, report } = await runInOwnThread({ ...environment, PROBE_RETRIES: '1' })

    expect(status).toBe(3)
    expect(failedIn(report)).toEqual([])
    const wrong = way === 'reset' ? /cannot be reached: / : / gives no answer of its own: /
    expect(reasonsIn(report)).toEqual([
      expect.stringMatching(wrong),
      expect.stringContaining('is EVENT_PUBLISHING_BASE_URL right?'),
      expect.stringContaining('is INCIDENT_STATUS_BASE_URL right?'),
    ])
    // Two attempts at each of the few that a service has to answer first.
    expect(report.exchanges.length).toBeLessThan(25)
    expect(report.leftBehind).toEqual([])
  })
})

describe('a deployment that refuses every request with credentials', () => {
  it.each([401, 403])('names the credentials to check: %d', async (status) => {
    const { environment, close } = await startReference({
      intermediary: () => async (request, answer) => {
        if (!request.headers.has('authorization')) return answer(request)
        const headers = new Headers({ 'Content-Type': 'application/json' })
        const url = `${request.url.origin}/api/swagger`
        const message = 'invalid username, password or token'
        return { status, headers, body: JSON.stringify({ message, url }) }
      },
    })
    atTheEnd(close)
    const codeHosting = Object.entries(environment).filter(([name]) => name.startsWith('CODE_'))
    const { report } = await runInOwnThread(Object.fromEntries(codeHosting))
    const passed = report.results.filter(({ verdict }) => verdict === 'pass')

    const [first, ...others] = reasonsIn(report)
    expect(first).toBe(
      `the main account maria was refused with ${status}: ` +
        'check CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD',
    )
    expect(others.join('\n')).toContain('check CODE_HOSTING_OTP_USERNAME')
    expect(failedIn(report)).toEqual([])
    expect(passed.length).toBeLessThan(15)
    expect(report.exchanges.length).toBeLessThan(40)
    expect(report.leftBehind).toEqual([])
  })
})
