import { expect, it } from 'vitest'
import { exchangeFixture, runFixture } from '../reports/report.fixture.ts'
import { slownessOf } from './slowness.ts'

const start = Date.parse('2026-02-03T02:59:10.000Z')
const at = (ms: number) => new Date(start + ms).toISOString()

type Interval = readonly [from: number, durationMs: number, hasResponse?: false]

const seconds = (...all: Interval[]) =>
  all.map(([from, duration, hasResponse]): Interval => {
    const interval = [from * 1000, duration * 1000] as const
    return hasResponse === false ? [...interval, false] : interval
  })

it.each<
  [text: string, runMs: number, intervals: Interval[], expected: [number, number] | undefined]
>([
  ['no exchange', 10_000, [], undefined],
  ['one after the other', 10_000, seconds([0, 2], [2, 3], [5, 4]), [3000, 9000]],
  ['at the same time', 10_000, seconds([0, 6], [1, 6], [2, 2]), [6000, 7000]],
  ['within another one', 10_000, seconds([0, 9], [1, 1], [2, 2]), [2000, 9000]],
  ['in another order', 10_000, seconds([5, 4], [0, 2], [2, 3]), [3000, 9000]],
  [
    'the median at the limit',
    10_000,
    [
      [0, 1000],
      [1000, 1000],
      [0, 9000],
    ],
    [1000, 9000],
  ],
  [
    'the median below the limit',
    10_000,
    [
      [0, 999],
      [1000, 999],
      [0, 9000],
    ],
    undefined,
  ],
  [
    'the lower of two in the middle',
    10_000,
    [
      [0, 999],
      [0, 9000],
    ],
    undefined,
  ],
  [
    'fast ones, and many without a response',
    10_000,
    [
      [0, 40],
      [40, 9000, false],
      [40, 9000, false],
    ],
    undefined,
  ],
  [
    'a slow one, and waiting without a response',
    10_000,
    [
      [0, 1500],
      [2000, 6000, false],
    ],
    [1500, 7500],
  ],
  ['half of the time', 10_000, seconds([0, 5]), undefined],
  ['more than half of the time', 9999, seconds([0, 5]), [5000, 5000]],
  ['an exchange that ends after the run', 3000, seconds([1, 5]), [5000, 2000]],
  ['an exchange that begins before the run', 3000, seconds([-1, 3]), [3000, 2000]],
])('of a run with %s, has the median and the time of waiting', (_, runMs, intervals, expected) => {
  const exchanges = intervals.map(([from, durationMs, hasResponse]) =>
    exchangeFixture({
      startedAt: at(from),
      durationMs,
      ...(hasResponse === false && { response: null, error: 'no response' }),
    }),
  )
  const run = runFixture({ startedAt: at(0), finishedAt: at(runMs) })
  const slowness = slownessOf({ run, exchanges })
  const [responseMs, waitingMs] = expected ?? []
  expect(slowness).toEqual(expected && { responseMs, waitingMs, runMs })
})
