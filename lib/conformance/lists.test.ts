import { expect, it } from 'vitest'
import { Inconclusive } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { retryWhileChanging } from './lists.ts'

const failure = Object.assign(new Error(), { expected: '', actual: '' })

it('retryWhileChanging repeats the check after a change, and throws its error without one', async () => {
  const checked: number[] = []
  const check = async (attempt: number) => {
    checked.push(attempt)
    throw failure
  }
  const error = await errorOf(() => retryWhileChanging('it', check, async () => checked.length < 2))
  expect([checked, error]).toEqual([[0, 1], failure])
})

it('retryWhileChanging is inconclusive if the data change during each attempt', async () => {
  const check = async () => {}
  const error = await errorOf(() => retryWhileChanging('it', check, async () => true))
  expect(error).toBeInstanceOf(Inconclusive)
})
