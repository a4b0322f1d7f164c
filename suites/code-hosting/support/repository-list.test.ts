import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import { anyText } from '../../../lib/environment/arbitrary-text.fixture.ts'
import {
  type Change,
  listResponse,
  MAXIMUM,
  repositoryListOf,
  repositoryNames,
  without,
} from './service.fixture.ts'

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)

const withFields =
  (fields: Record<string, string | undefined>): Change =>
  (response) => {
    const changed = Object.entries({ ...response.headers, ...fields }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    return { ...response, headers: Object.fromEntries(changed) }
  }

describe('names and length', () => {
  it('reads each page once, ahead up to X-Total-Count', async () => {
    const { list, sent } = repositoryListOf(12)
    await Promise.all([list.names(), list.names(), list.page({ page: 1, limit: MAXIMUM })])
    expect(sent.map(({ url }) => url.search)).toEqual(
      [1, 2, 3, 4].map((page) => `?page=${page}&limit=5`),
    )
  })

  it('counts duplicate items up to X-Total-Count', async () => {
    const half = repositoryNames(5).reverse()
    const repeating = (total: string) =>
      repositoryListOf(12, {
        change: (response, url) => {
          const repeated = pageIn(url) > 1 && pageIn(url) < 4
          const json = repeated ? half.map((full_name) => ({ full_name })) : response.json
          return withFields({ 'X-Total-Count': total })({ ...response, json }, url)
        },
      }).list
    expect(await repeating('15').length()).toBe(15)
    expect(await repeating('15').names()).toHaveLength(5)
    expect(await repeating('').length()).toBe(5)
  })
})

describe('a long list', () => {
  it('has its length after reading the first, the last and the next page', async () => {
    const { list, sent } = repositoryListOf(10_000)
    expect(await list.length()).toBe(10_000)
    expect(sent.map(({ url }) => pageIn(url))).toEqual([1, 2000, 2001])
  })

  it.each<[string, Change]>([
    ['nothing', without('X-Total-Count')],
    ['another total', withFields({ 'X-Total-Count': '9000' })],
    ['a total of a page', withFields({ 'X-Total-Count': '5' })],
    ['a total that is not a number', withFields({ 'X-Total-Count': '0x2710' })],
    ['a last link to a missing page', without('X-Total-Count', 'X-Page')],
  ])('has its end found by reading if the server reports %s', async (_, report) => {
    const withWrongLink = withFields({ Link: '<?page=7>; rel="last"' })
    const change: Change = (response, url) => withWrongLink(report(response, url), url)
    expect(await repositoryListOf(100, { change, maxPages: 20 }).list.exactLength()).toBe(100)
    const error = await errorOf(repositoryListOf(101, { change, maxPages: 20 }).list.exactLength)
    expect(error).toBeInstanceOf(ListTruncatedError)
  })

  const endless =
    (json: (url: URL) => string[]): Change =>
    (_, url) => ({
      json: json(url).map((full_name) => ({ full_name })),
      headers: { 'X-Total-Count': '12' },
    })

  it.each<[string, Change]>([
    ['the first items', (_, url) => listResponse(repositoryNames(400), new URL('?limit=5', url))],
    ['other items', endless((url) => [1, 2, 3, 4, 5].map((n) => `maria/${pageIn(url)}-${n}`))],
  ])('without an end, with %s on every page, is not whole', async (_, change) => {
    const { list, sent } = repositoryListOf(0, { change, maxPages: 20 })
    expect(await list.readAll()).toMatchObject({ length: 100, pages: 20, isWhole: false })
    const error = await errorOf(list.boundaryPages)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('20 pages'))
    expect(sent.length).toBeLessThan(50)
  })

  it('is truncated after the maximum number of pages', async () => {
    const { list, names, sent } = repositoryListOf(10_000)
    const error = await errorOf(list.names)
    expect(error).toBeInstanceOf(ListTruncatedError)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('100 of 2000 pages'))
    expect((await list.readAll()).names).toEqual(names.slice(0, 500))
    expect(sent).toHaveLength(103)
    const change = endless((url) => [`maria/${url.search}`])
    expect(await errorOf(repositoryListOf(0, { change, maxPages: 3 }).list.names)).toHaveProperty(
      'reason.text',
      expect.stringContaining('3 pages '),
    )
  })

  it('is not requested ahead because of a wrong total', async () => {
    const { list, names, sent } = repositoryListOf(12, {
      change: withFields({ 'X-Total-Count': '1000000' }),
    })
    expect(await list.names()).toEqual(names)
    expect(sent.length).toBeLessThan(12)
  })

  it('that grows with every page is read and walked up to the maximum number of pages', async () => {
    const growing = (): Change => {
      let count = 60
      return (_, url) => {
        count += 5
        return listResponse(repositoryNames(count), url)
      }
    }
    const { list, sent } = repositoryListOf(0, { change: growing(), maxPages: 30 })
    await Promise.allSettled([list.names(), list.length(), list.boundaryPages()])
    expect(sent.length).toBeLessThan(90)
    const walked = repositoryListOf(0, { change: growing(), maxPages: 30 })
    const walk = await walked.list.walk({ limit: MAXIMUM })
    expect(walk).toMatchObject({ endless: false, cut: true })
    expect(walked.sent).toHaveLength(30)
  })
})

