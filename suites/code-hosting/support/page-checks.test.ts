import { describe, it } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { createListing, type Listing } from './listing.ts'
import { expect } from './matchers.ts'
import { expectPageSize } from './page-size.ts'
import { expectWalk } from './page-walk.ts'
import { fakeService, LIMITS, listAnswer, MAXIMUM, repositoryNames } from './service.fixture.ts'

type Change = (answer: Answer, url: URL) => Answer

function listOf(count: number, change: Change = (answer) => answer): Listing {
  const { client } = fakeService(({ url }) => change(listAnswer(repositoryNames(count), url), url))
  return createListing(client, LIMITS, async () => ({}))
}

const without =
  (name: string): Change =>
  ({ headers, ...answer }) => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([key]) => key !== name)),
  })

const verdict = (check: () => Promise<void>) => judge('any', 'probe', check)

describe('the page size', () => {
  const sized = (list: Listing, size: number, query = {}) =>
    verdict(() => expectPageSize(list, query, size))

  it('is skipped where neither the header nor the items show it', async () => {
    expect(await sized(listOf(3, without('X-PerPage')), 3)).toMatchObject({
      verdict: 'skipped',
      reason: 'needs more than 3 repositories, and the main account has 3',
    })
    expect(await sized(listOf(4, without('X-PerPage')), 3)).toMatchObject({ verdict: 'pass' })
  })
})

describe('a walk', () => {
  const walked = (list: Listing, query = {}) => verdict(() => expectWalk(list, query))

  it('of thousands of items takes no longer than it should', async () => {
    const names = repositoryNames(20_000)
    const { client } = fakeService(({ url }) => ({
      json:
        (url.searchParams.get('page') ?? '1') === '1'
          ? names.map((full_name) => ({ full_name }))
          : [],
    }))
    const list = createListing(client, { maximum: 20_000, maxPages: 2 }, async () => ({}))
    const started = performance.now()
    expect(await walked(list)).toMatchObject({ verdict: 'pass' })
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('a walk over many pages', () => {
  const many = (count: number, maxPages: number, change: Change = (answer) => answer) => {
    const { client, sent } = fakeService(({ url }) =>
      change(listAnswer(repositoryNames(count), url), url),
    )
    return { list: createListing(client, { maximum: MAXIMUM, maxPages }, async () => ({})), sent }
  }
  const walked = (list: Listing, query = {}) => verdict(() => expectWalk(list, query))

  it('visits all of them with the largest limit, by requests that others need too', async () => {
    const { list, sent } = many(500, 100)
    expect(await walked(list, { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    const pages = sent.flatMap(({ url }) => url.searchParams.get('page') ?? [])
    expect(new Set(pages).size).toBe(101)
  })

  it('visits the ends with another limit, and says so', async () => {
    const { list, sent } = many(500, 100)
    expect(await walked(list)).toMatchObject({
      verdict: 'pass',
      reason: 'Without limit the first 20 and the last 10 of 167 pages were walked.',
    })
    expect(sent.length).toBeLessThan(40)
  })

  it('is inconclusive where there are more pages than may be read', async () => {
    for (const query of [{ limit: MAXIMUM }, {}]) {
      expect(await walked(many(500, 12).list, query)).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringMatching(/^PROBE_MAX_PAGES is 12: 12 of 1(00|67) pages of the list/),
      })
    }
  })
})
