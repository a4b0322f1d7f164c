import { describe, it } from 'vitest'
import { Inconclusive, inconclusive, Skip, skip, skipUnobserved } from './check-errors.ts'
import { each, forEachTestable } from './each.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { runCheck } from './run-check.ts'

const cases: Record<string, () => void> = {
  pass: () => {},
  skip: () => skip('something is missing'),
  unobserved: () => skipUnobserved('no 403 came'),
  inconclusive: () => inconclusive('the connection broke'),
  internalError: () => {
    throw new TypeError('internal error')
  },
  failure: () => expect(exchangeWith({ status: 500 })).toHaveStatus(200),
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

describe('forEachTestable', () => {
  const judge = (...names: string[]) =>
    runCheck('any', 'probe', () =>
      forEachTestable(
        names.map((name) => ({ name })),
        async ({ name }) => cases[name]?.(),
      ),
    )

  it('adds a note for each skipped case', async () => {
    expect(await judge('pass', 'skip')).toMatchObject({
      verdict: 'pass',
      partial: [{ part: 'skip', noVerdict: { kind: 'missing' } }],
    })
    expect((await judge('unobserved', 'pass')).partial).toMatchObject([
      { part: 'unobserved', noVerdict: { kind: 'not observed' } },
    ])
    expect((await judge('skip', 'failure')).verdict).toBe('fail')
    expect((await judge('skip', 'inconclusive')).verdict).toBe('inconclusive')
  })

  it('reports each distinct deviation once, in the order of the cases', async () => {
    const cases = [204, 200, 201, 204].map((expected) => ({ name: 'case', expected }))
    const { deviations } = await runCheck('any', 'probe', () =>
      forEachTestable(cases, async ({ expected }) =>
        expect(exchangeWith({ status: 200 })).toHaveStatus(expected),
      ),
    )
    expect(deviations?.map(({ expected }) => expected)).toEqual(['status 204', 'status 201'])
  })

  it('skips if all cases are skipped, preferring a missing request to a missing response', async () => {
    expect(await judge('unobserved', 'skip')).toMatchObject({
      verdict: 'skipped',
      noVerdict: { kind: 'missing' },
    })
    const noVerdict = { kind: 'not observed' }
    expect(await judge('unobserved', 'unobserved')).toMatchObject({ verdict: 'skipped', noVerdict })
    expect((await judge()).verdict).toBe('pass')
  })
})