describe('a list of any length with any header fields', () => {
  const fields = anyText.map((text) => text.replace(/[^\x20-\x7e]/g, ''))
  const numbers = fc.oneof(
    fc.constantFrom('0', '-1', '1e3', '0x10', '007', '9'.repeat(40), '1.5', 'NaN', 'Infinity', ''),
    fc.nat(5000).map(String),
    fields,
  )
  const link = fc.oneof(fields, fc.constant('<?page=3&limit=5>; rel=last'))

  /** Header fields of a list, correct or not. */
  const headerFields = fc.record(
    { 'X-Total-Count': numbers, 'X-Page': numbers, 'X-PerPage': numbers, Link: link },
    { requiredKeys: [] },
  )
  const pastTheEnd = fc.constantFrom<Answer | undefined>(undefined, { status: 404 }, { json: null })

  it('is read to its end or up to the maximum, with few requests', async () => {
    const counts = fc.oneof(fc.nat(30), fc.nat(400))
    const limits = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(
        counts,
        limits,
        headerFields,
        pastTheEnd,
        async (count, maxPages, fields, end) => {
          const pages = Math.ceil(count / MAXIMUM)
          const { list, names, sent } = repositoryListOf(count, {
            maxPages,
            change: (response, url) =>
              end !== undefined && pageIn(url) > Math.max(1, pages)
                ? end
                : withFields(fields)(response, url),
          })
          const reading = await list.readAll()
          expect(reading.isWhole).toBe(pages <= maxPages)
          expect(reading.names).toEqual(names.slice(0, maxPages * MAXIMUM))
          const length = await list.length()
          expect(reading.isWhole ? [count] : [count, reading.length]).toContain(length)
          if (length === count && count > 0) {
            expect((await list.boundaryPages()).pastTheEnd.names ?? []).toEqual([])
          }
          expect(sent.length).toBeLessThan(maxPages + 60)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('is walked to an end, whatever the target of next', async () => {
    const targets = fc.array(fc.nat(12), { minLength: 13, maxLength: 13 })
    await fc.assert(
      fc.asyncProperty(targets, fc.integer({ min: 1, max: 10 }), async (next, maxPages) => {
        const { list, sent } = repositoryListOf(60, {
          maxPages,
          change(response, url) {
            const to = next[pageIn(url)] ?? 0
            const Link = to === 0 ? undefined : `<?page=${to}&limit=5>; rel=next`
            return withFields({ Link })(response, url)
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
