import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import { anyText } from '../../../lib/environment/arbitrary-text.fixture.ts'
import {
  type Change,
  listAnswer,
  listingOf,
  MAXIMUM,
  repositoryNames,
  without,
} from './service.fixture.ts'

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)

const saying =
  (fields: Record<string, string | undefined>): Change =>
  (answer) => {
    const said = Object.entries({ ...answer.headers, ...fields }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return { ...answer, headers: Object.fromEntries(said) }
  }

describe('a list', () => {
  it('is read with no page twice, ahead as far as the total says', async () => {
    const { list, sent } = listingOf(12)
    await Promise.all([list.names(), list.names(), list.page({ page: 1, limit: MAXIMUM })])
    expect(sent.map(({ url }) => url.search)).toEqual(
      [1, 2, 3, 4].map((page) => `?page=${page}&limit=5`),
    )
  })

  it('has every item that comes twice counted, as far as there are said to be more', async () => {
    const half = repositoryNames(5).reverse()
    const repeating = (total: string) =>
      listingOf(12, {
        change: (answer, url) => {
          const repeated = pageIn(url) > 1 && pageIn(url) < 4
          const json = repeated ? half.map((full_name) => ({ full_name })) : answer.json
          return saying({ 'X-Total-Count': total })({ ...answer, json }, url)
        },
      }).list
    expect(await repeating('15').length()).toBe(15)
    expect(await repeating('15').names()).toHaveLength(5)
    expect(await repeating('').length()).toBe(5)
  })
})

describe('a long list', () => {
  it('has its length from its first page, its last one and the one behind', async () => {
    const { list, sent } = listingOf(10_000)
    expect(await list.length()).toBe(10_000)
    expect(sent.map(({ url }) => pageIn(url))).toEqual([1, 2000, 2001])
  })

  it.each<[string, Change]>([
    ['nothing', without('X-Total-Count')],
    ['another total', saying({ 'X-Total-Count': '9000' })],
    ['a total of a page', saying({ 'X-Total-Count': '5' })],
    ['a total that is no number', saying({ 'X-Total-Count': '0x2710' })],
    ['a last link that leads nowhere', without('X-Total-Count', 'X-Page')],
  ])('has its end found by reading where the server tells %s', async (_, said) => {
    const astray = saying({ Link: '<?page=7>; rel="last"' })
    const change: Change = (answer, url) => astray(said(answer, url), url)
    expect(await listingOf(100, { change, maxPages: 20 }).list.exactLength()).toBe(100)
    const error = await errorOf(listingOf(101, { change, maxPages: 20 }).list.exactLength)
    expect(error).toBeInstanceOf(ListTruncatedError)
  })

  const endless =
    (json: (url: URL) => string[]): Change =>
    (_, url) => ({
      json: json(url).map((full_name) => ({ full_name })),
      headers: { 'X-Total-Count': '12' },
    })

  it.each<[string, Change]>([
    ['the first one', (_, url) => listAnswer(repositoryNames(400), new URL('?limit=5', url))],
    ['another one', endless((url) => [1, 2, 3, 4, 5].map((n) => `maria/${pageIn(url)}-${n}`))],
  ])('without an end, every page of which is %s, is not taken for all', async (_, change) => {
    const { list, sent } = listingOf(0, { change, maxPages: 20 })
    expect(await list.known()).toMatchObject({ length: 100, pages: 20, isWhole: false })
    const error = await errorOf(list.tour)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('20 pages'))
    expect(sent.length).toBeLessThan(50)
  })

  it('is cut short behind the limit, and says so', async () => {
    const { list, names, sent } = listingOf(10_000)
    const error = await errorOf(list.names)
    expect(error).toBeInstanceOf(ListTruncatedError)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('100 of 2000 pages'))
    expect((await list.known()).names).toEqual(names.slice(0, 500))
    expect(sent).toHaveLength(103)
    const change = endless((url) => [`maria/${url.search}`])
    expect(await errorOf(listingOf(0, { change, maxPages: 3 }).list.names)).toHaveProperty(
      'reason.text',
      expect.stringContaining('3 pages of the list were read, and there are more'),
    )
  })

  it('is not asked for ahead on the word of a total that is wrong', async () => {
    const { list, names, sent } = listingOf(12, { change: saying({ 'X-Total-Count': '1000000' }) })
    expect(await list.names()).toEqual(names)
    expect(sent.length).toBeLessThan(12)
  })

  it('that grows with every page is read and walked up to the limit and no further', async () => {
    const growing = (): Change => {
      let count = 60
      return (_, url) => {
        count += 5
        return listAnswer(repositoryNames(count), url)
      }
    }
    const { list, sent } = listingOf(0, { change: growing(), maxPages: 30 })
    await Promise.allSettled([list.names(), list.length(), list.tour()])
    expect(sent.length).toBeLessThan(90)
    const walked = listingOf(0, { change: growing(), maxPages: 30 })
    const walk = await walked.list.walk({ limit: MAXIMUM })
    expect(walk).toMatchObject({ endless: false, cut: true })
    expect(walked.sent).toHaveLength(30)
  })
})

