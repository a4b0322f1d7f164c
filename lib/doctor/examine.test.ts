import { describe, expect, it } from 'vitest'
import { catalogues } from '../cli/services.ts'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import { examineReference } from './examination.fixture.ts'
import { clockDifference } from './examine.ts'

/** Maximum number of requests without retries. */
const MAX_REQUESTS = 19 + 3 * catalogues.length

describe('examine', () => {
  it('sends only a few GET requests, and finds no problem in a conforming server', async () => {
    const { seen, requests, texts, facts, clocks } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: 'gone',
    }))

    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(requests).toBe(seen.length)
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    expect(texts('target', 'warning')).toEqual([])
    expect(texts('configuration')).toEqual([expect.stringContaining('EVENT_PUBLISHING_EVENT_ID')])
    expect(Object.keys(facts)).toEqual(catalogues.map(({ service }) => service))
    expect(facts['code-hosting']).toEqual({
      repositories: 57,
      totalCount: true,
      listsPrivate: true,
    })
    expect(Object.keys(clocks)).toHaveLength(catalogues.length)
  })

  it('uses a configured token instead of a password', async () => {
    const { texts, seen } = await examineReference({
      codeHosting: {
        environment: (environment, { store }) => {
          const { CODE_HOSTING_PASSWORD: _, ...rest } = environment
          const login = environment.CODE_HOSTING_USERNAME ?? ''
          const value = '0123456789abcdef0123456789abcdef01234567'
          store.addToken({ login, name: 'given', scopes: ['all'], value })
          return { ...rest, CODE_HOSTING_TOKEN: value }
        },
      },
    })

    expect(texts('configuration', 'target')).toEqual([])
    expect(seen.some(({ authorization }) => authorization.startsWith('Bearer '))).toBe(true)
  })
})

describe('clockDifference', () => {
  const NOON = Date.parse('2026-03-01T12:00:00.000Z')

  /** @param seconds by which the server is ahead */
  function respond(seconds: number, tookMs: number, headers = {}) {
    const date = new Date(NOON + seconds * 1000).toUTCString()
    const exchange = exchangeWith({ headers: { Date: date, ...headers } })
    exchange.record.startedAt = new Date(NOON).toISOString()
    exchange.record.durationMs = tookMs
    return exchange
  }

  it('returns the range according to the fastest response', () => {
    const exchanges = [respond(9, 4000), respond(7, 500), respond(8, 1000)]
    expect(clockDifference(exchanges)).toEqual({ min: 6.5, max: 8 })
  })

  it('returns undefined without Date, and for a cached response', () => {
    const cached = respond(500, 10, { Age: '3' })
    expect(clockDifference([exchangeWith({}), cached])).toBeUndefined()
  })

  it.each([
    [-120, / 1[12]\d s behind /],
    [120, / 1[12]\d s ahead /],
  ])('is reported as a warning for %d s', async (seconds, text) => {
    const { texts } = await examineReference({
      intermediary: () => async (request, respond) => {
        const parts = await respond(request)
        parts.headers.set('Date', new Date(Date.now() + seconds * 1000).toUTCString())
        return parts
      },
    })
    expect(texts('warning')).toContainEqual(expect.stringMatching(text))
  })
})

describe('the text of a finding', () => {
  it('is redacted and truncated', async () => {
    const examined = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          userRecord: (account) => ({ login: `${account.password} ${'x'.repeat(5000)}` }),
        }),
      },
    })
    const reported = JSON.stringify(examined.findings)

    expect(examined.texts('configuration')[0]).toMatch(/\$CODE_HOSTING_PASSWORD/)
    expect(reported).not.toContain(examined.environment.CODE_HOSTING_PASSWORD)
    expect(reported.length).toBeLessThan(10_000)
  })
})
