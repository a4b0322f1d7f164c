import { describe, expect, it } from 'vitest'
import type { Reason } from '../results/reason.ts'
import { Inconclusive } from './check-errors.ts'
import { CLEAN_UP } from './check-scope.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { exchangeWith } from './exchange.fixture.ts'

const TIMEOUT_MS = 1000

function breakerFor(documentsStatuses = true) {
  let time = 0
  const breaker = createCircuitBreaker(TIMEOUT_MS, () => time)
  return {
    /** Records consecutive attempts; without a status, they have no response. */
    attempt(
      count: number,
      { status = 0, durationMs = 5, path = '/api/v1/user', purpose = 'x', scheme = 'http' } = {},
      intervalMs = 250,
      { headers = {}, pausesMs }: { headers?: Record<string, string>; pausesMs?: number } = {},
    ) {
      const exchange = exchangeWith({ status, headers, documentsStatuses }, path)
      const { record } = exchange
      if (pausesMs !== undefined) exchange.exceededPausesMs = pausesMs
      record.request.url = record.request.url.replace(/^https?/, scheme)
      if (status === 0) record.response = null
      for (let number = 0; number < count; number += 1) {
        time += intervalMs
        const finished = { ...record, purpose, durationMs }
        breaker.note(finished, status === 0 ? undefined : exchange)
      }
    },
    /** Returns the reason why a request is not sent; undefined if it is. */
    blockedBy(path = '/api/v1/user', purpose = 'x'): Reason | undefined {
      try {
        breaker.admit({ ...exchangeWith({}, path).request, purpose })
      } catch (error) {
        expect(error).toBeInstanceOf(Inconclusive)
        return (error as Inconclusive).reason
      }
      return undefined
    },
  }
}

describe('the circuit of a service', () => {
  it.each([503, undefined])('opens after many consecutive failures: %s', (status) => {
    const { attempt, blockedBy } = breakerFor()
    attempt(15, { status })
    expect(blockedBy()).toBeUndefined()
    attempt(1, { status })
    const reason = { kind: 'stopped', failures: 16, lastedMs: 3755 }
    expect(blockedBy('/elsewhere')).toMatchObject(reason)
  })

  it('closes after a response of the service', () => {
    const { attempt, blockedBy } = breakerFor()
    for (const [count, status, isClosed] of [
      [20, 503, false],
      [1, 500, true],
    ] as const) {
      attempt(count, { status })
      expect(blockedBy() === undefined).toBe(isClosed)
    }
  })

  it('counts no gateway statuses if the document states no statuses of rejections', () => {
    const { attempt, blockedBy } = breakerFor(false)
    attempt(100, { status: 503 })
    expect(blockedBy()).toBeUndefined()
    attempt(20)
    expect(blockedBy()).toBeDefined()
  })

  it.each([
    ['2', false],
    [new Date().toUTCString(), false],
    ['soon', true],
    [undefined, true],
  ])('opens after many errors with status 500 and Retry-After %s: closed %s', (field, isClosed) => {
    const { attempt, blockedBy } = breakerFor()
    const headers: Record<string, string> = field === undefined ? {} : { 'Retry-After': field }
    attempt(20, { status: 500 }, 250, { headers })
    expect(blockedBy() === undefined).toBe(isClosed)
  })

  it('opens immediately if pauses exceed the budget of the run', () => {
    const { attempt, blockedBy } = breakerFor(false)
    attempt(1, { status: 503 }, 250, { pausesMs: 12_000 })
    const reason = { kind: 'stopped', failures: 1, pausesMs: 12_000 }
    expect(blockedBy('/elsewhere')).toMatchObject(reason)
    expect(blockedBy('/elsewhere', CLEAN_UP)).toBeUndefined()
  })

  it('lets a few cleanup requests through while open', () => {
    const { attempt, blockedBy } = breakerFor()
    attempt(20, { status: 503 })
    for (let count = 0; count < 8; count += 1) {
      expect(blockedBy('/api/v1/user', CLEAN_UP)).toBeUndefined()
      attempt(1, { status: 503, purpose: CLEAN_UP }, 10)
    }
    expect(blockedBy('/api/v1/user', CLEAN_UP)).toBeDefined()
  })
})

describe('the circuit of a path', () => {
  const late = { durationMs: TIMEOUT_MS }

  it('opens after timeouts, for any query, but not for other paths and cleanup', () => {
    const { attempt, blockedBy } = breakerFor()
    attempt(3, { ...late, path: '/api/v1/user?token=a' })
    expect(blockedBy()).toBeUndefined()
    attempt(1, { ...late, path: '/api/v1/user?token=a' })
    const reason = { kind: 'stopped', failures: 4, path: 'GET /api/v1/user' }
    expect(blockedBy('/api/v1/user?token=b')).toMatchObject(reason)
    attempt(5, late)
    expect(blockedBy('/api/v1/user/repos')).toBeUndefined()
    expect(blockedBy('/api/v1/user', CLEAN_UP)).toBeUndefined()
  })

  it('counts half the timeout with https, the limit for a connection', () => {
    const { attempt, blockedBy } = breakerFor()
    attempt(9, { durationMs: TIMEOUT_MS / 2 })
    expect(blockedBy()).toBeUndefined()
    attempt(4, { durationMs: TIMEOUT_MS / 2, scheme: 'https' })
    expect(blockedBy()).toBeDefined()
  })
})
