import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { quietReport } from './stored-report.fixture.ts'
import { compareTimings } from './timings.ts'

interface Sent {
  endpoint?: string
  durations: number[]
  answered?: boolean
}

function report(...sent: Sent[]): RunReport {
  const { response } = exchangeFixture()
  const exchanges = sent.flatMap(({ endpoint, durations, answered = true }) =>
    durations.map((durationMs) =>
      exchangeFixture({
        durationMs,
        ...(endpoint === undefined ? {} : { endpoint }),
        response: answered ? response : null,
      }),
    ),
  )
  return quietReport({ exchanges })
}

const user = (durations: number[]) => ({ endpoint: 'GET /api/v1/user', durations })

describe('times by endpoint', () => {
  it('are medians, and slower ones are told', () => {
    const comparison = compareTimings(
      report(user([100, 40, 60, 50, 9000])),
      report(user([310, 200, 260, 300, 1, 270])),
    )
    expect(comparison).toEqual({
      slower: [
        {
          service: 'code-hosting',
          endpoint: 'GET /api/v1/user',
          before: { medianMs: 60, samples: 5 },
          after: { medianMs: 265, samples: 6 },
        },
      ],
      faster: [],
      compared: 1,
    })
  })

  it.each([
    ['less than twice as long', [200, 200, 200, 200, 200], [399, 399, 399, 399, 399]],
    ['less than 100 ms longer', [10, 10, 10, 10, 10], [109, 109, 109, 109, 109]],
  ])('do not count as slower when they are %s', (_name, before, after) => {
    const comparison = compareTimings(report(user(before)), report(user(after)))
    expect(comparison).toEqual({ slower: [], faster: [], compared: 1 })
  })

  it('need five answered requests on both sides', () => {
    const five = [10, 10, 10, 10, 10]
    const slow = [900, 900, 900, 900]
    const lost = { ...user(five), answered: false }
    expect(compareTimings(report(user(five)), report(user(slow))).compared).toBe(0)
    expect(compareTimings(report(user(five)), report(user(slow), lost)).compared).toBe(0)
    expect(compareTimings(report(user(slow)), report(user(five))).compared).toBe(0)
  })
})
