import { describe, expect, it } from 'vitest'
import { isGatewayStatus, isTransientStatus, retryAfterMs } from './retry.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 30)

describe('statuses', () => {
  it.each([
    [408, true, true],
    [425, true, true],
    [429, true, true],
    [500, true, false],
    [504, true, true],
    [200, false, false],
    [404, false, false],
    [413, false, true],
    [520, true, true],
    [528, false, false],
    [530, true, true],
    // No such status says anything: that it does not pass is no use to a report either.
    [600, false, true],
    [999, false, true],
  ])('%d: passing %s, of a gateway %s', (status, passing, gateway) => {
    expect(isTransientStatus(status)).toBe(passing)
    expect(isGatewayStatus(status)).toBe(gateway)
  })
})

describe('retryAfterMs', () => {
  it.each([null, '', 'soon 5', '-5', '1.5', '1, 1', '1994-11-06', 'Sun, 99 Xyz 1994 08:49:37 GMT'])(
    'finds no wait in %j',
    (field) => {
      expect(retryAfterMs(field, now)).toBeUndefined()
    },
  )
})
