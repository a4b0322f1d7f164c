import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Skip } from '../../../lib/conformance/check-errors.ts'
import {
  errorOf,
  exchangeWith,
  type StubResponse,
} from '../../../lib/conformance/exchange.fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import { anyText } from '../../../lib/environment/arbitrary-text.fixture.ts'
import type { ServiceRequest } from '../../../lib/probe/exchange.ts'
import { Repositories } from '../accounts/repositories.ts'
import { expect as expectPage } from '../matchers.ts'
import {
  type Change,
  fakeService,
  listResponse,
  MAXIMUM,
  repositoryListOf,
  repositoryNames,
  targetWith,
  withFields,
} from '../service.fixture.ts'
import type { RepositoryList } from './repository-list.ts'
import { expectWalk, observePageSizes } from './walk.ts'

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)
const withTotal = (total?: string) => withFields({ 'X-Total-Count': total })
const pageOf = (names: readonly string[]) => names.map((full_name) => ({ full_name }))
const verdict = (check: () => Promise<void>) => runCheck('any', 'probe', check)

/** A list that grows with every response. */
function growing(): Change {
  let count = 60
  return (_, url) => {
    count += 5
    return listResponse(repositoryNames(count), url)
  }
}

describe('names and length', () => {
  it('reads each page once, ahead up to X-Total-Count', async () => {
    const { list, sent } = repositoryListOf(12)
    await Promise.all([list.names(), list.names(), list.page({ page: 1, limit: MAXIMUM })])
    const searches = [1, 2, 3, 4].map((page) => `?page=${page}&limit=5`)
    expect(sent.map(({ url }) => url.search)).toEqual(searches)
  })

  it('counts duplicate items up to X-Total-Count', async () => {
    const half = pageOf(repositoryNames(5).reverse())
    const repeating = (total: string) => {
      const change: Change = (response, url) =>
        withTotal(total)([2, 3].includes(pageIn(url)) ? { ...response, json: half } : response, url)
      return repositoryListOf(12, { change }).list
    }
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

  it.each<[string, Record<string, string | undefined>]>([
    ['nothing', { 'X-Total-Count': undefined }],
    ['another total', { 'X-Total-Count': '9000' }],
    ['a total of a page', { 'X-Total-Count': '5' }],
    ['a total that is not a number', { 'X-Total-Count': '0x2710' }],
    ['a last link to a missing page', { 'X-Total-Count': undefined, 'X-Page': undefined }],
  ])('has its end found by reading if the server reports %s', async (_, fields) => {
    const change = withFields({ ...fields, Link: '<?page=7>; rel="last"' })
    const lengthOf = (count: number) =>
      repositoryListOf(count, { change, maxPages: 20 }).list.exactLength()
    expect(await lengthOf(100)).toBe(100)
    expect(await errorOf(() => lengthOf(101))).toBeInstanceOf(ListTruncatedError)
  })

  const endless =
    (json: (url: URL) => string[]): Change =>
    (_, url) => ({ json: pageOf(json(url)), headers: { 'X-Total-Count': '12' } })

  it.each<[string, Change, number]>([
    [
      'the first items',
      (_, url) => listResponse(repositoryNames(400), new URL('?limit=5', url)),
      100,
    ],
    ['other items', endless((url) => [1, 2, 3, 4, 5].map((n) => `maria/${pageIn(url)}-${n}`)), 100],
    ['one other item', endless((url) => [`maria/${url.search}`]), 20],
  ])('without an end, with %s on every page, is not whole', async (_, change, length) => {
    const { list, sent } = repositoryListOf(0, { change, maxPages: 20 })
    expect(await list.readAll()).toMatchObject({ length, pages: 20, isComplete: false })
    for (const read of [() => list.names(), () => list.exactLength()]) {
      const text = expect.stringMatching(/^20 pages /)
      expect(await errorOf(read)).toHaveProperty('reason.text', text)
    }
    expect(sent.length).toBeLessThan(50)
  })

  it('is truncated after the maximum number of pages', async () => {
    const { list, names, sent } = repositoryListOf(10_000)
    const error = await errorOf(() => list.names())
    expect(error).toBeInstanceOf(ListTruncatedError)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('100 of 2000 pages'))
    expect((await list.readAll()).names).toEqual(names.slice(0, 500))
    expect(sent).toHaveLength(103)
  })

  it('is not requested ahead because of a wrong total', async () => {
    const { list, names, sent } = repositoryListOf(12, { change: withTotal('1000000') })
    expect(await list.names()).toEqual(names)
    expect(sent.length).toBeLessThan(12)
  })

  it('that grows with every page is read and walked up to the maximum number of pages', async () => {
    const { list, sent } = repositoryListOf(0, { change: growing(), maxPages: 30 })
    await Promise.allSettled([list.names(), list.length(), list.end()])
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
  const Link = fc.oneof(fields, fc.constant('<?page=3&limit=5>; rel=last'))
  const lists = fc.record({
    count: fc.oneof(fc.nat(30), fc.nat(400)),
    maxPages: fc.integer({ min: 1, max: 40 }),
    /** Header fields of a list, correct or not. */
    headers: fc.record(
      { 'X-Total-Count': numbers, 'X-Page': numbers, 'X-PerPage': numbers, Link },
      { requiredKeys: [] },
    ),
    end: fc.constantFrom<StubResponse | undefined>(undefined, { status: 404 }, { json: null }),
  })

  it('is read to its end or up to the maximum, with few requests', async () => {
    const property = fc.asyncProperty(lists, async ({ count, maxPages, headers, end }) => {
      const pages = Math.ceil(count / MAXIMUM)
      const change: Change = (response, url) =>
        (pageIn(url) > Math.max(1, pages) && end) || withFields(headers)(response, url)
      const { list, names, sent } = repositoryListOf(count, { maxPages, change })
      const reading = await list.readAll()
      expect(reading.isComplete).toBe(pages <= maxPages)
      expect(reading.names).toEqual(names.slice(0, maxPages * MAXIMUM))
      const length = await list.length()
      expect(reading.isComplete ? [count] : [count, reading.length]).toContain(length)
      const found = await list.end()
      if (found !== undefined) expect(found.length).toBe(count)
      expect(sent.length).toBeLessThan(maxPages + 60)
    })
    await fc.assert(property, { numRuns: 150 })
  })

  it('is walked to an end, whatever the target of next', async () => {
    const targets = fc.array(fc.nat(12), { minLength: 13, maxLength: 13 })
    const counts = fc.integer({ min: 1, max: 10 })
    const property = fc.asyncProperty(targets, counts, async (next, maxPages) => {
      const change: Change = (response, url) => {
        const to = next[pageIn(url)] ?? 0
        const Link = to === 0 ? undefined : `<?page=${to}&limit=5>; rel=next`
        return withFields({ Link })(response, url)
      }
      const { list, sent } = repositoryListOf(60, { maxPages, change })
      const walk = await list.walk({ page: 1, limit: MAXIMUM })
      expect(walk.pages.length).toBeLessThanOrEqual(maxPages)
      expect(sent.length).toBeLessThanOrEqual(maxPages)
      expect(walk.pages.at(-1)?.links.targets.has('next')).toBe(walk.endless || walk.cut)
    })
    await fc.assert(property, { numRuns: 150 })
  })
})

describe('expectWalk', () => {
  const walk = (list: RepositoryList, query = {}) => verdict(() => expectWalk(list, query))

  it('visits all pages with the maximum limit, by shared requests', async () => {
    const { list, sent } = repositoryListOf(500)
    expect(await walk(list, { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    const pages = sent.flatMap(({ url }) => url.searchParams.get('page') ?? [])
    expect(new Set(pages).size).toBe(101)
  })

  it('visits both ends with another limit, and adds a note', async () => {
    const { list, sent } = repositoryListOf(500)
    const notes = [expect.stringContaining('167 pages')]
    expect(await walk(list)).toMatchObject({ verdict: 'pass', notes })
    expect(sent.length).toBeLessThan(40)
  })

  it.each([
    [{ limit: MAXIMUM }, '12 of 100 pages'],
    [{}, '12 of 167 pages'],
  ])('is inconclusive if the list has too many pages: %j', async (query, pages) => {
    expect(await walk(repositoryListOf(500, { maxPages: 12 }).list, query)).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: { variables: ['PROBE_MAX_PAGES'], text: expect.stringContaining(pages) },
    })
  })
})

describe('observePageSizes', () => {
  const { settings } = targetWith()

  it.each<[string, StubResponse]>([
    ['of the record', { json: { max_response_items: 5 } }],
    ['of the configuration, if the record has none', { json: { max_response_items: '7' } }],
    ['of the configuration, without a record', { text: 'null' }],
  ])('uses a limit above the maximum %s', async (_, record) => {
    const { list, sent } = repositoryListOf(12)
    const sizes = await observePageSizes(list, exchangeWith(record), settings)
    expect(sizes).toEqual({ defaultSize: 3, maxSize: 5 })
    expect(sent.map(({ url }) => url.search)).toContain('?limit=6')
  })

  it('reads the header if the list has too few items', async () => {
    const observe = (fields = {}) => {
      const { list } = repositoryListOf(2, { change: withFields(fields) })
      return observePageSizes(list, exchangeWith(), settings)
    }
    expect(await observe()).toEqual({ defaultSize: 3, maxSize: 5 })
    expect(await errorOf(() => observe({ 'X-PerPage': undefined }))).toBeInstanceOf(Skip)
  })
})

describe('retryWhileChanging', () => {
  function serviceWith(change: Change = (response) => response) {
    const options = { maxPages: 30 }
    const { run, client, sent } = fakeService(
      ({ url }) => change(listResponse(repositoryNames(12), url), url),
      options,
    )
    const repositories = new Repositories(run, targetWith(), client)
    const check = (read: (list: RepositoryList) => Promise<unknown>) =>
      verdict(() => repositories.retryWhileChanging(async (list) => void (await read(list))))
    return { check, repositories, sent }
  }

  it('does not repeat a check that needs too many pages, even if the list changes', async () => {
    const { check, sent } = serviceWith(growing())
    expect(await check((list) => list.names())).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: { kind: 'settings', variables: ['PROBE_MAX_PAGES'] },
    })
    const requests = sent.length
    expect(requests).toBeLessThan(50)
    await check((list) => list.names())
    expect(sent).toHaveLength(requests)
  })

  it('reads the same pages again after a failure, independent of other checks', async () => {
    const readAgain = async (before: (list: RepositoryList) => Promise<unknown>) => {
      const { check, repositories, sent } = serviceWith()
      await repositories.observe(before)
      const { verdict } = await check(async (list) => {
        await list.length()
        expectPage(await list.page({ page: 1 })).toHaveItems(0)
      })
      expect(verdict).toBe('fail')
      return sent.flatMap(({ url, fresh }: ServiceRequest) => (fresh ? url.search : []))
    }
    const expected = await readAgain(async () => {})
    expect(expected.length).toBeGreaterThan(3)
    const others = (list: RepositoryList) =>
      Promise.all([list.page({ limit: 1 }), list.exactLength()])
    expect(await readAgain(others)).toEqual(expected)
  })

  it('records every page as evidence, and requests none twice', async () => {
    const { check, sent } = serviceWith()
    const read = (list: RepositoryList) => list.exactLength()
    expect((await check(read)).exchanges.length).toBeGreaterThanOrEqual(4)
    const requests = sent.length
    expect((await check(read)).exchanges).toHaveLength(4)
    expect(sent).toHaveLength(requests)
  })
})
