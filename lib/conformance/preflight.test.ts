import { expect, it } from 'vitest'
import type { Reason } from '../results/reason.ts'
import { Inconclusive, Interrupted } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { failUnreachable } from './preflight.ts'

const stopped = { kind: 'stopped', failures: 4, exchange: 'e4', path: 'GET /user' } as const
const gateway = { kind: 'gateway', exchange: 'e1', status: 503 } as const

it('failUnreachable throws the interruption of the run, if there is one', async () => {
  const interruption = new Interrupted({ kind: 'interrupted', by: 'operator' })
  const failures = [new Inconclusive(gateway), interruption] as const
  const fail = () => failUnreachable('http://127.0.0.1:1', 'BASE_URL', failures)
  expect(await errorOf(fail)).toBe(interruption)
})

it.each<[Reason[], string]>([
  [[stopped], 'nothing'],
  [[stopped, gateway], 'gateway'],
])('failUnreachable says for %j that there is instead: %s', async (reasons, instead) => {
  const failures = reasons.map((reason) =>
    reason.kind === 'stopped' ? new Interrupted(reason) : new Inconclusive(reason),
  ) as [Inconclusive, ...Inconclusive[]]
  const error = await errorOf(() => failUnreachable('http://127.0.0.1:1', 'BASE_URL', failures))
  expect(error).toHaveProperty('reason', expect.objectContaining({ kind: 'no service', instead }))
})
