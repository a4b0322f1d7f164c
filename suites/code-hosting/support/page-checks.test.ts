import { describe, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { createListing, type Listing } from './listing.ts'
import { expect } from './matchers.ts'
import { expectPageSize, observedPageSize } from './page-size.ts'
import { needsPages, pagesOf, pagesWithLink, promisedPages } from './page-tour.ts'
import { expectWalk } from './page-walk.ts'
import { fakeService, LIMITS, listAnswer, MAXIMUM, repositoryNames } from './service.fixture.ts'

type Change = (answer: Answer, url: URL) => Answer

function listOf(count: number, change: Change = (answer) => answer): Listing {
  const { client } = fakeService(({ url }) => change(listAnswer(repositoryNames(count), url), url))
  return createListing(client, LIMITS, async () => ({}))
}

const withHeader =
  (name: string, value: string): Change =>
  (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } })

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

  it.each([12, 3, 2, 0])('is judged by the header and the items of %d', async (count) => {
    expect(await sized(listOf(count), 3)).toMatchObject({ verdict: 'pass' })
  })

  it('fails by the header, by too few and by too many items', async () => {
    expect(await sized(listOf(12, withHeader('X-PerPage', '5')), 3)).toMatchObject({
      verdict: 'fail',
      actual: 'X-PerPage: 5',
    })
    const headless = without('X-PerPage')
    expect(await sized(listOf(12, headless), 4)).toMatchObject({ actual: '3 items' })
    expect(await sized(listOf(12, headless), 2)).toMatchObject({ actual: '3 items' })
    expect(
      await sized(
        listOf(12, () => ({ status: 422 })),
        3,
      ),
    ).toMatchObject({
      actual: 'status 422',
    })
  })

  it('is skipped where neither the header nor the items show it', async () => {
    expect(await sized(listOf(3, without('X-PerPage')), 3)).toMatchObject({
      verdict: 'skipped',
      reason: 'needs more than 3 repositories, and the main account has 3',
    })
    expect(await sized(listOf(4, without('X-PerPage')), 3)).toMatchObject({ verdict: 'pass' })
  })

  it('is observed in the items where there are more, else in the header', async () => {
    expect(await observedPageSize(listOf(12), {})).toBe(3)
    expect(await observedPageSize(listOf(12, withHeader('X-PerPage', ' 7 ')), {})).toBe(3)
    expect(await observedPageSize(listOf(2, withHeader('X-PerPage', ' 7 ')), {})).toBe(7)
    for (const change of [without('X-PerPage'), withHeader('X-PerPage', 'some')]) {
      expect(await observedPageSize(listOf(12, change), { limit: 6 })).toBe(5)
      expect(await errorOf(() => observedPageSize(listOf(2, change), {}))).toHaveProperty(
        'message',
        'needs more than 2 repositories to show a page size',
      )
    }
  })
})

describe('the pages of a tour', () => {
  it('are the first, a middle one and the last, each once', async () => {
    const numbers = async (count: number) =>
      pagesOf(await listOf(count).tour()).map(({ number }) => number)
    expect(await numbers(1)).toEqual([1])
    expect(await numbers(2)).toEqual([1, 2])
    expect(await numbers(5)).toEqual([1, 2, 3])
    expect(await numbers(24)).toEqual([1, 2, 5])
  })

  it('may be too few', () => {
    expect(() => needsPages(1, 2)).toThrow('needs an account with 2 or more repositories')
    expect(() => needsPages(2, 2)).not.toThrow()
  })

  it('with a Link are skipped when there is none', async () => {
    const tour = await listOf(1).tour()
    expect(() => pagesWithLink(tour)).toThrow('no page has a Link')
    expect(pagesWithLink(await listOf(2).tour())).toHaveLength(2)
  })

  it('promise others by relations that apply', async () => {
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
    const astray: Change = (answer, url) => {
      const wrong = url.searchParams.get('page') === '1' ? 'prev' : 'next'
      return withHeader('Link', `</x>; rel="${wrong}"`)(answer, url)
    }
    const tour = await listOf(2, astray).tour()
    expect(() => promisedPages(tour)).toThrow('no page has a link with a relation that applies')
  })
})

describe('a walk', () => {
  const walked = (list: Listing, query = {}) => verdict(() => expectWalk(list, query))

  it.each([1, 3, 12])('passes over %d items', async (count) => {
    expect(await walked(listOf(count))).toMatchObject({ verdict: 'pass' })
    expect(await walked(listOf(count), { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    expect(await walked(listOf(count, without('X-Total-Count')))).toMatchObject({ verdict: 'pass' })
  })

  it('is skipped when there is nothing to walk', async () => {
    expect(await walked(listOf(0))).toMatchObject({ verdict: 'skipped' })
  })

  it.each<[string, Change, string]>([
    ['an endless next', withHeader('Link', '<?page=1>; rel="next"'), 'leads to nothing new'],
    ['no next', without('Link'), '3 items, without maria/r4'],
    ['a wrong total', withHeader('X-Total-Count', '11'), 'X-Total-Count: 11'],
    [
      'a broken page',
      (answer, { searchParams }) =>
        searchParams.get('page') === '2' && !searchParams.has('limit') ? { status: 404 } : answer,
      'status 404',
    ],
    [
      'a page that is no list',
      (answer, { searchParams }) =>
        searchParams.get('page') === '2' && !searchParams.has('limit') ? { json: {} } : answer,
      'none',
    ],
    [
      'an item twice',
      (answer, { searchParams }) =>
        searchParams.get('page') === '2' && !searchParams.has('limit')
          ? { ...answer, json: ['maria/r3', 'maria/r5'].map((full_name) => ({ full_name })) }
          : answer,
      'maria/r3 twice',
    ],
  ])('fails on %s', async (_, change, actual) => {
    const judgement = await walked(listOf(12, change))
    expect(judgement.verdict).toBe('fail')
    expect(judgement.actual).toContain(actual)
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
  const named = (...names: string[]) => names.map((full_name) => ({ full_name }))
  const isAt = (url: URL, page: number, limit: string | null) =>
    url.searchParams.get('page') === String(page) && url.searchParams.get('limit') === limit

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

  it.each<[string, Change, string]>([
    [
      'an item twice',
      (answer, url) =>
        isAt(url, 5, '5') ? { ...answer, json: named('maria/r1', 'maria/r21') } : answer,
      'maria/r1 twice',
    ],
    [
      'a walk that ends before the list',
      (answer, url) => (isAt(url, 5, '5') ? without('Link')(answer, url) : answer),
      'without maria/r26',
    ],
  ])('fails on %s within the pages that may be read', async (_, change, actual) => {
    const judgement = await walked(many(500, 12, change).list, { limit: MAXIMUM })
    expect(judgement.verdict).toBe('fail')
    expect(judgement.actual).toContain(actual)
  })

  it.each<[string, Change, string]>([
    [
      'no next near the end',
      (answer, url) => (isAt(url, 165, null) ? without('Link')(answer, url) : answer),
      '24 items',
    ],
    [
      'a next on the last page',
      (answer, url) =>
        isAt(url, 167, null) ? withHeader('Link', '<?page=3>; rel="next"')(answer, url) : answer,
      'and a next',
    ],
  ])('fails on %s with another limit', async (_, change, actual) => {
    const judgement = await walked(many(500, 100, change).list)
    expect(judgement.verdict).toBe('fail')
    expect(judgement.actual).toContain(actual)
  })
})
