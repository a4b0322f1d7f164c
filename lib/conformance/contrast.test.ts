import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Inconclusive, inconclusive, skip } from './check-errors.ts'
import { type Contrast, contrast, responsesWithStatus } from './contrast.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { type CheckResult, runCheck } from './run-check.ts'

const answers = (status: number) => async () => exchangeWith({ status }, `/answers-${status}`)
const gateway = (status: number) => async (): Promise<Exchange> => {
  throw new Inconclusive({ kind: 'gateway', exchange: 'x0', status })
}
const missing = async () => skip('TOKEN is not set')
const broken = async () => inconclusive('the connection broke')
const as401 = (refusal: Exchange) => expect(refusal).toHaveStatus(401)
const lenient = { serverErrorRefuses: true }

describe('a contrast', () => {
  const shown = { exchange: expect.stringMatching(/^x/) }

  it.each<[CheckResult['verdict'], object | undefined, Partial<Contrast>]>([
    ['pass', undefined, { refused: answers(418) }],
    ['pass', undefined, { refused: answers(500), ...lenient }],
    ['inconclusive', { kind: 'response', ...shown }, { refused: answers(500) }],
    ['inconclusive', { kind: 'gateway', status: 503 }, { refused: gateway(503) }],
    ['inconclusive', { kind: 'unclear' }, { control: broken }],
    ['inconclusive', { kind: 'response', ...shown }, { control: answers(500), as: as401 }],
    [
      'skipped',
      { kind: 'no control', ...shown },
      { control: answers(403), refused: answers(403), as: as401 },
    ],
    ['skipped', { kind: 'missing', control: true }, { control: missing }],
  ])('is %s for the reason %o', async (verdict, reason, parts) => {
    const judgement = await runCheck('any', 'probe', () =>
      contrast({ control: answers(200), refused: answers(401), ...parts }),
    )
    expect(judgement.verdict).toBe(verdict)
    expect(judgement).toMatchObject(reason === undefined ? {} : { unjudged: reason })
  })

  it.each([
    ['succeeds', answers(200)],
    ['is skipped', missing],
    ['reaches no verdict', broken],
  ])(
    'fails on what is accepted, in the words of its form, where the control %s',
    async (_, control) => {
      const refused = answers(204)
      const judgement = await runCheck('any', 'probe', () =>
        contrast({ control, refused, as: as401 }),
      )
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
    runCheck('any', 'probe', async () => {
      await responsesWithStatus(
        401,
        statuses.map((status) => answers(status)()),
      )
    })
  const unjudged = { kind: 'not observed', status: 401 }
  expect(await among(403, 401)).toMatchObject({
    verdict: 'pass',
    partial: [{ unjudged: { ...unjudged, exchanges: [expect.any(String)] } }],
  })
  expect(await among(403, 200)).toMatchObject({
    verdict: 'skipped',
    unjudged: { ...unjudged, exchanges: [expect.any(String), expect.any(String)] },
  })
})
