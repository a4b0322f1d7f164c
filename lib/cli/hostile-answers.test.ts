import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { startProbe } from '../probe/server.fixture.ts'
import { behaviourNames, startHostile } from '../test-bed/reference/hostile/index.fixture.ts'

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
  'closes-in-the-header',
  'closes-behind-the-header',
  'closes-in-a-chunk',
  'cuts-its-body-short',
  'continues-without-end',
  'switches-protocols',
  'length-and-chunks',
  'two-lengths',
  'status-99',
  'is-no-http',
  'endless-body',
  'endless-header',
  'endless-trailer',
  'ten-thousand-fields',
  'long-link',
  'gzip-bomb',
  'thousand-codings',
  'wrong-coding',
  'unknown-coding',
  'short-members',
  'deep-json',
]

/** Status codes by behavior with a readable response, which checks judge. */
const readable: Record<string, number> = {
  'http-1-0': 200,
  'invalid-utf-8': 200,
  'prototype-keys': 200,
  'many-backslashes': 200,
  'ten-megabytes': 200,
  'many-members': 200,
  'long-number': 200,
  'many-objects': 200,
  'many-lists': 200,
  'empty-lists': 200,
  'long-texts': 200,
  'repeated-fields': 200,
  'contradictory-fields': 200,
  'many-links': 200,
  'status-999': 999,
  'sets-cookies': 200,
  'endless-list': 200,
  'points-elsewhere': 200,
}

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

  it.each(Object.entries(readable))('has a response: %s', async (behaviour, status) => {
    expect(await meet(behaviour)).toMatchObject({ status })
  })

  it.concurrent.each(endless)('has a timeout: %s', async (behaviour) => {
    expect(await meet(behaviour, 300)).toMatchObject({
      // Either the limit of the probe or of its client is exceeded first.
      kind: 'timeout',
      message: expect.stringContaining('PROBE_TIMEOUT_MS'),
    })
  })
})

it('all behaviors are covered, except for lists, tokens or certain requests', () => {
  const tried = new Set([...unreadable, ...Object.keys(readable), ...endless])
  const uncovered = behaviourNames.filter((name) => !tried.has(name))
  const others = /^(?:next|redirects|refuses)-|-(?:records|messages)$|-beyond-the-limit$|token/
  expect(uncovered.filter((name) => !others.test(name))).toEqual([])
})
