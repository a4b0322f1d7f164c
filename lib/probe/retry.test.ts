import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textOf } from '../environment/arbitrary-text.fixture.ts'
import { delayBeforeRetry, RequestedPauses, retryAfterDelay, retryAfterMs } from './retry.ts'

/** Returns a time in the three formats of RFC 9110, 5.6.7. */
function httpDates(moment: Date): string[] {
  const [day = '', date = '', month = '', year = '', time = ''] = moment
    .toUTCString()
    .replace(',', '')
    .split(' ')
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  const long = days.find((name) => name.startsWith(day))
  return [
    moment.toUTCString(),
    `${long}, ${date}-${month}-${year.slice(2)} ${time} GMT`,
    `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`,
  ]
}

describe('a Retry-After field', () => {
  it('with a date is the time until then, in each format', () => {
    const moments = fc.date({
      min: new Date('2001-01-01'),
      max: new Date('2049-12-31'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moments, fc.integer({ min: -1e9, max: 1e9 }), (moment, ahead) => {
        const then = Math.floor(moment.getTime() / 1000) * 1000
        const now = then - ahead
        for (const field of httpDates(moment)) {
          expect(retryAfterMs(field, now), field).toBe(Math.max(0, ahead))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('with any text never exceeds the maximum wait', () => {
    const any = textOf('1', '9', '-', '.', ' ', 'e', ':', 'GMT', 'Wed, ', '01 Apr 2026', '\n', '+')
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 10 }), (field, attempt) => {
        const requested = retryAfterMs(field, 0)
        if (requested !== undefined) expect(requested).toBeGreaterThanOrEqual(0)
        expect(retryAfterDelay(field) ?? 0).toBeLessThanOrEqual(30_000)
        const delay = delayBeforeRetry(attempt, field) ?? 0
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(200 * 2 ** 10)
      }),
      { numRuns: 1000 },
    )
  })
})

const now = Date.UTC(1994, 10, 6, 8, 49, 30)

describe('retryAfterMs', () => {
  it.each([null, '', 'soon 5', '-5', '1.5', '1, 1', '1994-11-06', 'Sun, 99 Xyz 1994 08:49:37 GMT'])(
    'returns undefined for %j',
    (field) => {
      expect(retryAfterMs(field, now)).toBeUndefined()
    },
  )
})

describe('RequestedPauses', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('counts concurrent pauses once, and rejects a pause that exceeds the rest', () => {
    const pauses = new RequestedPauses(5000)
    expect([pauses.extend(2000), pauses.extend(1000), pauses.extend(2000)]).toEqual(
      Array(3).fill(true),
    )
    expect(pauses.remainingMs).toBe(2000)
    vi.advanceTimersByTime(1500)
    // 500 ms remain, so that 1500 are added.
    expect([pauses.extend(2000), pauses.remainingMs]).toEqual([true, 2000])
    vi.advanceTimersByTime(3000)
    expect([pauses.extend(2000), pauses.remainingMs]).toEqual([false, -1000])
    expect([pauses.extend(0), pauses.extend(1500), pauses.remainingMs]).toEqual([true, true, 1500])
    expect(pauses.extend(1600)).toBe(false)
  })

  it('allows as much as the time without pauses, at least 10 s and at most 30 s', () => {
    const pauses = new RequestedPauses()
    for (let count = 0; count < 10; count += 1) {
      expect(pauses.extend(1000)).toBe(true)
      vi.advanceTimersByTime(1050)
    }
    expect([pauses.extend(1000), pauses.limitMs]).toEqual([false, 10_000])
    vi.advanceTimersByTime(15_000)
    expect([pauses.extend(5500), pauses.limitMs]).toEqual([true, 15_500])
    vi.advanceTimersByTime(60_000)
    expect([pauses.extend(15_000), pauses.limitMs]).toEqual([false, 30_000])
  })
})
