import { expect, it } from 'vitest'
import { Inconclusive, inconclusive, Skip, skip, skipUnobserved } from './check-errors.ts'
import { each } from './each.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'

const cases: Record<string, () => void> = {
  pass: () => {},
  skip: () => skip('something is missing'),
  unobserved: () => skipUnobserved('no 403 came'),
  inconclusive: () => inconclusive('the connection broke'),
  internalError: () => {
    throw new TypeError('internal error')
  },
  failure: () => expectExchange(exchangeWith({ status: 500 })).toHaveStatus(200),
}

const errorFor = (...names: string[]) => errorOf(() => each(names, async (name) => cases[name]?.()))

it('each throws the worst error for any order of cases', async () => {
  expect(await errorFor('pass', 'skip')).toBeInstanceOf(Skip)
  expect(await errorFor('skip', 'inconclusive', 'pass')).toBeInstanceOf(Inconclusive)
  expect(await errorFor('inconclusive', 'skip')).toBeInstanceOf(Inconclusive)
  expect(await errorFor('inconclusive', 'internalError', 'skip')).toBeInstanceOf(TypeError)
  expect(await errorFor('skip', 'failure', 'inconclusive')).toHaveProperty('actual', 'status 500')
})

it('each runs the cases concurrently and waits for all', async () => {
  const ended: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await errorOf(() =>
    each(['waits', 'releases'], async (name) => {
      if (name === 'waits') await released
      release()
      ended.push(name)
      if (name === 'releases') skip('no reason')
    }),
  )
  expect(ended).toEqual(['releases', 'waits'])
})
