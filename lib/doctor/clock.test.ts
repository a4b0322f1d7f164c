import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import type { Exchange } from '../probe/exchange.ts'
import { clockDifference, clockWords, isClockOff } from './clock.ts'

const NOON = Date.parse('2026-03-01T12:00:00.000Z')

/** @param offset seconds by which the server is ahead */
function answered(offset: number, { sentAt = NOON, tookMs = 0, headers = {} } = {}): Exchange {
  // It answers half way, and tells no parts of a second.
  const date = new Date(Math.floor((sentAt + tookMs / 2) / 1000 + offset) * 1000).toUTCString()
  const exchange = exchangeWith({ headers: { Date: date, ...headers } })
  exchange.record.startedAt = new Date(sentAt).toISOString()
  exchange.record.durationMs = tookMs
  return exchange
}

describe('the difference of clocks', () => {
  it('leaves room for the part of a second that is not told, and for the round trip', () => {
    expect(clockDifference([answered(0, { tookMs: 4000 })])).toEqual({ least: -2, most: 3 })
  })

  it('is what all responses agree on', () => {
    const early = answered(10.3, { sentAt: NOON + 100, tookMs: 200 })
    const late = answered(10.3, { sentAt: NOON + 600, tookMs: 200 })
    const both = clockDifference([early, late])

    expect(both?.least).toBeCloseTo(10.2)
    expect(both?.most).toBeCloseTo(10.9)
  })

  it('is not narrowed by responses that contradict each other', () => {
    expect(clockDifference([answered(0), answered(300)])).toEqual({ least: 0, most: 301 })
  })

  it('is unknown without Date, and where a cache has answered', () => {
    const undated = exchangeWith({})

    expect(clockDifference([undated, answered(500, { headers: { Age: '3' } })])).toBeUndefined()
  })

  it.each([
    [30, false],
    [32, true],
    [-30, false],
    [-32, true],
  ])('of %d s counts as off: %s', (offset, isOff) => {
    const difference = clockDifference([answered(offset)])

    expect(difference && isClockOff(difference)).toBe(isOff)
  })

  it('is not off where a slow round trip leaves it open', () => {
    const difference = clockDifference([answered(35, { tookMs: 20_000 })])

    expect(difference && isClockOff(difference)).toBe(false)
  })

  it('is told in words', () => {
    expect(clockWords({ least: -0.2, most: 0.8 })).toBe('within 1 s of')
    expect(clockWords({ least: -0.4, most: -0.1 })).toBe('within 1 s of')
    expect(clockWords({ least: 119, most: 120.2 })).toBe('120 s ahead of')
    expect(clockWords({ least: -121, most: -120 })).toBe('120 s behind')
  })
})
