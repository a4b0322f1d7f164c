import { expect, it } from 'vitest'
import { Inconclusive } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { retryWhileChanging } from './lists.ts'

const failure = Object.assign(new Error(), { expected: '', actual: '' })

it('retryWhileChanging repeats the check after a change, and throws an error that occurs twice more', async () => {
  const checked: number[] = []
  const check = async (attempt: number) => {
    checked.push(attempt)
    throw failure
  }
  const error = await errorOf(() => retryWhileChanging('it', check, async () => checked.length < 2))
  expect([checked, error]).toEqual([[0, 1, 2, 3], failure])
})

it('retryWhileChanging is inconclusive if the data change during each attempt', async () => {
  const check = async () => {}
  const error = await errorOf(() => retryWhileChanging('it', check, async () => true))
  expect(error).toBeInstanceOf(Inconclusive)
})

it('retryWhileChanging is inconclusive if the check fails in some attempts only', async () => {
  let attempts = 0
  const check = async (attempt: number) => {
    attempts += 1
    if (attempt === 0) throw failure
  }
  const error = await errorOf(() => retryWhileChanging('it', check, async () => false))
  expect(error).toBeInstanceOf(Inconclusive)
  expect(attempts).toBe(2)
})
