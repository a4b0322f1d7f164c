import { describe, expect, it } from 'vitest'
import { catalogues } from '../cli/services.ts'
import { exchangeWith } from '../conformance/exchange.fixture.ts'
import { examineReference } from './examination.fixture.ts'
import { clockDifference } from './examine.ts'

/** Without those that PROBE_RETRIES repeats: three of each service, and of code hosting some more. */
const MAX_REQUESTS = 19 + 3 * catalogues.length

describe('examining a deployment that is as it should be', () => {
  it('sends a few GETs, and finds everything in order, as far as they can tell', async () => {
    const { seen, requests, texts, facts, clocks } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: 'gone',
    }))
    const good = texts('good').join('\n')

    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(requests).toBe(seen.length)
    expect(requests).toBeLessThanOrEqual(MAX_REQUESTS)
    expect(texts('target', 'warning')).toEqual([])
    expect(texts('configuration')).toEqual([
      expect.stringMatching(/EVENT_PUBLISHING_EVENT_ID: there is no event with that id/),
    ])
    expect(good).toMatch(/The main account is accepted/)
    expect(good).toMatch(/does not see the private repository/)
    expect(good).toMatch(/The site admin is accepted and may act/)
    expect(good).toMatch(/EVENT_PUBLISHING_API_KEY is accepted/)
    expect(Object.keys(facts)).toEqual(catalogues.map(({ service }) => service))
    expect(facts['code-hosting']).toEqual({
      repositories: 57,
      totalCount: true,
      listsPrivate: true,
    })
    expect(Object.keys(clocks)).toHaveLength(catalogues.length)
  })

  it('looks at the given token in place of a password', async () => {
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

describe('the clock of a server', () => {
  const NOON = Date.parse('2026-03-01T12:00:00.000Z')

  /** @param seconds by which the server is ahead */
  function answered(seconds: number, tookMs: number, headers = {}) {
    const date = new Date(NOON + seconds * 1000).toUTCString()
    const exchange = exchangeWith({ headers: { Date: date, ...headers } })
    exchange.record.startedAt = new Date(NOON).toISOString()
    exchange.record.durationMs = tookMs
    return exchange
  }

  it('is told by the quickest answer, but for a part of a second and the round trip', () => {
    const answers = [answered(9, 4000), answered(7, 500), answered(8, 1000)]
    expect(clockDifference(answers)).toEqual({ least: 6.5, most: 8 })
  })

  it('is unknown without Date, and where a cache has answered', () => {
    const cached = answered(500, 10, { Age: '3' })
    expect(clockDifference([exchangeWith({}), cached])).toBeUndefined()
  })

  it.each([
    [-120, /clock of the server is 1[12]\d s behind this one: one-time codes will not match/],
    [120, /clock of the server is 1[12]\d s ahead of this one: one-time codes will not match/],
  ])('that is %d s off is told of', async (seconds, words) => {
    const { texts } = await examineReference({
      intermediary: () => async (request, answer) => {
        const parts = await answer(request)
        parts.headers.set('Date', new Date(Date.now() + seconds * 1000).toUTCString())
        return parts
      },
    })
    expect(texts('warning')).toContainEqual(expect.stringMatching(words))
  })
})

describe('what the server says', () => {
  it('never repeats a secret, and is cut where it is long', async () => {
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
