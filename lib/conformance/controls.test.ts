import { expect, it } from 'vitest'
import { skip } from './check-errors.ts'
import { contrast, requireStatus } from './controls.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { runCheck } from './run-check.ts'

const respond = (status: number) => async () => exchangeWith({ status })
const missing = async () => skip('TOKEN is not set')

it.each([
  ['pass', undefined, respond(418), respond(200)],
  ['fail', undefined, respond(204), missing],
  ['skipped', 'missing', respond(401), missing],
  ['inconclusive', 'response', respond(500), respond(200)],
])('contrast returns %s for the reason %s', async (verdict, kind, send, control) => {
  const result = await runCheck('any', () => contrast(send, control))
  expect([result.verdict, result.noVerdict?.kind]).toEqual([verdict, kind])
})

it('requireStatus skips another status', async () => {
  const result = await runCheck('any', async () => void (await requireStatus(401, respond(403)())))
  expect(result.noVerdict?.kind).toBe('not observed')
})
