import { beforeEach, describe, expect, it, vi } from 'vitest'
import { inconclusive, skip } from './check-errors.ts'
import { checkSample } from './check-sample.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { runCheck } from './run-check.ts'

const sampling = vi.hoisted(() => ({ seed: 1, failed: undefined as string | undefined }))

vi.mock('./sample-seed.ts', () => ({
  sampleSeed: () => sampling.seed,
  failedSample: () => sampling.failed,
}))

beforeEach(() => {
  Object.assign(sampling, { seed: 1, failed: undefined })
})

const COUNT = 8

/** Judges numbers up to a thousand, and tells which were tried. */
async function judged(check: (number: number) => void | Promise<void>) {
  const tried: number[] = []
  const judgement = await runCheck('a/b/c', 'probe', () =>
    checkSample({
      count: COUNT,
      arbitrary: (fc) => fc.noBias(fc.nat(1000)),
      format: (number) => `number=${number}`,
      parse: (text) => (/^number=\d+$/.test(text) ? Number(text.slice(7)) : undefined),
      async check(number) {
        tried.push(number)
        await check(number)
      },
    }),
  )
  return { ...judgement, tried }
}

const failingAbove = (most: number) => (number: number) => {
  if (number > most) expectExchange(exchangeWith({ status: 500 })).toHaveStatus(200)
}

describe('a sample', () => {
  it('is the same with the same seed, and another one with another', async () => {
    const one = await judged(() => {})
    expect(one).toMatchObject({ verdict: 'pass' })
    expect(one.tried).toHaveLength(COUNT)
    expect((await judged(() => {})).tried).toEqual(one.tried)
    sampling.seed = 2
    expect((await judged(() => {})).tried).not.toEqual(one.tried)
  })

  it('is tried at the same time', async () => {
    let underWay = 0
    let most = 0
    await judged(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await Promise.resolve()
      underWay -= 1
    })
    expect(most).toBe(COUNT)
  })

  it('that fails is shrunk with few further cases', async () => {
    sampling.seed = 3
    const { verdict, sample, tried } = await judged(failingAbove(400))
    expect(verdict).toBe('fail')
    expect(sample).toBe('number=401')
    expect(tried.length).toBeLessThanOrEqual(COUNT + 20)
    expect(new Set(tried).size).toBe(tried.length)
  })

  it('that failed in an earlier run is tried first', async () => {
    sampling.failed = 'number=4711'
    const { tried, sample } = await judged(failingAbove(4000))
    expect(tried[0]).toBe(4711)
    expect(sample).toBe('number=4711')
    expect((await judged(failingAbove(5000))).verdict).toBe('pass')
  })

  it('of something else in an earlier run is not tried', async () => {
    sampling.failed = 'limit=1&page=2'
    expect((await judged(() => {})).tried).toHaveLength(COUNT)
  })

  it('of seed 0 is none, which the pass says', async () => {
    sampling.seed = 0
    const { verdict, partial, tried } = await judged(failingAbove(0))
    expect([verdict, tried]).toEqual(['pass', []])
    expect(partial).toMatchObject([{ unjudged: { kind: 'note' } }])
  })

  it('without a verdict for a case has none, unless another one fails', async () => {
    const unclear = (number: number) => {
      if (number % 2 === 0) inconclusive('the connection broke')
    }
    expect(await judged(unclear)).toMatchObject({ verdict: 'inconclusive' })
    const failing = await judged((number) => {
      unclear(number)
      failingAbove(0)(number)
    })
    expect(failing.verdict).toBe('fail')
    expect(await judged(() => skip('nothing to see'))).toMatchObject({ verdict: 'pass' })
  })
})
