import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import type { FailureKind } from '../probe/transport-error.ts'
import { Inconclusive } from './check-errors.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { retryLostResponse, untilAccepted } from './retry-lost-responses.ts'

const respond = (status: number, method = 'POST', headers: Record<string, string> = {}) => {
  const exchange = exchangeWith({ status, headers }, '/tokens', { method })
  exchange.record.request.method = method
  return exchange
}

const fromGateway = (
  status: number,
  ...rest: [method?: string, headers?: Record<string, string>]
) =>
  new Inconclusive(
    { kind: 'gateway', exchange: 'x0', status },
    { exchange: respond(status, ...rest) },
  )

const broken = (kind: FailureKind) =>
  new Inconclusive(
    { kind: 'transport', exchange: 'x0', detail: 'broken' },
    { cause: new TransportError('broken', respond(200).record, kind) },
  )

/** Returns functions whose attempts have these outcomes, and records the pauses in milliseconds. */
function attempting(outcomes: (Error | Exchange)[], retries = 3) {
  const pauses: number[] = []
  const attempts: number[] = []
  const retry = {
    settings: { target: { probe: { retries } } },
    wait: async (milliseconds: number) => {
      pauses.push(milliseconds)
    },
  }
  const make = async (attempt: number) => {
    attempts.push(attempt)
    const outcome = outcomes[attempt - 1]
    if (outcome === undefined || outcome instanceof Error) throw outcome
    return outcome
  }
  const send = () => make(attempts.length + 1)
  return { pauses, attempts, retry, make, send }
}

describe('retryLostResponse', () => {
  it('ends after a requested pause beyond the budget of the run', async () => {
    const lost = fromGateway(503, 'POST', { 'Retry-After': '1' })
    if (lost.exchange) lost.exchange.exceededPausesMs = 1
    const { attempts, retry, make } = attempting([lost, respond(201)])
    expect(await errorOf(() => retryLostResponse(retry, make))).toBe(lost)
    expect(attempts).toEqual([1])
  })

  it.each([
    ['503', fromGateway(503)],
    ['a failed connection', broken('connection')],
  ])('retries after %s, with increasing pauses', async (_, lost) => {
    const { pauses, attempts, retry, make } = attempting([lost, lost, respond(201)])
    expect((await retryLostResponse(retry, make)).status).toBe(201)
    expect(attempts).toEqual([1, 2, 3])
    const [first = 0, second = 0] = pauses
    expect(first).toBeGreaterThanOrEqual(100)
    expect(second).toBeGreaterThanOrEqual(200)
  })

  it.each<[string, Error]>([
    ['a permanent error', broken('certificate')],
    ['a GET, which the probe retries', fromGateway(503, 'GET')],
    ['a `Retry-After` that is too long', fromGateway(429, 'POST', { 'Retry-After': '60' })],
    ['an internal error', new TypeError('x')],
  ])('does not retry %s', async (_, error) => {
    const { attempts, retry, make } = attempting([error])
    expect(await errorOf(() => retryLostResponse(retry, make))).toBe(error)
    expect(attempts).toEqual([1])
  })

  it.each([
    [0, 1],
    [1, 3],
  ])('with %i retries makes at most %i attempts', async (retries, maxAttempts) => {
    const lost = fromGateway(503)
    const { attempts, retry, make } = attempting(Array(9).fill(lost), retries)
    expect(await errorOf(() => retryLostResponse(retry, make))).toBe(lost)
    expect(attempts).toHaveLength(maxAttempts)
  })
})

it.each([302, 409])('untilAccepted is inconclusive if a retry gets status %i', async (status) => {
  const first = attempting([respond(status)])
  expect((await untilAccepted(first.retry, first.send)).status).toBe(status)
  const { retry, send } = attempting([broken('connection'), respond(status)])
  const error = await errorOf(() => untilAccepted(retry, send))
  expect(error).toBeInstanceOf(Inconclusive)
  expect(error).toMatchObject({ reason: { kind: 'response' } })
})
