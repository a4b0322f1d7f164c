import { expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { Inconclusive, inconclusive, skip } from './check-errors.ts'
import { contrast, requireStatus } from './contrast.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { runCheck } from './run-check.ts'

type Send = () => Promise<Exchange>

const respond = (status: number) => async () => exchangeWith({ status }, `/status-${status}`)
const gateway = (status: number) => async (): Promise<Exchange> => {
  throw new Inconclusive({ kind: 'gateway', exchange: 'x0', status })
}
const missing = async () => skip('TOKEN is not set')
const broken = async () => inconclusive('the connection broke')

const anyExchange = { exchange: expect.stringMatching(/^x/) }

it.each<[CheckResult['verdict'], object | undefined, Send, Send]>([
  ['pass', undefined, respond(418), respond(200)],
  ['fail', undefined, respond(204), respond(200)],
  ['fail', undefined, respond(204), missing],
  ['fail', undefined, respond(204), broken],
  ['inconclusive', { kind: 'response', ...anyExchange }, respond(500), respond(200)],
  ['inconclusive', { kind: 'gateway', status: 503 }, gateway(503), respond(200)],
  ['inconclusive', { kind: 'unclear' }, respond(401), broken],
  ['inconclusive', { kind: 'response', ...anyExchange }, respond(401), respond(500)],
  ['skipped', { kind: 'no control', ...anyExchange }, respond(403), respond(403)],
  ['skipped', { kind: 'missing', control: true }, respond(401), missing],
])('contrast returns %s for the reason %o', async (verdict, reason, send, control) => {
  const result = await runCheck('any', () => contrast(send, control))
  expect(result.verdict).toBe(verdict)
  expect(result).toMatchObject(reason === undefined ? {} : { noVerdict: reason })
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
