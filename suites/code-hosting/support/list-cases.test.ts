import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import { type LimitKind, ListCases } from './list-cases.ts'
import { type Change, repositoryListOf, targetWith } from './service.fixture.ts'

const sampling = vi.hoisted(() => ({ seed: 1, failed: undefined as string | undefined }))

vi.mock('../../../lib/conformance/sample-seed.ts', () => ({
  sampleSeed: () => sampling.seed,
  failedSample: () => sampling.failed,
}))

beforeEach(() => {
  Object.assign(sampling, { seed: 1, failed: undefined })
})

const cases = new ListCases(targetWith().settings)

const parameter = (url: URL, name: string) => Number(url.searchParams.get(name))

/** Changes the items of pages, by limit and page number. */
const items =
  (change: (items: unknown[], limit: number, page: number) => unknown[]): Change =>
  (response, url) => ({
    ...response,
    json: change(response.json as unknown[], parameter(url, 'limit'), parameter(url, 'page')),
  })

interface Options {
  change?: Change
  kind?: LimitKind
  count?: number
  maxPages?: number
}

async function expectItems({ kind = 'honoured', count = 23, ...options }: Options) {
  const { list, sent } = repositoryListOf(count, options)
  const judgement = await runCheck('a/b/c', 'probe', () => cases.expectItems(list, kind))
  return { ...judgement, searches: sent.map(({ url }) => url.search) }
}

describe.each<LimitKind>(['honoured', 'lowered', 'not positive'])(
  'expectItems with limits that are %s',
  (kind) => {
    it.each([1, 2, 5, 6, 23, 200])('passes for a list of %i items', async (count) => {
      for (sampling.seed = 1; sampling.seed <= 5; sampling.seed += 1) {
        expect(await expectItems({ kind, count })).toMatchObject({ verdict: 'pass' })
      }
    })

    it('compares the pages of a truncated list', async () => {
      const { verdict, searches } = await expectItems({ kind, count: 200, maxPages: 4 })
      expect(verdict).toBe('pass')
      // The pages of the reading, and at least six cases of this kind.
      const readings = searches.filter((search) => search.includes('limit=25&')).length
      expect(searches.length - readings).toBeGreaterThanOrEqual(6)
    })
  },
)

let turns = 0
const changes = {
  'items are missing': items((shown, limit, page) =>
    limit < 5 && page > 2 ? shown.slice(1) : shown,
  ),
  'a page is empty': items((shown, limit) => (limit === 3 ? [] : shown)),
  'a page is rejected': (response, url) =>
    parameter(url, 'limit') > 2 ** 31 ? { status: 400 } : response,
  'one limit has another order': items((shown, limit) =>
    limit === 3 ? shown.toReversed() : shown,
  ),
  'some pages have another order': items((shown, _, page) =>
    page % 2 === 0 ? shown.toReversed() : shown,
  ),
  'each page has another order': items((shown) => {
    turns = (turns + 1) % 3
    return [...shown.slice(turns), ...shown.slice(0, turns)]
  }),
  'items are repeated': items((shown) => shown.flatMap((item) => [item, item])),
} satisfies Record<string, Change>

const sample = expect.stringMatching(/^limit=[1-4]&page=\d+$/)
const noted = { verdict: 'pass', partial: [{ noVerdict: { kind: 'note' } }] }

it.each<[keyof typeof changes, object, Options?]>([
  ['items are missing', { verdict: 'fail', sample, actual: expect.stringContaining('and item') }],
  ['a page is rejected', { verdict: 'fail', expected: 'status 200' }, { kind: 'lowered' }],
  ['one limit has another order', { verdict: 'fail' }],
  ['some pages have another order', { verdict: 'pass' }],
  ['each page has another order', { verdict: 'pass' }],
  ['items are repeated', noted],
])('expectItems if %s: %j', async (name, expected, options) => {
  expect(await expectItems({ change: changes[name], ...options })).toMatchObject(expected)
})

it('expectItems sends no samples if the seed is 0', async () => {
  sampling.seed = 0
  expect(await expectItems({ change: changes['a page is empty'] })).toMatchObject(noted)
})

it('expectItems first requests the sample that failed before', async () => {
  sampling.failed = 'limit=4&page=5'
  const { searches } = await expectItems({ change: changes['items are missing'] })
  expect(searches).toContain('?limit=4&page=5')
  sampling.failed = 'limit=4&page=7'
  expect(await expectItems({})).toMatchObject({ verdict: 'pass' })
})
