import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import { createListing } from './listing.ts'
import { fakeService, LIMITS, listAnswer, MAXIMUM, repositoryNames } from './service.fixture.ts'

/** A listing over a fake server; `change` replaces what the document states. */
function listingOf(count: number, change = (answer: Answer, _page: number): Answer => answer) {
  const names = repositoryNames(count)
  const { client, sent } = fakeService(({ url }) =>
    change(listAnswer(names, url), Number(url.searchParams.get('page') ?? 1)),
  )
  return { list: createListing(client, LIMITS, async () => ({})), names, sent }
}

const named = (names: readonly string[]) => names.map((full_name) => ({ full_name }))

const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

describe('every name', () => {
  it('is asked for once, a page at most once, ahead as far as the total says', async () => {
    const { list, sent } = listingOf(12)
    await Promise.all([list.names(), list.names(), list.page({ page: 1, limit: MAXIMUM })])
    expect(sent.map(({ url }) => url.search)).toEqual([
      '?page=1&limit=5',
      '?page=2&limit=5',
      '?page=3&limit=5',
      '?page=4&limit=5',
    ])
    expect(list.read).toHaveLength(4)
  })
})

describe('the length', () => {
  const repeating = (total: string) => {
    const half = repositoryNames(5).reverse()
    return listingOf(12, (answer, page) => {
      const { json = [] } = page > 1 && page < 4 ? { json: named(half) } : answer
      return withHeaders({ ...answer, json }, { 'X-Total-Count': total })
    }).list
  }

  it('counts what comes twice, as far as there are said to be more', async () => {
    expect(await listingOf(12).list.length()).toBe(12)
    expect(await repeating('15').length()).toBe(15)
    expect(await repeating('15').names()).toHaveLength(5)
    expect(await repeating('').length()).toBe(5)
  })
})

describe('a tour', () => {
  it.each([
    [1, 1, 1],
    [2, 1, 2],
    [3, 1, 3],
    [4, 1, 4],
    [5, 2, 3],
    [12, 5, 3],
    [61, 5, 13],
  ])('of %d items has the limit %d and %d pages', async (count, limit, pages) => {
    const { list, names } = listingOf(count)
    const tour = await list.tour()
    expect(tour).toMatchObject({ limit, count: pages })
    expect(tour.first.names).toEqual(names.slice(0, limit))
    expect(tour.middle?.names).toEqual(pages > 2 ? names.slice(limit, 2 * limit) : undefined)
    expect(tour.last.names).toEqual(names.slice((pages - 1) * limit))
    expect(tour.pastTheEnd.names).toEqual([])
  })
})

it('a last page that is full is not there without items, or where a limit of one counts for nothing', async () => {
  expect((await listingOf(12).list.fullLastPage())?.names).toEqual(['maria/r12'])
  expect(await listingOf(0).list.fullLastPage()).toBeUndefined()
  const { client } = fakeService(({ url }) => {
    if (url.searchParams.get('limit') === '1') url.searchParams.delete('limit')
    return listAnswer(repositoryNames(12), url)
  })
  const list = createListing(client, LIMITS, async () => ({}))
  expect(await list.fullLastPage()).toBeUndefined()
})

describe('requests of a listing', () => {
  it('have its options, and go early', async () => {
    const { client, sent } = fakeService(({ url }) => listAnswer(repositoryNames(4), url))
    const list = createListing(client, LIMITS, async () => ({ credentials: anonymous }))
    await list.page()
    await list.follow('https://other.example/api/v1/user/repos?page=2')
    for (const request of sent) expect(request).toMatchObject({ credentials: anonymous })
    for (const { priority } of sent) expect(priority).toBeGreaterThan(0)
    expect(sent[1]?.url.href).toBe('https://git.example.com/api/v1/user/repos?page=2')
  })
})
