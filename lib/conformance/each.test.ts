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
  defect: () => {
    throw new TypeError('a mistake of ours')
  },
  failure: () => expect(exchangeWith({ status: 500 })).toHaveStatus(200),
}

async function worstOf(...names: string[]): Promise<unknown> {
  return errorOf(() => each(names, async (name) => cases[name]?.()))
}

describe('each', () => {
  it('ends as the worst case, in whatever order they come', async () => {
    expect(await worstOf('pass', 'skip')).toBeInstanceOf(Skip)
    expect(await worstOf('skip', 'inconclusive', 'pass')).toBeInstanceOf(Inconclusive)
    expect(await worstOf('inconclusive', 'skip')).toBeInstanceOf(Inconclusive)
    expect(await worstOf('inconclusive', 'defect', 'skip')).toBeInstanceOf(TypeError)
    expect(await worstOf('skip', 'failure', 'inconclusive')).toHaveProperty('actual', 'status 500')
  })

  it('waits for all cases, which run at the same time', async () => {
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
})

describe('eachPossible', () => {
  const judged = (...names: string[]) =>
    runCheck('any', 'probe', () =>
      forEachTestable(
        names.map((name) => ({ name })),
        async ({ name }) => cases[name]?.(),
      ),
    )

  it('leaves out what is skipped, and says so', async () => {
    expect(await judged('pass', 'skip')).toMatchObject({
      verdict: 'pass',
      partial: [{ part: 'skip', unjudged: { kind: 'missing' } }],
    })
    expect((await judged('unobserved', 'pass')).partial).toMatchObject([
      { part: 'unobserved', unjudged: { kind: 'not observed' } },
    ])
    expect((await judged('skip', 'failure')).verdict).toBe('fail')
    expect((await judged('skip', 'inconclusive')).verdict).toBe('inconclusive')
  })

  it('is skipped when every case is, for want of a request rather than of a response', async () => {
    expect(await judged('unobserved', 'skip')).toMatchObject({
      verdict: 'skipped',
      unjudged: { kind: 'missing' },
    })
    const unjudged = { kind: 'not observed' }
    expect(await judged('unobserved', 'unobserved')).toMatchObject({ verdict: 'skipped', unjudged })
    expect((await judged()).verdict).toBe('pass')
  })
})
