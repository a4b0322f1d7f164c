import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive } from '../../../lib/conformance/outcome.ts'
import { createListing } from './listing.ts'
import { CutShort } from './page-reading.ts'
import { fakeService, listAnswer, MAXIMUM, repositoryNames } from './service.fixture.ts'

type Change = (answer: Answer, url: URL) => Answer

const unchanged: Change = (answer) => answer

/** A listing of so many repositories, five a page, of which so many pages may be read. */
function listingOf(count: number, maxPages: number, change = unchanged) {
  const names = repositoryNames(count)
  const { client, sent } = fakeService(({ url }) => change(listAnswer(names, url), url))
  const list = createListing(client, { maximum: MAXIMUM, maxPages }, async () => ({}))
  return { list, names, sent, asked: () => sent.map(({ url }) => url.searchParams.get('page')) }
}

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)

const without =
  (...names: string[]): Change =>
  ({ headers, ...answer }) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries(headers ?? {}).filter(([name]) => !names.includes(name)),
    ),
  })

const withTotal =
  (total: string): Change =>
  (answer) => ({ ...answer, headers: { ...answer.headers, 'X-Total-Count': total } })

describe('the length of a long list', () => {
  it('takes its first page, its last one and the one behind', async () => {
    const { list, asked } = listingOf(10_000, 100)
    expect(await list.length()).toBe(10_000)
    expect(asked()).toEqual(['1', '2000', '2001'])
  })

  it.each<[string, Change]>([
    ['nothing', without('X-Total-Count', 'Link')],
    ['another total', withTotal('9000')],
    ['a total of a page', withTotal('5')],
    ['a total that is no number', withTotal('0x2710')],
    ['a last link that leads nowhere', without('X-Total-Count', 'X-Page')],
  ])('is found by searching where the server tells %s', async (_, change) => {
    const { list, sent } = listingOf(10_000, 20, (answer, url) => {
      const changed = change(answer, url)
      return { ...changed, headers: { ...changed.headers, Link: '<?page=7>; rel="last"' } }
    })
    expect(await list.exactLength()).toBe(10_000)
    expect(sent.length).toBeLessThan(60)
  })

  it('is not believed where every page is the first one', async () => {
    const { list, sent } = listingOf(400, 20, (_, url) =>
      listAnswer(repositoryNames(400), new URL('?limit=5', url)),
    )
    expect(await list.known()).toMatchObject({ length: 100, pages: 20, isWhole: false })
    expect(await errorOf(list.tour)).toBeInstanceOf(Inconclusive)
    expect(sent.length).toBeLessThan(50)
  })

  it('is what was read of a list without an end, which no check takes for all', async () => {
    const endless: Change = (_, url) => ({
      json: Array.from({ length: 5 }, (_, index) => ({
        full_name: `maria/${pageIn(url)}-${index}`,
      })),
      headers: { 'X-Total-Count': '12' },
    })
    const { list, sent } = listingOf(0, 20, endless)
    expect(await list.length()).toBe(100)
    const error = await errorOf(list.tour)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(error).toHaveProperty('message', expect.stringContaining('20 pages of it were read'))
    expect(sent.length).toBeLessThan(50)
  })
})

describe('all of a long list', () => {
  it('is cut short behind the limit, and says so', async () => {
    const { list, names, asked } = listingOf(10_000, 100)
    const error = await errorOf(list.names)
    expect(error).toBeInstanceOf(CutShort)
    expect(error).toHaveProperty(
      'message',
      'PROBE_MAX_PAGES is 100: 100 of 2000 pages of the list were read; this needs all of them',
    )
    expect(await list.known()).toMatchObject({ length: 500, pages: 100, isWhole: false })
    expect((await list.known()).names).toEqual(names.slice(0, 500))
    expect(asked()).toHaveLength(102)
  })

  it('says that there are more where it is not known how many', async () => {
    const { list } = listingOf(0, 3, (_, url) => ({ json: [{ full_name: `maria/${url.search}` }] }))
    expect(await errorOf(list.names)).toHaveProperty(
      'message',
      'PROBE_MAX_PAGES is 3: 3 pages of the list were read, and there are more; ' +
        'this needs all of them',
    )
  })

  it('is not asked for ahead on the word of a total that is wrong', async () => {
    const { list, names, sent } = listingOf(12, 100, withTotal('1000000'))
    expect(await list.names()).toEqual(names)
    expect(sent.length).toBeLessThan(8)
  })
})

describe('a list that grows with every page that is read', () => {
  const growing: () => Change = () => {
    let count = 60
    return (_, url) => {
      count += 5
      return listAnswer(repositoryNames(count), url)
    }
  }

  it('is read up to the limit and no further', async () => {
    const { list, sent } = listingOf(0, 30, growing())
    await Promise.allSettled([list.names(), list.length(), list.tour()])
    expect(sent.length).toBeLessThan(90)
  })

  it('is walked up to the limit and no further', async () => {
    const { list, sent } = listingOf(0, 30, growing())
    expect(await list.walk({ limit: MAXIMUM })).toMatchObject({ endless: false, cut: true })
    expect(sent).toHaveLength(30)
    expect(await list.walk({ limit: MAXIMUM }, 7)).toMatchObject({ cut: true })
    expect(sent).toHaveLength(30)
  })
})
