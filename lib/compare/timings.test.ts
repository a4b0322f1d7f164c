import { expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { quietReport } from './stored-report.fixture.ts'
import { compareTimings } from './timings.ts'

/** A report with an exchange for each duration; none of those of `null` was answered. */
function report(durations: (number | null)[]): RunReport {
  const exchanges = durations.map((durationMs) =>
    exchangeFixture({
      endpoint: 'GET /api/v1/user',
      durationMs: durationMs ?? 5000,
      ...(durationMs === null && { response: null }),
    }),
  )
  return quietReport({ exchanges })
}

it('tells what is slower, and what is faster, by medians', () => {
  const [few, many] = [report([100, 40, 60, 50, 9000]), report([310, 200, 260, 300, 1, 270])]
  const timing = {
    service: 'code-hosting',
    endpoint: 'GET /api/v1/user',
    before: { medianMs: 60, samples: 5 },
    after: { medianMs: 265, samples: 6 },
  }
  expect(compareTimings(few, many)).toEqual({ slower: [timing], faster: [], compared: 1 })
  expect(compareTimings(many, few)).toMatchObject({ slower: [], faster: [{}], compared: 1 })
})

const five = [10, 10, 10, 10, 10]
it.each<[string, (number | null)[], (number | null)[], number]>([
  ['less than twice as long', [200, 200, 200, 200, 200], [399, 399, 399, 399, 399], 1],
  ['less than 100 ms longer', five, [109, 109, 109, 109, 109], 1],
  ['known by four answers alone', five, [900, 900, 900, 900, null], 0],
])('does not count as slower what is %s', (_name, before, after, compared) => {
  const comparison = compareTimings(report(before), report(after))
  expect(comparison).toEqual({ slower: [], faster: [], compared })
})
