import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { Inconclusive } from './check-errors.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { retryLostResponse, untilAccepted } from './retry-lost-responses.ts'

const answer = (
  status: number,
  method = 'POST',
  headers: Record<string, string> = {},
): Exchange => {
  const exchange = exchangeWith({ status, headers }, '/tokens')
  exchange.request.method = method
  exchange.record.request.method = method
  return exchange
}

const fromGateway = (status: number, method?: string, headers?: Record<string, string>) =>
  new Inconclusive(
    { kind: 'gateway', exchange: 'x0', status },
    { exchange: answer(status, method, headers) },
  )

const broken = (transient: boolean, method?: string) =>
  new Inconclusive(
    { kind: 'transport', exchange: 'x0', detail: 'broken' },
    {
      cause: new TransportError(
        'broken',
        answer(200, method).record,
        transient ? 'connection' : 'certificate',
      ),
    },
  )

/** Attempts that come to these outcomes, and how long each pause before the next one was. */
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

describe('untilAnswered', () => {
  it.each([
    ['503', fromGateway(503)],
    ['a failed connection', broken(true)],
  ])('makes another attempt after %s, with growing pauses', async (_, lost) => {
    const { pauses, attempts, retry, make } = attempting([lost, lost, answer(201)])
    expect((await retryLostResponse(retry, make)).status).toBe(201)
    expect(attempts).toEqual([1, 2, 3])
    const [first = 0, second = 0] = pauses
    expect(first).toBeGreaterThanOrEqual(100)
    expect(second).toBeGreaterThanOrEqual(200)
  })

  it.each<[string, Error]>([
    ['what is not transient', broken(false)],
    ['a GET, which the probe repeats', fromGateway(503, 'GET')],
    ['a server that asks to wait for too long', fromGateway(429, 'POST', { 'Retry-After': '60' })],
    ['a defect', new TypeError('x')],
  ])('ends with %s', async (_, error) => {
    const { attempts, retry, make } = attempting([error])
    expect(await errorOf(() => retryLostResponse(retry, make))).toBe(error)
    expect(attempts).toEqual([1])
  })

  it.each([
    [0, 1],
    [1, 3],
  ])('with %i retries makes %i attempts at most', async (retries, most) => {
    const lost = fromGateway(503)
    const { attempts, retry, make } = attempting(Array(9).fill(lost), retries)
    expect(await errorOf(() => retryLostResponse(retry, make))).toBe(lost)
    expect(attempts).toHaveLength(most)
  })
})

describe('untilAccepted', () => {
  it('takes a refusal for the answer to the first request alone', async () => {
    const first = attempting([answer(409)])
    expect((await untilAccepted(first.retry, first.send)).status).toBe(409)
    const { retry, send } = attempting([broken(true), answer(409)])
    const error = await errorOf(() => untilAccepted(retry, send))
    expect(error).toBeInstanceOf(Inconclusive)
    expect(error).toMatchObject({ reason: { kind: 'response' } })
  })
})
