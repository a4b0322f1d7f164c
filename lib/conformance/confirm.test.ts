import { describe, it } from 'vitest'
import type { Exchange, ServiceRequest } from '../probe/exchange.ts'
import { inconclusive } from './check-errors.ts'
import { confirmDeviations } from './confirm.ts'
import { randomNumbers } from './covering-array.ts'
import type { FailedExpectation } from './deviations.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import type { Run } from './probe-run.ts'

/** Creates a run whose server responds with these statuses, and the requests that it gets. */
function runWith(confirmations: number, respond: (index: number) => number | undefined) {
  const sent: ServiceRequest[] = []
  const send = async (_service: string, request: ServiceRequest): Promise<Exchange> => {
    const status = respond(sent.push(request) - 1)
    return status === undefined ? inconclusive('the connection broke') : exchangeWith({ status })
  }
  return { run: { settings: { confirmations }, exchanges: [], send } as unknown as Run, sent }
}

const failureFor = async (exchange: Exchange) =>
  (await errorOf(() => expect(exchange).toHaveStatus(200))) as FailedExpectation

async function confirmed(confirmations: number, respond: (index: number) => number | undefined) {
  const failure = await failureFor(exchangeWith({ status: 404 }))
  const { run, sent } = runWith(confirmations, respond)
  await confirmDeviations(failure, run)
  return { failure, sent }
}

describe('confirmDeviations', () => {
  it('sends the request again on new connections, and counts the deviations', async () => {
    const { failure, sent } = await confirmed(2, () => 404)
    expect(failure).toMatchObject({ repeated: { requests: 3, deviating: 3 } })
    expect(failure.conformedIn).toBeUndefined()
    expect(sent).toMatchObject([{ fresh: true }, { fresh: true }])
    expect(sent.map(({ connection }) => connection)).not.toContain(undefined)
  })

  it.each([1, 2, 3, 4])('finds a deviation of probability one half with seed %i', async (seed) => {
    const random = randomNumbers(seed)
    const statuses = Array.from({ length: 6 }, () => (random() < 0.5 ? 404 : 200))
    const { failure } = await confirmed(6, (index) => statuses[index])
    const right = statuses.filter((status) => status === 200).length
    expect(failure.repeated).toEqual({ requests: 7, deviating: 7 - right })
    expect(failure.conformedIn !== undefined).toBe(right > 0)
  })

  it('does not count responses that show nothing', async () => {
    const { failure } = await confirmed(3, (index) => [200, 401, 404][index])
    expect(failure.repeated).toEqual({ requests: 2, deviating: 1 })
    expect((await confirmed(1, () => undefined)).failure.repeated).toBeUndefined()
  })

  it.each([
    ['a request that may change something', { method: 'POST' }],
    ['a request of a sequence', { connection: 'sequence' }],
    ['rejected credentials', {}, 401],
  ])('does not repeat %s', async (_, parts, status = 404) => {
    const failure = await failureFor(exchangeWith({ status }, '/', parts))
    const { run, sent } = runWith(1, () => 200)
    await confirmDeviations(failure, run)
    expect(sent).toEqual([])
  })
})
