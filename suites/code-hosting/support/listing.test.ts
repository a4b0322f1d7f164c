import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
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
  it.each([0, 1, 4, 5, 6, 12])('is found on the pages of %d items', async (count) => {
    const { list, names } = listingOf(count)
    expect(await list.names()).toEqual(names)
  })

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

  it.each(['7', '500', '0', '-3', 'many', ''])(
    'is found although the total is %s',
    async (total) => {
      const { list, names } = listingOf(12, (answer) =>
        withHeaders(answer, { 'X-Total-Count': total }),
      )
      expect(await list.names()).toEqual(names)
    },
  )

  it('is found on a server that repeats its last page for ever', async () => {
    const { client, sent } = fakeService(({ url }) => {
      const page = Math.min(3, Number(url.searchParams.get('page')))
      url.searchParams.set('page', String(page))
      return listAnswer(repositoryNames(12), url)
    })
    expect(await createListing(client, LIMITS, async () => ({})).names()).toHaveLength(12)
    expect(sent).toHaveLength(4)
  })

  it.each([
    ['refuses', { status: 404, json: { message: 'no such page' } }],
    ['shows nothing', { json: null }],
  ])('is found on a server that %s past the end', async (_, past) => {
    const { list, names } = listingOf(12, (answer, page) => (page > 3 ? past : answer))
    expect(await list.names()).toEqual(names)
    const { pastTheEnd, count } = await list.tour()
    expect(count).toBe(3)
    expect(pastTheEnd.names).toBeUndefined()
  })

  it.each([
    ['first', { status: 403 }, 1],
    ['first', { json: { full_name: 'maria/r1' } }, 1],
    ['second', { status: 500 }, 2],
    ['second', { json: [{ name: 'r6' }] }, 2],
  ])('is skipped when the %s page is no list of names', async (_, broken, number) => {
    const { list } = listingOf(12, (answer, page) => (page === number ? broken : answer))
    const error = await errorOf(list.names)
    expect(error).toBeInstanceOf(Skip)
    expect(error).toHaveProperty('message', expect.stringContaining(`page=${number}&limit=5`))
  })

  it('is inconclusive when a page comes from a gateway', async () => {
    const { list } = listingOf(12, (answer, page) => (page === 2 ? { status: 503 } : answer))
    expect(await errorOf(list.names)).toBeInstanceOf(Inconclusive)
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

describe('a last page that is full', () => {
  it.each([1, 3, 12])('is the last of %d at a limit of one', async (count) => {
    const { list, names } = listingOf(count)
    expect((await list.fullLastPage())?.names).toEqual(names.slice(-1))
  })

  it('is not there without items, or where a limit of one counts for nothing', async () => {
    expect(await listingOf(0).list.fullLastPage()).toBeUndefined()
    const { client } = fakeService(({ url }) => {
      if (url.searchParams.get('limit') === '1') url.searchParams.delete('limit')
      return listAnswer(repositoryNames(12), url)
    })
    const list = createListing(client, LIMITS, async () => ({}))
    expect(await list.fullLastPage()).toBeUndefined()
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

  it('goes by the size that the first page shows', async () => {
    const { client } = fakeService(({ url }) => {
      url.searchParams.set('limit', '4')
      return listAnswer(repositoryNames(12), url)
    })
    const tour = await createListing(client, LIMITS, async () => ({})).tour()
    expect(tour).toMatchObject({ limit: 5, count: 3 })
    expect(tour.last.names).toEqual(['maria/r9', 'maria/r10', 'maria/r11', 'maria/r12'])
    expect(tour.pastTheEnd.names).toEqual([])
  })

  it.each<Record<string, string>>([{}, { 'X-PerPage': '1000' }, { 'X-PerPage': '0' }])(
    'is one page where a server has no others, with the headers %j',
    async (headers) => {
      const { client } = fakeService(({ url }) => ({
        json: url.searchParams.get('page') === '1' ? named(repositoryNames(12)) : [],
        headers,
      }))
      const tour = await createListing(client, LIMITS, async () => ({})).tour()
      expect(tour.count).toBe(1)
      expect(tour.last.names).toHaveLength(12)
    },
  )

  it('needs an item', async () => {
    const error = await errorOf(listingOf(0).list.tour)
    expect(error).toBeInstanceOf(Skip)
  })
})

describe('a walk', () => {
  it.each([0, 1, 3, 4, 12])('visits every page of %d items and ends', async (count) => {
    const { list, names } = listingOf(count)
    const { pages, endless } = await list.walk({})
    expect(endless).toBe(false)
    expect(pages.flatMap((page) => page.names ?? [])).toEqual(names)
    expect(pages).toHaveLength(Math.max(1, Math.ceil(count / 3)))
  })

  it('is given up where next leads round for ever', async () => {
    const stuck = listingOf(12, (answer) => withHeaders(answer, { Link: '<?page=1>; rel="next"' }))
    const walk = await stuck.list.walk({})
    expect(walk.endless).toBe(true)
    expect(walk.pages.length).toBeLessThan(4)
  })

  it('is given up where next leads past the end for ever', async () => {
    const { list } = listingOf(4, (answer, page) =>
      withHeaders(answer, { Link: `<?page=${page + 1}>; rel="next"` }),
    )
    const walk = await list.walk({})
    expect(walk.endless).toBe(true)
    expect(walk.pages.map(({ names }) => names?.length)).toEqual([3, 1, 0])
  })

  it('ends with the page that is no list', async () => {
    const { list } = listingOf(12, (answer, page) => (page === 2 ? { status: 500 } : answer))
    const { pages, endless } = await list.walk({})
    expect(endless).toBe(false)
    expect(pages.map(({ status }) => status)).toEqual([200, 500])
  })
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
