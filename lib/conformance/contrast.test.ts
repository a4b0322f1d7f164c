import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { answeredWith, type Contrast, contrast } from './contrast.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { type Judgement, judge } from './judgement.ts'
import { expect } from './matchers.ts'
import { Inconclusive, inconclusive, skip } from './outcome.ts'

const answers = (status: number) => async () => exchangeWith({ status }, `/answers-${status}`)
const gateway = (status: number) => async (): Promise<Exchange> => {
  throw new Inconclusive('a gateway', { exchange: exchangeWith({ status }) })
}
const missing = async () => skip('TOKEN is not set')
const broken = async () => inconclusive('the connection broke')
const as401 = (refusal: Exchange) => expect(refusal).toHaveStatus(401)
const lenient = { serverErrorRefuses: true }

const answered = (status: number) =>
  `GET https://git.example.com/answers-${status} was answered with ${status}`

describe('a contrast', () => {
  it.each<[Judgement['verdict'], string | undefined, Partial<Contrast>]>([
    ['pass', undefined, { refused: answers(418) }],
    ['pass', undefined, { refused: answers(500), ...lenient }],
    ['inconclusive', `a server error is no refusal: ${answered(500)}`, { refused: answers(500) }],
    ['inconclusive', 'a gateway', { refused: gateway(503) }],
    ['inconclusive', 'the connection broke', { control: broken }],
    [
      'inconclusive',
      `the control had trouble: ${answered(500)}`,
      { control: answers(500), as: as401 },
    ],
    [
      'skipped',
      `no control: what should succeed did not: ${answered(403)}`,
      { control: answers(403), refused: answers(403), as: as401 },
    ],
    ['skipped', 'no control: TOKEN is not set', { control: missing }],
  ])('is %s with the reason %j', async (verdict, reason, parts) => {
    const judgement = await judge('any', 'probe', () =>
      contrast({ control: answers(200), refused: answers(401), ...parts }),
    )
    expect(judgement.verdict).toBe(verdict)
    expect(judgement.reason).toBe(reason)
  })

  it.each([
    ['succeeds', answers(200)],
    ['is skipped', missing],
    ['reaches no verdict', broken],
  ])(
    'fails on what is accepted, in the words of its form, where the control %s',
    async (_, control) => {
      const refused = answers(204)
      const judgement = await judge('any', 'probe', () => contrast({ control, refused, as: as401 }))
      expect(judgement).toMatchObject({
        verdict: 'fail',
        expected: 'status 401',
        actual: 'status 204',
      })
    },
  )
})

it('responses with the status that a statement is about are looked for among others', async () => {
  const among = (...statuses: number[]) =>
    judge('any', 'probe', async () => {
      await answeredWith(
        401,
        statuses.map((status) => answers(status)()),
      )
    })
  expect(await among(403, 401)).toMatchObject({
    verdict: 'pass',
    reason: 'Left out for want of 401: GET https://git.example.com/answers-403: 403.',
  })
  expect(await among(403, 200)).toMatchObject({
    verdict: 'skipped',
    reason: expect.stringMatching(/^needs a response with 401 \(.*answers-403: 403, .*: 200\)$/),
  })
})
