import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { Inconclusive, inconclusive, skip } from './check-errors.ts'
import { type Contrast, contrast, requireStatus } from './contrast.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { runCheck } from './run-check.ts'

const respond = (status: number) => async () => exchangeWith({ status }, `/status-${status}`)
const gateway = (status: number) => async (): Promise<Exchange> => {
  throw new Inconclusive({ kind: 'gateway', exchange: 'x0', status })
}
const missing = async () => skip('TOKEN is not set')
const broken = async () => inconclusive('the connection broke')
const as401 = (rejection: Exchange) => expectExchange(rejection).toHaveStatus(401)
const lenient = { serverErrorRejects: true }

describe('contrast', () => {
  const anyExchange = { exchange: expect.stringMatching(/^x/) }

  it.each<[CheckResult['verdict'], object | undefined, Partial<Contrast>]>([
    ['pass', undefined, { negative: respond(418) }],
    ['pass', undefined, { negative: respond(500), ...lenient }],
    ['inconclusive', { kind: 'response', ...anyExchange }, { negative: respond(500) }],
    ['inconclusive', { kind: 'gateway', status: 503 }, { negative: gateway(503) }],
    ['inconclusive', { kind: 'unclear' }, { control: broken }],
    [
      'inconclusive',
      { kind: 'response', ...anyExchange },
      { control: respond(500), assertRejection: as401 },
    ],
    [
      'skipped',
      { kind: 'no control', ...anyExchange },
      { control: respond(403), negative: respond(403), assertRejection: as401 },
    ],
    ['skipped', { kind: 'missing', control: true }, { control: missing }],
  ])('returns %s for the reason %o', async (verdict, reason, parts) => {
    const result = await runCheck('any', () =>
      contrast({ control: respond(200), negative: respond(401), ...parts }),
    )
    expect(result.verdict).toBe(verdict)
    expect(result).toMatchObject(reason === undefined ? {} : { noVerdict: reason })
  })

  it.each([
    ['succeeds', respond(200)],
    ['is skipped', missing],
    ['reaches no verdict', broken],
  ])(
    'fails with the expectation of `as` if the negative request is accepted and the control %s',
    async (_, control) => {
      const accepted = { control, negative: respond(204), assertRejection: as401 }
      const { deviations } = await runCheck('any', () => contrast(accepted))
      expect(deviations).toMatchObject([{ expected: 'status 401', actual: 'status 204' }])
    },
  )
})

it('requireStatus returns the response with the status, and skips another', async () => {
  const outcomeOf = (status: number) =>
    runCheck('any', async () => {
      await requireStatus(401, respond(status)())
    })
  expect(await outcomeOf(401)).toMatchObject({ verdict: 'pass' })
  const exchanges = [expect.any(String)]
  expect(await outcomeOf(403)).toMatchObject({
    verdict: 'skipped',
    noVerdict: { kind: 'not observed', status: 401, exchanges },
  })
})
