import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { MakeIntermediary } from '../test-bed/reference/index.ts'
import { filesOf, referenceEnvironment, withVerdict } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

/** Replacement of a response; `lost` carries out the request and closes the connection. */
const troubles = [502, 503, 504, 429, 408, 520, 'reset', 'lost', 'hang'] as const

type Trouble = (typeof troubles)[number]

/** Names of a run and ids of the services, which differ from run to run. */
const generated = /plumbline-\d+t\d+-[\da-f]+|evt_[\da-f]+|[\da-f]{32,}/g

/** Returns a number from 0 to 1 that depends only on the text. */
function fractionOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

const RATE = 1 / 20

/**
 * Creates an unstable network: a share of the requests fails. The choice depends on the seed, the request
 * and its number of repetitions, not on the order of different requests, so that a failure can be repeated.
 */
function unstableNetwork(
  seed: string,
  onTrouble: (trouble: Trouble, request: string) => void,
): MakeIntermediary {
  return () => {
    const counts = new Map<string, number>()
    return async (request, respond) => {
      const text = await request.text()
      const again = { ...request, text: async () => text }
      const { pathname, search } = request.url
      const named = text.replace(generated, 'it')
      const path = (pathname + search).replace(generated, 'it')
      const key = `${request.method} ${path} ${named}`
      const times = (counts.get(key) ?? 0) + 1
      counts.set(key, times)
      if (fractionOf(`${seed} ${times} ${key}`) >= RATE) return respond(again)
      const index = Math.floor(fractionOf(`${key} ${times} ${seed}`) * troubles.length)
      const trouble = troubles[index] ?? 502
      onTrouble(trouble, key)
      const headers = new Headers({ 'Content-Type': 'text/html', 'Retry-After': '0' })
      if (trouble === 'hang') return new Promise(() => {})
      if (trouble === 'lost') await respond(again)
      if (typeof trouble === 'string') return { status: 200, headers, raw: '' }
      return { status: trouble, headers, body: '<!doctype html><title>Not now</title>' }
    }
  }
}

it('a server that fails one request in twenty gets the correct verdict for every requirement', async () => {
  const fault = 'duplicate-name-accepted'
  const troubles: string[] = []
  // Five requests hang, and six responses of successful requests are lost.
  const intermediary = unstableNetwork('3', (trouble, request) =>
    troubles.push(`${trouble} ${request}`),
  )
  const environment = await referenceEnvironment({ fault, intermediary })
  // Long enough for a slow machine, short for a hanging response.
  const outcome = await enclosedRun({ PROBE_TIMEOUT_MS: '2000', ...environment })
  const names = troubles.map((line) => line.split(' ')[0])
  expect(names).toEqual(expect.arrayContaining(['lost', 'hang', 'reset', '503']))
  expect(withVerdict(outcome, 'fail')).toEqual(['code-hosting/tokens/duplicate-name'])
  expect(withVerdict(outcome, 'inconclusive'), troubles.join('\n')).toEqual([])
  expect(withVerdict(outcome, 'skipped')).toHaveLength(13)
  expect(outcome.report.leakedResources).toEqual([])
})

it('tokens that a gateway hides are reported without a delete path', async () => {
  const created: string[] = []
  const environment = await referenceEnvironment({
    intermediary: () => async (request, respond) => {
      const text = await request.text()
      const own = await respond({ ...request, text: async () => text })
      if (own.status !== 201 || !request.url.pathname.endsWith('/tokens')) return own
      created.push(JSON.parse(text).name)
      const headers = new Headers({ 'Content-Type': 'text/html' })
      return { status: 403, headers, body: '<!doctype html><title>Not now</title>' }
    },
  })
  // Rejected one-time codes would be retried in the next time steps.
  const others = /^(?!CODE_HOSTING_)|^CODE_HOSTING_OTP_|_TOKEN_DELETE_PATH$/
  const kept = Object.entries(environment).filter(([name]) => !others.test(name))
  const outcome = await enclosedRun(Object.fromEntries(kept))
  const reported = outcome.report.leakedResources.filter(({ unconfirmed }) => unconfirmed)
  expect(created.length).toBeGreaterThan(5)
  expect(reported.map(({ name }) => name)).toEqual(expect.arrayContaining(created))
  expect(outcome.output).toContain('(may exist')
  expect(filesOf(outcome)).toContainEqual(expect.stringMatching(/^ledger-/))
})

it('a server that stops during a run gets no failure for its last responses', async () => {
  const last = 150
  let requests = 0
  const environment = await referenceEnvironment({
    intermediary: () => async (request, respond) => {
      requests += 1
      if (requests <= last) return respond(request)
      const headers = new Headers({ 'Content-Type': 'application/json' })
      // It no longer knows any account, and then closes all connections.
      if (requests <= last + 8) return { status: 401, headers, body: '{"message":"no"}' }
      // Otherwise the run could end before the outage has lasted long enough to be one.
      await delay(20)
      return { status: 200, headers, raw: '' }
    },
  })
  const outcome = await enclosedRun(environment, { service: ['code-hosting'] })
  expect(withVerdict(outcome, 'fail')).toEqual([])
  const lastLine = outcome.output.trim().split('\n').at(-1)
  expect(lastLine).toMatch(/^inconclusive: .* stopped responding/)
  expect(outcome.status).toBe(3)
})
