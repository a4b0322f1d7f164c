import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { type MakeIntermediary, startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { type EnclosedOutcome, runInOwnThread, verdictsOf } from './enclosed-run.fixture.ts'

/** What comes in place of an answer; `lost` is done, and the connection closed instead of telling. */
const troubles = [502, 503, 504, 429, 408, 520, 'reset', 'lost', 'hang'] as const

type Trouble = (typeof troubles)[number]

/** Names of a run and ids that the services give, which are others each time. */
const made = /plumbline-\d+t\d+-[\da-f]+|evt_[\da-f]+|[\da-f]{32,}/g

/** A number from 0 to 1 that depends on nothing but the text. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/**
 * An unstable network before all services: a share of the requests is not answered by them. Which ones depends
 * on the seed, on what the request is and on how often it came before, and not on the order in which
 * different requests arrive, so that what failed can be repeated.
 *
 * @param rate of the requests, from 0 to 1
 * @param onTrouble told of each
 */
function unstableNetwork(
  seed: string,
  rate: number,
  onTrouble: (trouble: Trouble, request: string) => void = () => {},
): MakeIntermediary {
  return () => {
    const came = new Map<string, number>()
    return async (request, answer) => {
      const text = await request.text()
      const again = { ...request, text: async () => text }
      const { pathname, search } = request.url
      const named = text.replace(made, 'it')
      const path = (pathname + search).replace(made, 'it')
      const what = `${request.method} ${path} ${named}`
      const times = (came.get(what) ?? 0) + 1
      came.set(what, times)
      if (drawn(`${seed} ${times} ${what}`) >= rate) return answer(again)
      const index = Math.floor(drawn(`${what} ${times} ${seed}`) * troubles.length)
      const trouble = troubles[index] ?? 502
      onTrouble(trouble, what)
      const headers = new Headers({ 'Content-Type': 'text/html' })
      if (trouble === 'hang') return new Promise(() => {})
      if (trouble === 'lost') await answer(again)
      if (typeof trouble === 'string') return { status: 200, headers, raw: '' }
      if (trouble === 429) headers.set('Retry-After', '0')
      return { status: trouble, headers, body: '<!doctype html><title>Not now</title>' }
    }
  }
}

interface UnstableRun extends EnclosedOutcome {
  /** What was not answered by the services, as `503 GET /api/v1/user`. */
  troubles: string[]
}

interface UnstableOptions {
  /** Of the requests, one in twenty by default. */
  rate?: number
  fault?: string
  environment?: Record<string, string>
}

/** A run against a reference deployment of its own behind an unstable network. */
async function runUnstable(
  seed: string,
  { rate = 1 / 20, fault, environment = {} }: UnstableOptions = {},
): Promise<UnstableRun> {
  const troubles: string[] = []
  const reference = await startReference({
    fault,
    intermediary: unstableNetwork(seed, rate, (trouble, request) =>
      troubles.push(`${trouble} ${request}`),
    ),
  })
  try {
    // A hanging answer is waited for no longer than a slow machine needs.
    const limits = { PROBE_TIMEOUT_MS: '2000' }
    const outcome = await runInOwnThread({ ...limits, ...reference.environment, ...environment })
    return { ...outcome, troubles }
  } finally {
    await reference.close()
  }
}

let stable: Promise<Record<string, string>> | undefined

/** Those of a deployment that answers every request. */
function stableVerdicts(): Promise<Record<string, string>> {
  stable ??= runUnstable('', { rate: 0 }).then(verdictsOf)
  return stable
}

describe('a deployment that fails one request in twenty', () => {
  // The one has many answers that are lost after the request was carried out, the other hangs too.
  it.each(['3', '10'])('gets the right verdict for every row: seed %s', async (seed) => {
    const outcome = await runUnstable(seed)
    expect(outcome.troubles.length).toBeGreaterThan(3)
    expect(verdictsOf(outcome), outcome.troubles.join('\n')).toEqual(await stableVerdicts())
    expect(outcome.report.leftBehind).toEqual([])
    expect(outcome.status).toBe(0)
  })

  it('keeps its faults', async () => {
    const outcome = await runUnstable('3', { fault: 'duplicate-name-accepted' })
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
