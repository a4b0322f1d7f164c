import { expect, it, vi } from 'vitest'
import { memoized } from './memoized.ts'

it('computes once for equal arguments', () => {
  const compute = vi.fn((settings: { limit: number }, seed: number) => [settings.limit, seed])
  const table = memoized(compute)
  expect([table({ limit: 50 }, 1), table({ limit: 50 }, 1)]).toEqual([
    [50, 1],
    [50, 1],
  ])
  expect(compute).toHaveBeenCalledTimes(1)
  expect([table({ limit: 50 }, 2), table({ limit: 10 }, 1)]).toEqual([
    [50, 2],
    [10, 1],
  ])
})
