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

/** Checks numbers up to 1000 and returns the result with the tried numbers. */
async function checkNumbers(check: (number: number) => void | Promise<void>) {
  const tried: number[] = []
  const result = await runCheck('a/b/c', 'probe', () =>
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
  return { ...result, tried }
}

const failingAbove = (max: number) => (number: number) => {
  if (number > max) expectExchange(exchangeWith({ status: 500 })).toHaveStatus(200)
}

describe('checkSample', () => {
  it('draws the same sample for the same seed, and another for another seed', async () => {
    const one = await checkNumbers(() => {})
    expect(one).toMatchObject({ verdict: 'pass' })
    expect(one.tried).toHaveLength(COUNT)
    expect((await checkNumbers(() => {})).tried).toEqual(one.tried)
    sampling.seed = 2
    expect((await checkNumbers(() => {})).tried).not.toEqual(one.tried)
  })

  it('checks the cases concurrently', async () => {
    let running = 0
    let maxRunning = 0
    await checkNumbers(async () => {
      running += 1
      maxRunning = Math.max(maxRunning, running)
      await Promise.resolve()
      running -= 1
    })
    expect(maxRunning).toBe(COUNT)
  })

  it('shrinks a failing case with few additional cases', async () => {
    sampling.seed = 3
    const { verdict, sample, tried } = await checkNumbers(failingAbove(400))
    expect(verdict).toBe('fail')
    expect(sample).toBe('number=401')
    expect(tried.length).toBeLessThanOrEqual(COUNT + 20)
    expect(new Set(tried).size).toBe(tried.length)
  })

  it('checks a sample that failed in an earlier run first', async () => {
    sampling.failed = 'number=4711'
    const { tried, sample } = await checkNumbers(failingAbove(4000))
    expect(tried[0]).toBe(4711)
    expect(sample).toBe('number=4711')
    expect((await checkNumbers(failingAbove(5000))).verdict).toBe('pass')
  })

  it('ignores a failed sample that it cannot parse, and for seed 0 only adds a note', async () => {
    sampling.failed = 'limit=1&page=2'
    expect((await checkNumbers(() => {})).tried).toHaveLength(COUNT)
    sampling.seed = 0
    const partial = [{ noVerdict: { kind: 'note' } }]
    const none = { verdict: 'pass', tried: [], partial }
    expect(await checkNumbers(failingAbove(0))).toMatchObject(none)
  })

  it('is inconclusive if a case is, unless another case fails', async () => {
    const unclear = (number: number) => {
      if (number % 2 === 0) inconclusive('the connection broke')
    }
    expect(await checkNumbers(unclear)).toMatchObject({ verdict: 'inconclusive' })
    const failing = await checkNumbers((number) => {
      unclear(number)
      failingAbove(0)(number)
    })
    expect(failing.verdict).toBe('fail')
    expect(await checkNumbers(() => skip('nothing to see'))).toMatchObject({ verdict: 'pass' })
  })
})
