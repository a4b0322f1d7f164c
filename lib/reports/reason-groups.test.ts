import { describe, expect, it } from 'vitest'
import { abbreviatedIds, groupByReason } from './reason-groups.ts'
import { resultFixture } from './report.fixture.ts'

describe('groupByReason', () => {
  it('puts the largest group first and keeps the order within', () => {
    const groups = groupByReason([
      resultFixture({ requirement: 'a/b/one', reason: 'small' }),
      resultFixture({ requirement: 'a/b/two', reason: 'large' }),
      resultFixture({ requirement: 'a/b/three', reason: 'large' }),
      resultFixture({ requirement: 'a/b/four' }),
    ])
    expect(
      groups.map(({ reason, results }) => [reason, results.map(({ requirement }) => requirement)]),
    ).toEqual([
      ['large', ['a/b/two', 'a/b/three']],
      ['small', ['a/b/one']],
      ['no reason was recorded', ['a/b/four']],
    ])
  })
})

describe('reasons that name a request', () => {
  const grouped = (...reasons: string[]) =>
    groupByReason(reasons.map((reason) => resultFixture({ reason }))).map(
      ({ reason, results }) => `${results.length} ${reason}`,
    )

  it('counts requests to the same server as one reason', () => {
    expect(
      grouped(
        'GET http://127.0.0.1:9/a?b=c: the connection was refused (ECONNREFUSED)',
        'POST http://127.0.0.1:9/d: the connection was refused (ECONNREFUSED)',
        'GET http://127.0.0.1:9: the connection was refused (ECONNREFUSED)',
      ),
    ).toEqual(['3 a request to http://127.0.0.1:9: the connection was refused (ECONNREFUSED)'])
  })

  it('keeps servers and problems apart, and a reason that occurs once as it is', () => {
    const reasons = [
      'GET https://a.example/x was answered with 502, which a gateway may have sent',
      'GET https://a.example/x was answered with 503, which a gateway may have sent',
      'GET https://b.example/x was answered with 502, which a gateway may have sent',
    ]
    expect(grouped(...reasons)).toEqual(reasons.map((reason) => `1 ${reason}`))
  })
})

it('names a few ids in full, and counts many by section', () => {
  expect(abbreviatedIds(['a/b/one', 'a/b/two', 'a/c/three'])).toBe('a/b/one, a/b/two, a/c/three')
  expect(abbreviatedIds(['a/b/one', 'a/c/two', 'a/b/three', 'a/b/four'])).toBe('a/b (3), a/c/two')
})
