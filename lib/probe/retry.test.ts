import { describe, expect, it } from 'vitest'
import { isGatewayStatus, isTransientStatus, pauseAskedFor, retryAfterMs } from './retry.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 30)

describe('statuses', () => {
  it.each([
    [408, true, true],
    [425, true, true],
    [429, true, true],
    [500, true, false],
    [502, true, true],
    [503, true, true],
    [504, true, true],
    [200, false, false],
    [302, false, false],
    [401, false, false],
    [404, false, false],
    [413, false, true],
    [501, false, false],
    [519, false, false],
    [520, true, true],
    [527, true, true],
    [528, false, false],
    [530, true, true],
    [599, false, false],
    // No such status says anything: that it does not pass is no use to a report either.
    [600, false, true],
    [999, false, true],
  ])('%d: passing %s, of a gateway %s', (status, passing, gateway) => {
    expect(isTransientStatus(status)).toBe(passing)
    expect(isGatewayStatus(status)).toBe(gateway)
  })
})

describe('retryAfterMs', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 7000],
    ['Sun Nov  6 08:49:37 1994', 7000],
    ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
  ])('reads %j', (field, expected) => {
    expect(retryAfterMs(field, now)).toBe(expected)
  })

  it.each([
    null,
    '',
    'soon',
    'soon 5',
    '-5',
    '1.5',
    '1, 1',
    '5s',
    '1994-11-06',
    'Sun, 99 Xyz 1994 08:49:37 GMT',
  ])('finds no wait in %j', (field) => {
    expect(retryAfterMs(field, now)).toBeUndefined()
  })
})

describe('pauseAskedFor', () => {
  it.each([
    ['30', 30_000],
    ['31', undefined],
    ['9'.repeat(400), undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7000],
    ['Sun, 06 Nov 1994 09:49:37 GMT', undefined],
    ['soon', undefined],
    [null, undefined],
  ])('obeys %j up to a limit', (field, expected) => {
    expect(pauseAskedFor(field, now)).toBe(expected)
  })
})
