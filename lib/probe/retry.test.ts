import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { delayBeforeRetry, RequestedPauses, retryAfterDelay, retryAfterMs } from './retry.ts'

describe('a Retry-After field', () => {
  it.each<[string | null, number | undefined]>([
    ['120', 120_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 7000],
    ['Sun Nov  6 08:49:37 1994', 7000],
    ['Sun, 06 Nov 1994 08:49:29 GMT', 0],
    ...[null, '', 'soon 5', '-5', '1.5', '1994-11-06', 'Sun, 99 Xyz 1994 08:49:37 GMT'].map(
      (field): [string | null, undefined] => [field, undefined],
    ),
  ])('of %j is a delay of %s ms', (field, expected) => {
    expect(retryAfterMs(field, Date.UTC(1994, 10, 6, 8, 49, 30))).toBe(expected)
  })

  it('is bounded by the maximum delay', () => {
    expect([retryAfterDelay('31'), retryAfterDelay('30')]).toEqual([undefined, 30_000])
    expect(delayBeforeRetry(1, '31')).toBeUndefined()
    expect(delayBeforeRetry(10, null)).toBeLessThanOrEqual(200 * 2 ** 10)
  })
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
})
