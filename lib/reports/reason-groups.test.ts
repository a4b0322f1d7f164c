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

describe('what waits for the same variables', () => {
  const waiting = (reason: string, advice: string, ...variables: string[]) =>
    resultFixture({
      reason,
      unjudged: { kind: 'needs', needs: [{ name: 'it', variables, ...(advice && { advice }) }] },
    })
  const grouped = (...results: ReturnType<typeof waiting>[]) =>
    groupByReason(results).map(({ reason, results: members }) => `${members.length} ${reason}`)

  it('is one group, with the reason that is true of all', () => {
    expect(
      grouped(
        waiting('A and B (or C) are not set', 'Set the account.', 'A', 'B'),
        waiting('B and A are not set', 'Set the account and its password.', 'B', 'A'),
      ),
    ).toEqual(['2 B and A are not set'])
  })

  it('has what to do for a reason where each has its own', () => {
    const advice = 'Unset READ_ONLY.'
    expect(
      grouped(
        waiting('needs a token, and READ_ONLY is true', advice, 'READ_ONLY'),
        waiting('needs an event, and READ_ONLY is true', advice, 'READ_ONLY'),
      ),
    ).toEqual(['2 Unset READ_ONLY.'])
  })

  it('stays apart where a server is so, and no variable is to be set', () => {
    expect(grouped(waiting('it is on: A', '', 'A'), waiting('it is off: A', '', 'A'))).toEqual([
      '1 it is on: A',
      '1 it is off: A',
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
