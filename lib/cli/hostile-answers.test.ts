import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { startProbe } from '../probe/server.fixture.ts'
import { startHostile } from '../test-bed/reference/hostile/index.fixture.ts'

/** Returns the exchange of one request to a hostile server. */
async function meet(behaviour: string, timeoutMs = 30_000): Promise<Exchange | TransportError> {
  const hostile = await startHostile({ behaviour, paceMs: 20 })
  const probe = startProbe({ retries: 0, timeoutMs, maxBodyBytes: 10_485_760 })
  try {
    return await probe.ask(`${hostile.origin}/api/v1/settings/api`)
  } catch (error) {
    if (error instanceof TransportError) return error
    throw error
  } finally {
    await Promise.all([probe.close(), hostile.close()])
  }
}

/** Behaviors without a readable response; a snapshot has the errors. */
const unreadable = [
  'closes-before-the-header',
  'resets-the-connection',
  'closes-in-a-chunk',
  'cuts-its-body-short',
  'continues-without-end',
  'switches-protocols',
  'two-lengths',
  'status-99',
  'is-no-http',
  'endless-body',
  'endless-header',
  'endless-trailer',
  'gzip-bomb',
  'thousand-codings',
  'wrong-coding',
  'unknown-coding',
  'short-members',
  'deep-json',
]

/** Behaviors that only a timeout ends. */
const endless = [
  'never-answers',
  'drips',
  'drips-its-body',
  'hints-without-end',
  'endless-status-line',
]

describe('a request to a server', () => {
  it('has the errors of the snapshot', async () => {
    const lines = []
    for (const behaviour of unreadable) {
      const outcome = await meet(behaviour)
      const { record } = outcome as TransportError
      expect(outcome).toBeInstanceOf(TransportError)
      expect(record.response).toBeNull()
      // Codes differ between versions of Node.js.
      lines.push(`${behaviour}: ${record.error?.replace(/ \([A-Z_]+\)$/, '')}\n`)
    }
    await expect(lines.join('')).toMatchFileSnapshot('snapshots/transport-errors.txt')
  })

  it.concurrent.each(endless)('has a timeout: %s', async (behaviour) => {
    expect(await meet(behaviour, 300)).toMatchObject({
      // Either the limit of the probe or of its client is exceeded first.
      kind: 'timeout',
      message: expect.stringContaining('PROBE_TIMEOUT_MS'),
    })
  })
})
