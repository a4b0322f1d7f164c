import { expect, it } from 'vitest'
import { mayBeOfService, originOf } from './origin.ts'
import { transientIn } from './retry.ts'

it.each([
  ...[200, 401, 404, 528].map((status) => [status, 'service', false, true] as const),
  [500, 'service', true, true],
  ...[503, 504, 520, 530].map((status) => [status, 'gateway', true, true] as const),
  ...[408, 425, 429].map((status) => [status, 'gateway', true, false] as const),
  [413, 'gateway', false, false],
  ...[99, 600, 999].map((status) => [status, 'invalid', false, false] as const),
] as const)('%d comes from: %s; is retried: %s; may be a rejection: %s', (status, by, ...is) => {
  const origin = originOf(status, true)
  expect(origin.by).toBe(by)
  expect(mayBeOfService(origin)).toBe(by === 'service')
  const isTransient = transientIn({ status, origin, headers: new Headers() }) !== undefined
  // The document may state no statuses of rejections.
  expect([isTransient, mayBeOfService(originOf(status, false))]).toEqual(is)
})
