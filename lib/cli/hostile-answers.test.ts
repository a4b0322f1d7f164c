import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { startProbe } from '../probe/server.fixture.ts'
import { behaviourNames, startHostile } from '../reference/hostile/index.fixture.ts'

/** Returns the exchange of one request to a hostile server. */
async function meet(behaviour: string, timeoutMs = 5000): Promise<Exchange | TransportError> {
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

/** No response is had of these, and the reason says what happened. */
const reasons: Record<string, RegExp> = {
  'closes-before-the-header': /^the connection was closed before the response ended/,
  'resets-the-connection': /^the connection was reset/,
  'closes-in-the-header': /^the connection was closed before the response ended/,
  'closes-behind-the-header': /^the connection was closed before the response ended/,
  'closes-in-a-chunk': /^the connection was closed before the response ended/,
  'cuts-its-body-short': /^the connection was closed before the response ended/,
  'continues-without-end': /^the server sent an interim response \(100\) that was not asked for/,
  'switches-protocols': /^the server changed to another protocol \(101\)/,
  'length-and-chunks': /^the length of the response body is not clear: .* Transfer-Encoding/,
  'two-lengths': /^the length of the response body is not clear: .* several lengths/,
  'status-99': /^the response is not valid HTTP: its status is below 100/,
  'is-no-http': /^the response is not valid HTTP \(it does not begin with HTTP\/\)$/,
  'endless-body': /^the response is larger than PROBE_MAX_BODY_BYTES allows/,
  'endless-header': /^the response header is too large: it has more than 16 KiB/,
  'endless-trailer': /^the response header is too large: it has more than 16 KiB/,
  'ten-thousand-fields': /^the response header is too large: it has more than 16 KiB/,
  'long-link': /^the response header is too large: it has more than 16 KiB/,
  'gzip-bomb': /^the response is larger than PROBE_MAX_BODY_BYTES allows/,
  'thousand-codings': /^the body has 1000 content codings, too many to undo/,
  'wrong-coding': /^the body cannot be decoded as gzip/,
  'unknown-coding': /^the body has the content coding "x-riddle", which is not known/,
  'short-members': /^the response body has more than 200000 values, too many to be read$/,
  'deep-json':
    /^the response body is JSON nested 100001 levels deep, and no more than 100 are read$/,
}

/** These are read as they are: whether they conform is for the checks to say. */
const read: Record<string, number> = {
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

/** They go on until time is up. */
const endless = [
  'never-answers',
  'drips',
  'drips-its-body',
  'hints-without-end',
  'endless-status-line',
]

// One at a time: a flood would delay the timeouts of other tests.
describe('a request to a server that', () => {
  it.each(Object.entries(reasons))('%s', async (behaviour, expected) => {
    const outcome = await meet(behaviour)
    expect(outcome).toBeInstanceOf(TransportError)
    const { record } = outcome as TransportError
    expect(record.error).toMatch(expected)
    expect(record.response).toBeNull()
  })

  it.each(Object.entries(read))('%s', async (behaviour, status) => {
    expect(await meet(behaviour)).toMatchObject({ status })
  })

  it.each(endless)('%s', async (behaviour) => {
    expect(await meet(behaviour, 300)).toMatchObject({
      // Either the limit of the probe or of its client is exceeded first.
      message: expect.stringMatching(/no (?:complete )?response within .*\(PROBE_TIMEOUT_MS\)/),
    })
  })
})

it('all behaviors are covered, except those of lists, tokens or certain requests', () => {
  const tried = new Set([...Object.keys(reasons), ...Object.keys(read), ...endless])
  const uncovered = behaviourNames.filter((name) => !tried.has(name))
  const others = /^(?:next|redirects|refuses)-|-(?:records|messages)$|-beyond-the-limit$|token/
  expect(uncovered.filter((name) => !others.test(name))).toEqual([])
})
