import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { quietReport } from './stored-report.fixture.ts'
import { compareTimings } from './timings.ts'

const baseUrl = 'https://git.example.com/git'

interface Sent {
  path: string
  durations: number[]
  method?: string
  answered?: boolean
}

function report(...sent: Sent[]): RunReport {
  const { request, response } = exchangeFixture()
  const exchanges = sent.flatMap(({ path, durations, method = 'GET', answered = true }) =>
    durations.map((durationMs) =>
      exchangeFixture({
        durationMs,
        request: { ...request, method, url: `${baseUrl}${path}` },
        response: answered ? response : null,
      }),
    ),
  )
  return quietReport({ target: { codeHosting: { baseUrl } }, exchanges })
}

const user = (durations: number[]) => ({ path: '/api/v1/user', durations })

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
    const lost = { path: '/api/v1/user', durations: five, answered: false }
    expect(compareTimings(report(user(five)), report(user(slow))).compared).toBe(0)
    expect(compareTimings(report(user(five)), report(user(slow), lost)).compared).toBe(0)
    expect(compareTimings(report(user(slow)), report(user(five))).compared).toBe(0)
  })

  it('are told when they are shorter, the largest difference first', () => {
    const five = (value: number) => [value, value, value, value, value]
    const settings = (value: number) => ({ path: '/api/v1/settings/api', durations: five(value) })
    const { faster, slower } = compareTimings(
      report(user(five(300)), settings(900)),
      report(user(five(100)), settings(100)),
    )
    expect(slower).toEqual([])
    expect(faster.map(({ endpoint }) => endpoint)).toEqual([
      'GET /api/v1/settings/api',
      'GET /api/v1/user',
    ])
  })

  it('put the paths of an endpoint together, and methods apart', () => {
    const one = (path: string, method = 'GET', durationMs = 10) => ({
      path,
      method,
      durations: [durationMs],
    })
    const requests = (durationMs: number) => [
      ...['a/b', 'a/c', 'd/e', 'f/g', 'h/i'].map((name) =>
        one(`/api/v1/repos/${name}?x=1`, 'GET', durationMs),
      ),
      ...['a', 'b', 'c', 'd', 'e'].map((name) =>
        one(`/api/v1/users/maria/tokens/plumbline-2026-${name}`, 'DELETE', durationMs),
      ),
      one('/api/v1/users/maria/tokens', 'POST', durationMs),
    ]
    const { slower } = compareTimings(report(...requests(10)), report(...requests(500)))
    expect(slower.map(({ endpoint }) => endpoint).toSorted()).toEqual([
      'DELETE /api/v1/users/maria/tokens/{…}',
      'GET /api/v1/repos/{owner}/{repo}',
    ])
  })

  it('leave out what went elsewhere', () => {
    const before = report(user([1, 1, 1, 1, 1]))
    const after = quietReport({
      ...report(user([900, 900, 900, 900, 900])),
      target: { codeHosting: { baseUrl: 'https://other.example.com' } },
    })
    expect(compareTimings(before, after).compared).toBe(0)
  })
})
