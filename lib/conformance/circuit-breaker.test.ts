import { describe, expect, it } from 'vitest'
import type { Reason } from '../results/reason.ts'
import { Inconclusive } from './check-errors.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { CLEAN_UP } from './evidence-scope.ts'
import { exchangeWith } from './exchange.fixture.ts'

const TIMEOUT_MS = 1000

interface Attempt {
  /** `undefined` where no response came. */
  status?: number
  durationMs?: number
  path?: string
  purpose?: string
  scheme?: 'http' | 'https'
}

function breakerFor(documentsStatuses = true) {
  let time = 0
  const breaker = new CircuitBreaker(TIMEOUT_MS, () => time)
  return {
    breaker,
    /** As many attempts, one after the other, with 250 ms between their ends unless it says others. */
    attempt(count: number, parts: Attempt = {}, apartMs = 250) {
      const {
        status,
        durationMs = 5,
        path = '/api/v1/user',
        purpose = 'x',
        scheme = 'http',
      } = parts
      const { record, origin } = exchangeWith({ status: status ?? 200, documentsStatuses }, path)
      record.request.url = record.request.url.replace(/^https?/, scheme)
      const failed = status === undefined ? { response: null, error: 'refused' } : {}
      for (let number = 0; number < count; number += 1) {
        time += apartMs
        const attempted = { ...record, purpose, durationMs, ...failed }
        breaker.note(attempted, status === undefined ? undefined : origin)
      }
    },
    /** Why a request is not sent; `undefined` where it is. */
    refusal(path = '/api/v1/user', purpose = 'x'): Reason | undefined {
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

describe('a service that is down', () => {
  it.each([503, undefined])('is one of many failures in a row: %s', (status) => {
    const { attempt, refusal } = breakerFor()
    attempt(15, { status })
    expect(refusal()).toBeUndefined()
    attempt(1, { status })
    const reason = { kind: 'stopped', failures: 16, lastedMs: 3750 }
    expect(refusal('/elsewhere')).toMatchObject(reason)
  })

  it('is up again with an answer, whatever it says', () => {
    const { attempt, refusal, breaker } = breakerFor()
    attempt(20, { status: 503 })
    expect(refusal()).toBeDefined()
    expect(breaker.hasAnswered('code-hosting')).toBe(false)
    attempt(1, { status: 500 })
    expect(refusal()).toBeUndefined()
    expect(breaker.hasAnswered('code-hosting')).toBe(true)
  })

  it('is none where a refusal may have such a status', () => {
    const { attempt, refusal } = breakerFor(false)
    attempt(100, { status: 503 })
    expect(refusal()).toBeUndefined()
    attempt(20)
    expect(refusal()).toBeDefined()
  })

  it('gets a few requests that take something away', () => {
    const { attempt, refusal } = breakerFor()
    attempt(20, { status: 503 })
    for (let count = 0; count < 8; count += 1) {
      expect(refusal('/api/v1/user', CLEAN_UP)).toBeUndefined()
      attempt(1, { status: 503, purpose: CLEAN_UP }, 10)
    }
    expect(refusal('/api/v1/user', CLEAN_UP)).toBeDefined()
  })
})

describe('a path that is mute', () => {
  const late = { durationMs: TIMEOUT_MS }

  it('is not asked for any more, whatever the query', () => {
    const { attempt, refusal } = breakerFor()
    attempt(3, { ...late, path: '/api/v1/user?token=a' })
    expect(refusal()).toBeUndefined()
    attempt(1, { ...late, path: '/api/v1/user?token=a' })
    const reason = { kind: 'stopped', failures: 4, path: 'GET /api/v1/user' }
    expect(refusal('/api/v1/user?token=b')).toMatchObject(reason)
  })

  it('may have a host that takes no connection: with https half the time is waited for one', () => {
    const { attempt, refusal } = breakerFor()
    attempt(9, { durationMs: TIMEOUT_MS / 2 })
    expect(refusal()).toBeUndefined()
    attempt(4, { durationMs: TIMEOUT_MS / 2, scheme: 'https' })
    expect(refusal()).toBeDefined()
  })

  it('holds up neither other paths nor what takes something away', () => {
    const { attempt, refusal } = breakerFor()
    attempt(9, late)
    expect(refusal('/api/v1/user/repos')).toBeUndefined()
    expect(refusal('/api/v1/user', CLEAN_UP)).toBeUndefined()
    expect(refusal()).toBeDefined()
  })

  it('is none that answers now and then, or fails at once', () => {
    const { attempt, refusal } = breakerFor()
    for (let count = 0; count < 5; count += 1) {
      attempt(3, late)
      attempt(1, { status: 200 })
      attempt(3, { path: '/api/v1/other' })
    }
    expect(refusal()).toBeUndefined()
    expect(refusal('/api/v1/other')).toBeUndefined()
  })
})
