import { describe, expect, it } from 'vitest'
import { Interrupted } from './check-errors.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { runCheck } from './run-check.ts'

const id = 'code-hosting/resources/user'

describe('runCheck', () => {
  it('returns a pass without an error, with the inspected exchanges', async () => {
    const exchange = exchangeWith()
    const result = await runCheck(id, async () => {
      expectExchange(exchange).toHaveStatus(200)
    })
    expect(result).toEqual({
      requirement: id,
      verdict: 'pass',
      cases: { 'resources/user': 'conforms' },
      exchanges: [exchange.id],
      durationMs: expect.any(Number),
    })
  })

  it('returns a failure with expected, actual, and the deviating exchange first', async () => {
    const right = exchangeWith()
    const wrong = exchangeWith({ status: 404, json: { message: 'gone' } })
    const result = await runCheck(id, async () => {
      expectExchange(right).toHaveStatus(200)
      expectExchange(wrong).toHaveStatus(200)
    })
    expect(result).toMatchObject({
      verdict: 'fail',
      deviations: [{ expected: 'status 200', actual: 'status 404 (gone)', exchange: wrong.id }],
      exchanges: [wrong.id, right.id],
    })
  })

  it.each([
    ['in a table for {endpoint}', 'in a table for GET /'],
    ['in a section', 'in a section'],
    [undefined, undefined],
  ])('names the place in the document: %s', async (because, place) => {
    const check = async () => expectExchange(exchangeWith()).toHaveStatus(404)
    const { deviations } = await runCheck(id, check, because)
    expect(deviations?.[0]?.because?.slice(0, place?.length)).toBe(place)
  })

  it('is inconclusive for an internal error, and returns its stack and cause', async () => {
    const cause = new RangeError('too far')
    const error = new TypeError('cannot read properties', { cause })
    const result = await runCheck(id, () => Promise.reject(error))
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: { kind: 'internal error', text: 'TypeError: cannot read properties' },
    })
    expect(result).not.toHaveProperty('actual')
    const stack = result.internalError ?? ''
    expect(stack).toMatch(/^TypeError: cannot read properties\n +at .*run-check\.test\.ts/)
    expect(stack).toMatch(/caused by RangeError: too far\n +at /)
  })

  const reasons = [
    { kind: 'interrupted', by: 'operator' },
    { kind: 'stopped', failures: 4, exchange: 'x1' },
  ] as const

  it.each<[string, object, () => unknown]>([
    ...reasons.map((reason): [string, object, () => unknown] => {
      return [reason.kind, reason, () => Promise.reject(new Interrupted(reason))]
    }),
    ['a thrown text', { kind: 'internal error', text: 'a text' }, () => Promise.reject('a text')],
    [
      'an error in a matcher',
      { kind: 'internal error' },
      async () => expectExchange(undefined).toHaveStatus(200),
    ],
  ])('is inconclusive: %s', async (_, noVerdict, check) => {
    const result = await runCheck(id, check as () => Promise<void>)
    expect(result).toMatchObject({ verdict: 'inconclusive', noVerdict })
  })
})
