import { describe, it } from 'vitest'
import { exchangeWith } from './exchange.fixture.ts'
import { judge } from './judgement.ts'
import { expect } from './matchers.ts'
import { skip } from './outcome.ts'
import { currentScope, note } from './scope.ts'

const id = 'code-hosting/resources/user'

describe('a judgement', () => {
  it('is a pass when nothing is thrown, with the exchanges that were looked at', async () => {
    const exchange = exchangeWith()
    const judgement = await judge(id, 'probe', async () => {
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

  it('gives the notes as the reason of a pass', async () => {
    const judgement = await judge(id, 'invariant', async () => {
      note('One is left out.')
      await Promise.resolve()
      note('Another too.')
    })
    expect(judgement).toMatchObject({
      by: 'invariant',
      verdict: 'pass',
      reason: 'One is left out. Another too.',
    })
  })

  it('is a fail with expected, actual and the exchange that shows it first', async () => {
    const right = exchangeWith()
    const wrong = exchangeWith({ status: 404, json: { message: 'gone' } })
    const judgement = await judge(id, 'probe', async () => {
      expect(right).toHaveStatus(200)
      expect(wrong).toHaveStatus(200)
    })
    expect(judgement).toMatchObject({
      verdict: 'fail',
      reason: 'GET https://git.example.com/api/v1/user: expected status 200, got status 404 (gone)',
      expected: 'status 200',
      actual: 'status 404 (gone)',
      exchanges: [wrong.id, right.id],
    })
  })

  it('is a fail also by an expectation of Vitest itself', async () => {
    const judgement = await judge(id, 'probe', async () => {
      expect({ a: 1 }).toEqual({ a: 2 })
    })
    expect(judgement).toMatchObject({ verdict: 'fail', expected: '{"a":2}', actual: '{"a":1}' })
  })

  it('never holds a defect of the check against the deployment', async () => {
    const judgement = await judge(id, 'probe', async () => {
      throw new TypeError('cannot read properties of undefined')
    })
    expect(judgement.verdict).toBe('inconclusive')
    expect(judgement.reason).toMatch(/defect of its own: TypeError: cannot read properties/)
    expect(judgement).not.toHaveProperty('actual')
  })

  it('tells those who mend a defect where it is and what caused it, and nobody else', async () => {
    const cause = new RangeError('too far')
    const { reason, defect } = await judge(id, 'probe', async () => {
      throw new TypeError('cannot read properties', { cause })
    })
    expect(reason).not.toMatch(/\n|\.ts:/)
    expect(defect).toMatch(/^TypeError: cannot read properties\n +at .*judgement\.test\.ts/)
    expect(defect).toMatch(/caused by RangeError: too far\n +at /)
    expect(await judge(id, 'probe', async () => skip('x'))).not.toHaveProperty('defect')
  })

  it('is inconclusive when what is thrown is no error, or a matcher breaks', async () => {
    const thrown = await judge(id, 'probe', () => Promise.reject('a text'))
    expect(thrown.verdict).toBe('inconclusive')
    expect(thrown.reason).toMatch(/defect of its own.*: a text$/)
    const broken = await judge(id, 'probe', async () => {
      expect(undefined).toHaveStatus(200)
    })
    expect(broken.verdict).toBe('inconclusive')
  })

  it('keeps a scope of its own, however many run at once', async () => {
    const [one, other] = await Promise.all(
      ['e1', 'e2'].map((exchange) =>
        judge(id, 'probe', async () => {
          await Promise.resolve()
          currentScope()?.exchanges.add(exchange)
        }),
      ),
    )
    expect(one?.exchanges).toEqual(['e1'])
    expect(other?.exchanges).toEqual(['e2'])
    expect(currentScope()).toBeUndefined()
  })
})
