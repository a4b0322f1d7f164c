import { describe, it } from 'vitest'
import { Interrupted } from './check-errors.ts'
import { each } from './each.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { runCheck } from './run-check.ts'

const id = 'code-hosting/resources/user'

describe('a judgement', () => {
  it('is a pass when nothing is thrown, with the exchanges that were looked at', async () => {
    const exchange = exchangeWith()
    const judgement = await runCheck(id, 'probe', async () => {
      expect(exchange).toHaveStatus(200)
    })
    expect(judgement).toEqual({
      requirement: id,
      by: 'probe',
      verdict: 'pass',
      exchanges: [exchange.id],
      durationMs: expect.any(Number),
    })
  })

  it('is a fail with expected, actual and the exchange that shows it first', async () => {
    const right = exchangeWith()
    const wrong = exchangeWith({ status: 404, json: { message: 'gone' } })
    const judgement = await runCheck(id, 'probe', async () => {
      expect(right).toHaveStatus(200)
      expect(wrong).toHaveStatus(200)
    })
    expect(judgement).toMatchObject({
      verdict: 'fail',
      expected: 'status 200',
      actual: 'status 404 (gone)',
      deviations: [{ expected: 'status 200', actual: 'status 404 (gone)', exchange: wrong.id }],
      exchanges: [wrong.id, right.id],
    })
  })

  it('is shown by the exchange of its own expectation, where another one says the same', async () => {
    const [first, second] = [exchangeWith({ status: 500 }), exchangeWith({ status: 500 })]
    const { exchanges } = await runCheck(id, 'probe', () =>
      each([first, second], async (exchange) => {
        expect(exchange).toHaveStatus(200)
      }),
    )
    expect(exchanges[0]).toBe(first.id)
  })

  it('never holds a defect of the check against the deployment, and tells it to those who mend it', async () => {
    const cause = new RangeError('too far')
    const { verdict, unjudged, defect, ...rest } = await runCheck(id, 'probe', async () => {
      throw new TypeError('cannot read properties', { cause })
    })
    expect(verdict).toBe('inconclusive')
    expect(rest).not.toHaveProperty('actual')
    expect(unjudged).toEqual({ kind: 'defect', text: 'TypeError: cannot read properties' })
    expect(defect).toMatch(/^TypeError: cannot read properties\n +at .*judgement\.test\.ts/)
    expect(defect).toMatch(/caused by RangeError: too far\n +at /)
  })

  it('says whether the run came to its end, or a circuit is open', async () => {
    for (const reason of [
      { kind: 'interrupted', by: 'operator' },
      { kind: 'stopped', failures: 4, exchange: 'x1' },
    ] as const) {
      const judgement = await runCheck(id, 'probe', () => Promise.reject(new Interrupted(reason)))
      expect(judgement).toMatchObject({ verdict: 'inconclusive', unjudged: reason })
    }
  })

  it('is inconclusive when what is thrown is no error, or a matcher breaks', async () => {
    const thrown = await runCheck(id, 'probe', () => Promise.reject('a text'))
    expect(thrown.verdict).toBe('inconclusive')
    expect(thrown.unjudged).toEqual({ kind: 'defect', text: 'a text' })
    const broken = await runCheck(id, 'probe', async () => {
      expect(undefined).toHaveStatus(200)
    })
    expect(broken.verdict).toBe('inconclusive')
  })
})
