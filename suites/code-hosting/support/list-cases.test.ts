import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import { createListCases, type LimitKind } from './list-cases.ts'
import { type Change, repositoryListOf, targetWith } from './service.fixture.ts'

const sampling = vi.hoisted(() => ({ seed: 1, failed: undefined as string | undefined }))

vi.mock('../../../lib/conformance/sample-seed.ts', () => ({
  sampleSeed: () => sampling.seed,
  failedSample: () => sampling.failed,
}))

beforeEach(() => {
  Object.assign(sampling, { seed: 1, failed: undefined })
})

const cases = createListCases(targetWith().settings)

const parameter = (url: URL, name: string) => Number(url.searchParams.get(name))

/** Changes the items of pages, by limit and page number. */
const items =
  (change: (items: unknown[], limit: number, page: number) => unknown[]): Change =>
  (response, url) => ({
    ...response,
    json: change(response.json as unknown[], parameter(url, 'limit'), parameter(url, 'page')),
  })

async function expectItems(
  change: Change | undefined,
  { kind = 'honoured', count = 23, maxPages = 100 }: Partial<Options> = {},
) {
  const { list, sent } = repositoryListOf(count, { change, maxPages })
  const judgement = await runCheck('a/b/c', 'probe', () => cases.expectItems(list, kind))
  return { ...judgement, searches: sent.map(({ url }) => url.search) }
}

interface Options {
  kind: LimitKind
  count: number
  maxPages: number
}

const kinds: readonly LimitKind[] = ['honoured', 'lowered', 'not positive']

describe.each(kinds)('expectItems with limits that are %s', (kind) => {
  it.each([1, 2, 5, 6, 23, 200])('passes for a list of %i items', async (count) => {
    for (sampling.seed = 1; sampling.seed <= 5; sampling.seed += 1) {
      expect(await expectItems(undefined, { kind, count })).toMatchObject({ verdict: 'pass' })
    }
  })

  it('compares the pages of a truncated list', async () => {
    const { verdict, searches } = await expectItems(undefined, { kind, count: 200, maxPages: 4 })
    expect(verdict).toBe('pass')
    // The pages of the reading, and at least six cases of this kind.
    const readings = searches.filter((search) => search.includes('limit=25&')).length
    expect(searches.length - readings).toBeGreaterThanOrEqual(6)
  })
})

describe('a page with wrong items', () => {
  const late = items((shown, limit, page) => (limit < 5 && page > 2 ? shown.slice(1) : shown))

  it('fails with a reduced sample', async () => {
    const { verdict, sample, actual } = await expectItems(late)
    expect(verdict).toBe('fail')
    expect(sample).toMatch(/^limit=[1-4]&page=\d+$/)
    expect(actual).toContain('and item')
  })

  it('is requested first if it failed before', async () => {
    sampling.failed = 'limit=4&page=5'
    expect((await expectItems(late)).searches).toContain('?limit=4&page=5')
    sampling.failed = 'limit=4&page=7'
    expect(await expectItems(undefined)).toMatchObject({ verdict: 'pass' })
  })

  it('is not requested without samples', async () => {
    sampling.seed = 0
    expect(await expectItems(items((shown, limit) => (limit === 3 ? [] : shown)))).toMatchObject({
      verdict: 'pass',
      partial: [{ noVerdict: { kind: 'note' } }],
    })
  })

  it('is reported by its status for a rejection', async () => {
    const rejecting: Change = (response, url) =>
      parameter(url, 'limit') > 2 ** 31 ? { status: 400, json: { message: 'no' } } : response
    expect(await expectItems(rejecting, { kind: 'lowered' })).toMatchObject({
      verdict: 'fail',
      expected: 'status 200',
    })
  })
})

describe('the order of items', () => {
  it('is compared if all boundary pages have the order of the list', async () => {
    const turned = items((shown, limit) => (limit === 3 ? shown.toReversed() : shown))
    expect(await expectItems(turned)).toMatchObject({ verdict: 'fail' })
  })

  it('is not compared if the server orders the items of each page', async () => {
    const turned = items((shown, _limit, page) => (page % 2 === 0 ? shown.toReversed() : shown))
    expect(await expectItems(turned)).toMatchObject({ verdict: 'pass' })
    let turns = 0
    const inTurns = items((shown) => {
      turns += 1
      return [...shown.slice(turns % 3), ...shown.slice(0, turns % 3)]
    })
    expect(await expectItems(inTurns)).toMatchObject({ verdict: 'pass' })
  })
})

it('expectItems notes that a list with duplicate items was not compared', async () => {
  const repeated = items((shown) => shown.flatMap((item) => [item, item]))
  expect(await expectItems(repeated)).toMatchObject({
    verdict: 'pass',
    partial: [{ noVerdict: { kind: 'note' } }],
  })
})