describe('a list of any length on a server that says anything of it', () => {
  const fields = anyText.map((text) => text.replace(/[^\x20-\x7e]/g, ''))
  const numbers = fc.oneof(
    fc.constantFrom('0', '-1', '1e3', '0x10', '007', '9'.repeat(40), '1.5', 'NaN', 'Infinity', ''),
    fc.nat(5000).map(String),
    fields,
  )
  const link = fc.oneof(fields, fc.constant('<?page=3&limit=5>; rel=last'))

  /** What a server may say of its list, right or wrong. */
  const said = fc.record(
    { 'X-Total-Count': numbers, 'X-Page': numbers, 'X-PerPage': numbers, Link: link },
    { requiredKeys: [] },
  )
  const behind = fc.constantFrom<Answer | undefined>(undefined, { status: 404 }, { json: null })

  it('is read whole or up to the limit, with few requests', async () => {
    const counts = fc.oneof(fc.nat(30), fc.nat(400))
    const limits = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(counts, limits, said, behind, async (count, maxPages, says, end) => {
        const pages = Math.ceil(count / MAXIMUM)
        const { list, names, sent } = listingOf(count, {
          maxPages,
          change: (answer, url) =>
            end !== undefined && pageIn(url) > Math.max(1, pages) ? end : saying(says)(answer, url),
        })
        const reading = await list.known()
        expect(reading.isWhole).toBe(pages <= maxPages)
        expect(reading.names).toEqual(names.slice(0, maxPages * MAXIMUM))
        const length = await list.length()
        expect(reading.isWhole ? [count] : [count, reading.length]).toContain(length)
        if (length === count && count > 0) {
          expect((await list.tour()).pastTheEnd.names ?? []).toEqual([])
        }
        expect(sent.length).toBeLessThan(maxPages + 60)
      }),
      { numRuns: 150 },
    )
  })

  it('is walked to an end, wherever next leads', async () => {
    const targets = fc.array(fc.nat(12), { minLength: 13, maxLength: 13 })
    await fc.assert(
      fc.asyncProperty(targets, fc.integer({ min: 1, max: 10 }), async (next, maxPages) => {
        const { list, sent } = listingOf(60, {
          maxPages,
          change(answer, url) {
            const to = next[pageIn(url)] ?? 0
            const Link = to === 0 ? undefined : `<?page=${to}&limit=5>; rel=next`
            return saying({ Link })(answer, url)
          },
        })
        const walk = await list.walk({ page: 1, limit: MAXIMUM })
        expect(walk.pages.length).toBeLessThanOrEqual(maxPages)
        expect(sent.length).toBeLessThanOrEqual(maxPages)
        expect(walk.pages.at(-1)?.links.targets.has('next')).toBe(walk.endless || walk.cut)
      }),
      { numRuns: 150 },
    )
  })
})
