import { expect, it } from 'vitest'
import { mayBeOfService, originOf } from './origin.ts'
import { transientIn } from './retry.ts'

it.each([
  [200, 'service', false],
  [404, 'service', false],
  [408, 'gateway', true],
  [413, 'gateway', false],
  [425, 'gateway', true],
  [429, 'gateway', true],
  [500, 'service', true],
  [504, 'gateway', true],
  [520, 'gateway', true],
  [528, 'service', false],
  [530, 'gateway', true],
  [99, 'invalid', false],
  [600, 'invalid', false],
  [999, 'invalid', false],
] as const)('%d comes from: %s; is retried: %s', (status, by, isTransient) => {
  const origin = originOf(status, true)
  expect(origin.by).toBe(by)
  expect(mayBeOfService(origin)).toBe(by === 'service')
  expect(transientIn({ status, origin, headers: new Headers() }) !== undefined).toBe(isTransient)
})

it.each([
  [401, true],
  [503, true],
  [530, true],
  [408, false],
  [413, false],
  [429, false],
  [600, false],
])('%d may be a rejection if the document states no status: %s', (status, expected) => {
  expect(mayBeOfService(originOf(status, false))).toBe(expected)
})
