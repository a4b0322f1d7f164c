import { expect, it } from 'vitest'
import type { Reason } from '../results/reason.ts'
import { Inconclusive, Interrupted } from './check-errors.ts'
import { errorOf } from './exchange.fixture.ts'
import { failUnreachable } from './preflight.ts'

const stopped = { kind: 'stopped', failures: 4, exchange: 'e4', path: 'GET /user' } as const
const gateway = { kind: 'gateway', exchange: 'e1', status: 503 } as const

it.each<[Reason, ...Reason[]]>([[stopped], [stopped, gateway]])(
  'failUnreachable says what is there instead after %j and %j',
  async (...reasons) => {
    const failures = reasons.map((reason) =>
      reason?.kind === 'stopped' ? new Interrupted(reason) : new Inconclusive(gateway),
    ) as [Inconclusive, ...Inconclusive[]]
    const error = await errorOf(() => failUnreachable('http://127.0.0.1:1', 'BASE_URL', failures))
    const instead = reasons.length === 1 ? 'nothing' : 'gateway'
    expect(error).toHaveProperty('reason', expect.objectContaining({ kind: 'no service', instead }))
  },
)
