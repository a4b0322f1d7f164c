import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { answeredWith, type Contrast, contrast } from './contrast.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { judge } from './judgement.ts'
import { expect } from './matchers.ts'
import { Inconclusive, inconclusive, skip } from './outcome.ts'

const answers = (status: number) => async () => exchangeWith({ status }, `/answers-${status}`)
const as401 = (refusal: Exchange) => expect(refusal).toHaveStatus(401)

async function inconclusiveWith(exchange: Exchange): Promise<Exchange> {
  throw new Inconclusive('a gateway', { exchange })
}

function judged(parts: Partial<Contrast>) {
  return judge('any', 'probe', () =>
    contrast({ control: answers(200), refused: answers(401), ...parts }),
  )
}

describe('a contrast', () => {
  it('fails when what should be refused is accepted, in the words of its form', async () => {
    expect(await judged({ refused: answers(200), as: as401 })).toMatchObject({
      verdict: 'fail',
      expected: 'status 401',
      actual: 'status 200',
    })
  })

  it.each([
    ['is answered with an error', answers(500)],
    ['is skipped', () => skip('OTHER_PASSWORD is not set')],
    ['reaches no verdict', () => inconclusive('the connection broke')],
  ])('fails on an acceptance also when the control %s', async (_, control) => {
    const judgement = await judged({ control, refused: answers(204), as: as401 })
    expect(judgement).toMatchObject({ verdict: 'fail', actual: 'status 204' })
  })

  it('does not count a refusal without its control', async () => {
    expect(await judged({ control: answers(403) })).toMatchObject({
      verdict: 'skipped',
      reason:
        'no control: what should succeed did not: ' +
        'GET https://git.example.com/answers-403 was answered with 403',
    })
    expect(await judged({ control: async () => skip('TOKEN is not set') })).toMatchObject({
      verdict: 'skipped',
      reason: 'no control: TOKEN is not set',
    })
  })

  it('has no verdict when the control meets a server error', async () => {
    expect(await judged({ control: answers(500), as: as401 })).toMatchObject({
      verdict: 'inconclusive',
      reason:
        'the control had trouble: GET https://git.example.com/answers-500 was answered with 500',
    })
  })

  it('takes a server error for a refusal only where it is told to', async () => {
    expect((await judged({ refused: answers(500) })).verdict).toBe('inconclusive')
    const lenient = { serverErrorRefuses: true }
    expect((await judged({ refused: answers(500), ...lenient })).verdict).toBe('pass')
  })

  it('is inconclusive when its control is, or the request itself', async () => {
    expect(await judged({ control: async () => inconclusive('timed out') })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'timed out',
    })
    expect(await judged({ refused: async () => inconclusive('timed out') })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'timed out',
    })
  })

  it('hands on a defect in its control', async () => {
    const control = () => Promise.reject(new TypeError('a mistake of ours'))
    expect(await errorOf(() => contrast({ control, refused: answers(401) }))).toBeInstanceOf(
      TypeError,
    )
  })

  it('has no verdict on what did not answer for itself, whatever counts as a refusal', async () => {
    const gateway = (status: number) => () => inconclusiveWith(exchangeWith({ status }, '/gateway'))

    for (const serverErrorRefuses of [false, true]) {
      const unanswered = await judged({ refused: gateway(503), serverErrorRefuses })
      const limited = await judged({ refused: gateway(429), serverErrorRefuses })
      expect([unanswered.verdict, limited.verdict]).toEqual(['inconclusive', 'inconclusive'])
    }
  })
})

describe('responses with the status that a statement is about', () => {
  it('are skipped when none has it', async () => {
    const judgement = await judge('any', 'probe', async () => {
      await answeredWith(401, [answers(403)(), answers(200)()])
    })
    expect(judgement.verdict).toBe('skipped')
    expect(judgement.reason).toMatch(
      /^needs a response with 401 \(.*answers-403: 403, .*answers-200: 200\)$/,
    )
  })
})
