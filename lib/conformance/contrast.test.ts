import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { answeredWith } from './answered.ts'
import { type Contrast, contrast } from './contrast.ts'
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
  it('passes when the control succeeds and the refusal has the right form', async () => {
    expect(await judged({ as: as401 })).toMatchObject({ verdict: 'pass' })
    expect(await judged({ refused: answers(418) })).toMatchObject({ verdict: 'pass' })
  })

  it('fails when what should be refused is accepted, in the words of its form', async () => {
    expect(await judged({ refused: answers(200), as: as401 })).toMatchObject({
      verdict: 'fail',
      expected: 'status 401',
      actual: 'status 200',
    })
  })

  it('fails when it is accepted and any refusal would do, or the form allows it', async () => {
    const expected = { verdict: 'fail', expected: 'a refusal', actual: 'status 201' }
    expect(await judged({ refused: answers(201) })).toMatchObject(expected)
    expect(await judged({ refused: answers(201), as: () => {} })).toMatchObject(expected)
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

  it('does not take too many requests for a refusal', async () => {
    const exchange = exchangeWith({ status: 429 }, '/limited')
    const refused = async () => {
      throw new Inconclusive('too many requests', { exchange })
    }

    expect((await judged({ refused, serverErrorRefuses: true })).verdict).toBe('inconclusive')
  })

  it('does not count the wrong form of a refusal without its control either', async () => {
    const judgement = await judged({ control: answers(404), refused: answers(403), as: as401 })
    expect(judgement.verdict).toBe('skipped')
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

  it('fails when the refusal has another form', async () => {
    expect(await judged({ refused: answers(403), as: as401 })).toMatchObject({
      verdict: 'fail',
      expected: 'status 401',
      actual: 'status 403',
    })
  })
})

describe('responses with the status that a statement is about', () => {
  it('are all of them when all have it', async () => {
    const judgement = await judge('any', 'probe', async () => {
      const responses = await answeredWith(401, [answers(401)(), answers(401)()])
      expect(responses).toHaveLength(2)
    })
    expect(judgement.verdict).toBe('pass')
    expect(judgement).not.toHaveProperty('reason')
  })

  it('leave the others out, and say so', async () => {
    const judgement = await judge('any', 'probe', async () => {
      const responses = await answeredWith(401, [answers(403)(), answers(401)()])
      expect(responses.map(({ status }) => status)).toEqual([401])
    })
    expect(judgement.verdict).toBe('pass')
    expect(judgement.reason).toBe(
      'Left out for want of 401: GET https://git.example.com/answers-403: 403.',
    )
  })

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
