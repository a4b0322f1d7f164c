import { describe, expect, it } from 'vitest'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { isAnswerLost, untilAccepted, untilAnswered } from './lost-answers.ts'
import { Inconclusive, Interrupted, Skip } from './outcome.ts'

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
  new Inconclusive('a gateway', { exchange: answer(status, method, headers) })

const broken = (transient: boolean, method?: string) =>
  new Inconclusive('broken', {
    cause: new TransportError(
      'broken',
      answer(200, method).record,
      transient ? 'connection' : 'certificate',
    ),
  })

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
    ['502', fromGateway(502)],
    ['503', fromGateway(503)],
    ['504', fromGateway(504)],
    ['429', fromGateway(429)],
    ['a failed connection', broken(true)],
  ])('makes another attempt after %s, with growing pauses', async (_, lost) => {
    const { pauses, attempts, retry, make } = attempting([lost, lost, answer(201)])
    expect((await untilAnswered(retry, make)).status).toBe(201)
    expect(attempts).toEqual([1, 2, 3])
    const [first = 0, second = 0] = pauses
    expect(first).toBeGreaterThanOrEqual(100)
    expect(second).toBeGreaterThanOrEqual(200)
  })

  it.each<[string, Error]>([
    ['what is not transient', broken(false)],
    ['a GET, which the probe repeats', fromGateway(503, 'GET')],
    ['the same on a connection', broken(true, 'GET')],
    ['an interruption', new Interrupted()],
    ['something missing', new Skip('no key')],
    ['a server that asks to wait for too long', fromGateway(429, 'POST', { 'Retry-After': '60' })],
    ['a defect', new TypeError('x')],
  ])('ends with %s', async (_, error) => {
    const { attempts, retry, make } = attempting([error])
    expect(await errorOf(() => untilAnswered(retry, make))).toBe(error)
    expect(attempts).toEqual([1])
  })

  it.each([
    [0, 1],
    [1, 3],
    [3, 5],
  ])('with %i retries makes %i attempts at most', async (retries, most) => {
    const lost = fromGateway(503)
    const { attempts, retry, make } = attempting(Array(9).fill(lost), retries)
    expect(await errorOf(() => untilAnswered(retry, make))).toBe(lost)
    expect(attempts).toHaveLength(most)
  })

  it('waits as long as it is asked to', async () => {
    const lost = fromGateway(503, 'POST', { 'Retry-After': '2' })
    const { pauses, retry, make } = attempting([lost, answer(201)])
    await untilAnswered(retry, make)
    expect(pauses).toEqual([2000])
  })
})

describe('untilAccepted', () => {
  it.each([200, 204])('takes %d for the answer, the second time too', async (status) => {
    const { retry, send } = attempting([broken(true), answer(status)])
    expect((await untilAccepted(retry, send)).status).toBe(status)
  })

  it('takes a refusal for the answer to the first request alone', async () => {
    const first = attempting([answer(409)])
    expect((await untilAccepted(first.retry, first.send)).status).toBe(409)
    const { retry, send } = attempting([broken(true), answer(409)])
    const error = await errorOf(() => untilAccepted(retry, send))
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toMatch(/the first answer to POST .* was lost, .* status 409/)
  })
})

describe('isAnswerLost', () => {
  it('tells what may have been done from what was not', () => {
    expect([fromGateway(504), broken(true)].map(isAnswerLost)).toEqual([true, true])
    const others = [broken(false), new Skip('x'), new Interrupted(), new Error('x'), undefined]
    expect(others.map(isAnswerLost)).toEqual(others.map(() => false))
  })
})
