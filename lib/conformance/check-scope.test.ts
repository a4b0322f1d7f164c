import { describe, expect, it, vi } from 'vitest'
import { skip } from './check-errors.ts'
import { currentScope, fixture } from './check-scope.ts'
import { errorOf } from './exchange.fixture.ts'
import { runCheck } from './run-check.ts'

describe('fixture', () => {
  it('rejects every check with the error of its creation, and is created once', async () => {
    const make = vi.fn(async () => skip('<text>'))
    const token = fixture('token', make)
    const [one, other] = await Promise.all([errorOf(token), errorOf(token)])
    expect(one).toHaveProperty('reason', { kind: 'missing', text: '<text>' })
    expect(other).toBe(one)
    expect(make).toHaveBeenCalledTimes(1)
  })

  it('adds the exchanges of its creation to every check, also after an error', async () => {
    const made = fixture('token', async () => {
      currentScope()?.exchanges.add('e1')
      await Promise.resolve()
      currentScope()?.exchanges.add('e2')
    })
    const failed = fixture('admin', async () => {
      currentScope()?.exchanges.add('e3')
      skip('<text>')
    })
    const users = await Promise.all([
      runCheck('first', made),
      runCheck('second', made),
      runCheck('third', failed),
    ])
    const late = await runCheck('late', made)
    expect(users.map(({ exchanges }) => exchanges)).toEqual([['e1', 'e2'], ['e1', 'e2'], ['e3']])
    expect(late.exchanges).toEqual(['e1', 'e2'])
  })
})
