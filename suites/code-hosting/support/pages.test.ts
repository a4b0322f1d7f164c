import { describe, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import type { Accounts } from './accounts.ts'
import { createListing, type Listing } from './listing.ts'
import { expect } from './matchers.ts'
import {
  expectPageSize,
  expectWalk,
  observePageSizes,
  promisedPages,
  singlePages,
} from './pages.ts'
import { createRepositories } from './repositories.ts'
import {
  fakeService,
  LIMITS,
  listAnswer,
  MAXIMUM,
  repositoryNames,
  targetWith,
} from './service.fixture.ts'

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

describe('the pages that links promise', () => {
  const linkedAs =
    (relation: string): Change =>
    (answer) => ({ ...answer, headers: { ...answer.headers, Link: `</x>; rel="${relation}"` } })

  it('are those of relations that apply to their page', async () => {
    const promises = promisedPages(await listOf(12).tour())
    expect(promises.map(({ target, number }) => [new URL(target).search, number])).toEqual([
      ['?page=2&limit=5', 2],
      ['?page=3&limit=5', 3],
      ['?page=3&limit=5', 3],
      ['?page=1&limit=5', 1],
      ['?page=1&limit=5', 1],
      ['?page=3&limit=5', 3],
      ['?page=2&limit=5', 2],
      ['?page=1&limit=5', 1],
    ])
    const astray: Change = (answer, url) =>
      linkedAs(url.searchParams.get('page') === '1' ? 'prev' : 'next')(answer, url)
    const tour = await listOf(2, astray).tour()
    expect(() => promisedPages(tour)).toThrow('no page has a link with a relation that applies')
  })
})

describe('a walk', () => {
  const walked = (list: Listing, query = {}) => verdict(() => expectWalk(list, query))

  it.each<[string, Answer, string]>([
    ['a broken page', { status: 404 }, 'status 404'],
    ['a page that is no list', { json: {} }, 'none'],
  ])('fails on %s', async (_, second, actual) => {
    const change: Change = (answer, { searchParams }) =>
      searchParams.get('page') === '2' && !searchParams.has('limit') ? second : answer
    expect(await walked(listOf(12, change))).toMatchObject({ verdict: 'fail', actual })
  })

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

describe('single pages', () => {
  const otto = { username: 'otto', credentials: basic('otto', 'other-password') }
  const missing = async () => Promise.reject(new Skip('not set'))

  async function found(counts: { main: number; other: number }) {
    const { client, run } = fakeService(({ url, credentials }) => {
      const own = JSON.stringify(credentials) === JSON.stringify(otto.credentials)
      return listAnswer(repositoryNames(own ? counts.other : counts.main), url)
    })
    const repositories = createRepositories(run, targetWith(), client)
    const accounts = { other: async () => otto, admin: missing } as Partial<Accounts> as Accounts
    return repositories.observed((list) => singlePages(list, accounts, repositories, MAXIMUM))
  }

  it('are another account’s where the main one has more, and nobody’s where all have', async () => {
    const pages = await found({ main: 12, other: 4 })
    expect(pages.map(({ request }) => request.url.search)).toEqual([
      '?page=1&limit=5',
      '?page=1&limit=4',
    ])
    expect(await errorOf(() => found({ main: 12, other: 5 }))).toBeInstanceOf(Skip)
  })
})

it.each<[string, Answer]>([
  ['of the record', { json: { max_response_items: 5 } }],
  ['that is configured, where the record names none', { json: { max_response_items: '7' } }],
  ['that is configured, where there is no record', { text: 'null' }],
])('page sizes are observed beyond the maximum %s', async (_, answer) => {
  const { client, run, sent } = fakeService(({ url }) =>
    url.pathname.endsWith('/settings/api') ? answer : listAnswer(repositoryNames(12), url),
  )
  const record = await client.settings()
  const { settings } = targetWith()
  const sizes = await createRepositories(run, targetWith(), client).observed((list) =>
    observePageSizes(list, record, settings),
  )
  expect(sizes).toEqual({ usual: 3, largest: 5 })
  expect(sent.map(({ url }) => url.search)).toContain('?limit=6')
})

it('a page size is observed in the header where there are too few items to show it', async () => {
  const observed = async (change?: Change) =>
    observePageSizes(listOf(2, change), exchangeWith({ json: {} }), targetWith().settings)
  expect(await observed()).toEqual({ usual: 3, largest: 5 })
  expect(await errorOf(() => observed(without('X-PerPage')))).toHaveProperty(
    'message',
    'needs more than 2 repositories to show a page size',
  )
})
