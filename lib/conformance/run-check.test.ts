import { describe, it } from 'vitest'
import { Interrupted } from './check-errors.ts'
import { each } from './each.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { runCheck } from './run-check.ts'

const id = 'code-hosting/resources/user'

describe('runCheck', () => {
  it('returns a pass without an error, with the inspected exchanges', async () => {
    const exchange = exchangeWith()
    const result = await runCheck(id, 'probe', async () => {
      expect(exchange).toHaveStatus(200)
    })
    expect(result).toEqual({
      requirement: id,
      by: 'probe',
      verdict: 'pass',
      exchanges: [exchange.id],
      durationMs: expect.any(Number),
    })
  })

  it('returns a failure with expected, actual, and the deviating exchange first', async () => {
    const right = exchangeWith()
    const wrong = exchangeWith({ status: 404, json: { message: 'gone' } })
    const result = await runCheck(id, 'probe', async () => {
      expect(right).toHaveStatus(200)
      expect(wrong).toHaveStatus(200)
    })
    expect(result).toMatchObject({
      verdict: 'fail',
      expected: 'status 200',
      actual: 'status 404 (gone)',
      deviations: [{ expected: 'status 200', actual: 'status 404 (gone)', exchange: wrong.id }],
      exchanges: [wrong.id, right.id],
    })
  })

  it('returns the exchange of the first of several equal failures', async () => {
    const [first, second] = [exchangeWith({ status: 500 }), exchangeWith({ status: 500 })]
    const { exchanges } = await runCheck(id, 'probe', () =>
      each([first, second], async (exchange) => {
        expect(exchange).toHaveStatus(200)
      }),
    )
    expect(exchanges[0]).toBe(first.id)
  })

  it('is inconclusive for an internal error, and returns its stack and cause', async () => {
    const cause = new RangeError('too far')
    const {
      verdict,
      noVerdict,
      internalError: defect,
      ...rest
    } = await runCheck(id, 'probe', async () => {
      throw new TypeError('cannot read properties', { cause })
    })
    expect(verdict).toBe('inconclusive')
    expect(rest).not.toHaveProperty('actual')
    expect(noVerdict).toEqual({ kind: 'internal error', text: 'TypeError: cannot read properties' })
    expect(defect).toMatch(/^TypeError: cannot read properties\n +at .*run-check\.test\.ts/)
    expect(defect).toMatch(/caused by RangeError: too far\n +at /)
  })

  it('returns the reason of an interruption or of an open circuit', async () => {
    for (const reason of [
      { kind: 'interrupted', by: 'operator' },
      { kind: 'stopped', failures: 4, exchange: 'x1' },
    ] as const) {
      const result = await runCheck(id, 'probe', () => Promise.reject(new Interrupted(reason)))
      expect(result).toMatchObject({ verdict: 'inconclusive', noVerdict: reason })
    }
  })

  it('is inconclusive for other thrown values, or an error in a matcher', async () => {
    const thrown = await runCheck(id, 'probe', () => Promise.reject('a text'))
    expect(thrown.verdict).toBe('inconclusive')
    expect(thrown.noVerdict).toEqual({ kind: 'internal error', text: 'a text' })
    const broken = await runCheck(id, 'probe', async () => {
      expect(undefined).toHaveStatus(200)
    })
    expect(broken.verdict).toBe('inconclusive')
  })
})
