import { createHash } from 'node:crypto'
import { type MakeIntermediary, startReference } from '../reference/index.ts'
import { type OwnThreadRun, runInOwnThread } from './own-thread-run.fixture.ts'

/** What comes in place of an answer; `lost` is done, and the connection closed instead of telling. */
const troubles = [502, 503, 504, 429, 408, 520, 'reset', 'lost', 'hang'] as const

export type Trouble = (typeof troubles)[number]

/** Names of a run and ids that the services give, which are others each time. */
const made = /plumbline-\d+t\d+-[\da-f]+|evt_[\da-f]+|[\da-f]{32,}/g

/** A number from 0 to 1 that depends on nothing but the text. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}

/**
 * Weather before all services: a share of the requests is not answered by them. Which ones depends
 * on the seed, on what the request is and on how often it came before, and not on the order in which
 * different requests arrive, so that what failed can be repeated.
 *
 * @param rate of the requests, from 0 to 1
 * @param onTrouble told of each
 */
export function weather(
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

export interface WeatheredRun extends OwnThreadRun {
  /** What was not answered by the services, as `503 GET /api/v1/user`. */
  troubles: string[]
}

export interface WeatherOptions {
  /** Of the requests, one in twenty by default. */
  rate?: number
  fault?: string
  environment?: Record<string, string>
}

/** A run against a reference deployment of its own that has weather before it. */
export async function runInWeather(
  seed: string,
  { rate = 1 / 20, fault, environment = {} }: WeatherOptions = {},
): Promise<WeatheredRun> {
  const troubles: string[] = []
  const reference = await startReference({
    fault,
    intermediary: weather(seed, rate, (trouble, request) => troubles.push(`${trouble} ${request}`)),
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
