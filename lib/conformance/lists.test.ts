import { describe, expect, it } from 'vitest'
import { Inconclusive } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { retryWhileChanging } from './lists.ts'

describe('untilSettled', () => {
  const failure = Object.assign(new Error(), { expected: '', actual: '' })

  it('checks again what has changed, and believes what has not', async () => {
    const checked: number[] = []
    const check = async (attempt: number) => {
      checked.push(attempt)
      throw failure
    }
    const error = await errorOf(() =>
      retryWhileChanging('it', check, async () => checked.length < 2),
    )
    expect([checked, error]).toEqual([[0, 1], failure])
  })

  it('ends without a verdict if the data change in each attempt', async () => {
    const error = await errorOf(() =>
      retryWhileChanging(
        'it',
        async () => {},
        async () => true,
      ),
    )
    expect(error).toBeInstanceOf(Inconclusive)
  })
})
