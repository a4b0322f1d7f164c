import { describe, expect, it } from 'vitest'
import { exchangeWith } from './exchange.fixture.ts'
import { watchOutages } from './outage.ts'
import { Inconclusive } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

function watched(service = 'code-hosting') {
  let time = 0
  const outages = watchOutages(() => time)
  const request = { service, purpose: 'x' }
  return {
    admits(purpose = 'x') {
      try {
        outages.admit({ service, purpose })
        return true
      } catch (error) {
        expect(error).toBeInstanceOf(Inconclusive)
        return (error as Error).message
      }
    },
    attempt(status: number | undefined, milliseconds = 250, purpose = 'x') {
      time += milliseconds
      const { record } = exchangeWith({ status: status ?? 200 })
      const failed = status === undefined ? { response: null, error: 'refused' } : {}
      outages.note({ ...record, ...request, purpose, ...failed }, undefined)
    },
  }
}

describe('an outage', () => {
  it.each([502, 503, 504, 429, undefined])('is many attempts in a row with %s', (status) => {
    const { admits, attempt } = watched()
    for (let count = 1; count < 16; count += 1) {
      attempt(status)
      expect(admits()).toBe(true)
    }
    attempt(status)
    expect(admits()).toMatch(/^the service stopped answering: 16 attempts in a row, within 4 s, /)
    expect(admits()).toContain(`${status ?? 'refused'})`)
  })

  it('lasts longer than a restart', () => {
    const { admits, attempt } = watched()
    for (let count = 0; count < 100; count += 1) attempt(503, 20)
    expect(admits()).toBe(true)
    attempt(503, 2000)
    expect(admits()).toContain('101 attempts')
  })

  it('is over with an answer, whatever it says', () => {
    const { admits, attempt } = watched()
    for (let count = 0; count < 20; count += 1) attempt(503)
    expect(admits()).not.toBe(true)
    attempt(500)
    expect(admits()).toBe(true)
  })

  it('is none where a refusal may have such a status', () => {
    const { admits, attempt } = watched('event-publishing')
    for (let count = 0; count < 100; count += 1) attempt(503)
    expect(admits()).toBe(true)
    for (let count = 0; count < 20; count += 1) attempt(undefined)
    expect(admits()).not.toBe(true)
  })

  it('lets a few requests through that take something away', () => {
    const { admits, attempt } = watched()
    for (let count = 0; count < 20; count += 1) attempt(503)
    for (let count = 0; count < 8; count += 1) {
      expect(admits(CLEAN_UP)).toBe(true)
      attempt(503, 10, CLEAN_UP)
    }
    expect(admits(CLEAN_UP)).not.toBe(true)
  })
})
