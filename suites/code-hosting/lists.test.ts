import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, type StubResponse } from '../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../lib/conformance/run-check.ts'
import { anyText } from '../../lib/environment/arbitrary-text.fixture.ts'
import { type Case, cross } from './levels.ts'
import { areItemsOf, expectedPage, type List, type Reading } from './lists.ts'
import { expect as expectPage } from './matchers.ts'
import { expectWalk } from './pagination.suite.ts'
import {
  type Change,
  contextWith,
  listResponse,
  MAXIMUM,
  repositoryListOf,
  repositoryNames,
  server,
  withFields,
} from './service.fixture.ts'

const pageIn = (url: URL) => Number(url.searchParams.get('page') ?? 1)
const pageOf = (names: readonly string[]) => names.map((full_name) => ({ full_name }))
const truncated = { reason: { kind: 'settings', variables: ['PROBE_MAX_PAGES'] } }
const verdict = (check: () => Promise<void>) => runCheck('any', check)

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
})

describe('a long list', () => {
  it('has its length after reading the first, the last and the next page', async () => {
    const { list, sent } = repositoryListOf(10_000)
    expect(await list.end()).toHaveProperty('length', 10_000)
    expect(sent.map(({ url }) => pageIn(url))).toEqual([1, 2000, 2001])
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
    expect(await list.all()).toMatchObject({ length, pages: 20, isComplete: false })
    const text = expect.stringMatching(/^20 pages /)
    expect(await errorOf(() => list.names())).toHaveProperty('reason.text', text)
    expect(sent.length).toBeLessThan(50)
  })

  it('is truncated after the maximum number of pages', async () => {
    const { list, names, sent } = repositoryListOf(10_000)
    const error = await errorOf(() => list.names())
    expect(error).toMatchObject(truncated)
    expect(error).toHaveProperty('reason.text', expect.stringContaining('100 of 2000 pages'))
    expect((await list.all()).names).toEqual(names.slice(0, 500))
    expect(sent).toHaveLength(103)
  })

  it('that grows with every page is read and walked up to the maximum number of pages', async () => {
    const { list, sent } = repositoryListOf(0, { change: growing(), maxPages: 30 })
    await Promise.allSettled([list.names(), list.end()])
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
      const reading = await list.all()
      expect(reading.isComplete).toBe(pages <= maxPages)
      expect(reading.names).toEqual(names.slice(0, maxPages * MAXIMUM))
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
  const walk = (list: Reading, query = {}) => verdict(() => expectWalk(list, query))

  it('visits all pages with the maximum limit, by shared requests', async () => {
    const { list, sent } = repositoryListOf(500)
    expect(await walk(list, { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    const pages = sent.flatMap(({ url }) => url.searchParams.get('page') ?? [])
    expect(new Set(pages).size).toBe(101)
  })

  it('visits the first pages with another limit, and adds a note', async () => {
    const { list, sent } = repositoryListOf(500)
    const notes = [expect.stringContaining('first 30 pages')]
    expect(await walk(list)).toMatchObject({ verdict: 'pass', notes })
    expect(sent.length).toBeLessThan(40)
  })

  it('is inconclusive if the list has too many pages', async () => {
    const { list } = repositoryListOf(500, { maxPages: 12 })
    expect(await walk(list, { limit: MAXIMUM })).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: {
        variables: ['PROBE_MAX_PAGES'],
        text: expect.stringContaining('12 of 100 pages'),
      },
    })
  })
})

const sizes = { maxResponseItems: 4, defaultPagingNum: 3 }
const whole: Pick<List, 'itemsByPage' | 'length'> = {
  itemsByPage: [['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h'], ['i']],
  length: 9,
}

it.each([
  ['def', true],
  ['fed', true],
  ['efg', false],
  ['deg', true],
  ['de', false],
  ['dee', false],
  ['bef', true],
])('areItemsOf for %j and items 4 to 6 of two pages in any order: %s', (items, expected) => {
  const page = expectedPage(whole, { page: 2 }, sizes)
  expect(page && areItemsOf(whole, page, [...items])).toBe(expected)
})

describe('a judgment', () => {
  /** Returns the verdicts of a judgment of the page without parameters, and the number of requests for it. */
  async function judge(respond: (count: number) => { length?: number; fields?: object }) {
    const others = server()
    let count = 0
    const { lists, sent } = contextWith({}, (request) => {
      if (!request.url.pathname.endsWith('/user/repos')) return others(request)
      const isJudged = request.url.search === ''
      if (isJudged) count += 1
      const { length = 4, fields = {} } = respond(count)
      const response = listResponse(repositoryNames(length), request.url)
      return isJudged ? withFields({ ...fields })(response, request.url) : response
    })
    const [one] = cross({ resource: ['repositories'], limit: ['absent'], page: ['absent'] })
    const result = await verdict(() =>
      lists.stable('main', async () => {
        const { page, expected } = await lists.compare(one as Case)
        expectPage(page).toHaveHeader('X-HasMore', String(expected.hasMore))
      }),
    )
    return {
      verdict: result.verdict,
      sent: sent.filter(({ url }) => url.href.endsWith('/user/repos')).length,
    }
  }
  const wrong = { fields: { 'X-HasMore': 'false' } }

  it.each<[string, Parameters<typeof judge>[0], string, number]>([
    ['of what conforms is made once', () => ({}), 'pass', 1],
    ['that fails is confirmed twice', () => wrong, 'fail', 3],
    ['that fails once is inconclusive', (count) => (count === 1 ? wrong : {}), 'inconclusive', 2],
    ['of a missing field is certain', () => ({ fields: { 'X-HasMore': undefined } }), 'fail', 1],
    [
      'of a list that grew meanwhile is made again',
      (count) => ({ length: count === 0 ? 3 : 4 }),
      'pass',
      2,
    ],
  ])('%s', async (_, respond, expected, sent) => {
    expect(await judge(respond)).toEqual({ verdict: expected, sent })
  })

  it('of a list that never settles is inconclusive', async () => {
    let length = 3
    const growing = await judge(() => {
      length += 1
      return { length, ...wrong }
    })
    expect(growing.verdict).toBe('inconclusive')
    expect(growing.sent).toBeLessThan(8)
  })
})
