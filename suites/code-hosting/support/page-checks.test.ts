import { describe, it } from 'vitest'
import { Skip } from '../../../lib/conformance/check-errors.ts'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import type { ServiceRequest } from '../../../lib/probe/exchange.ts'
import type { Accounts } from './accounts.ts'
import { expect } from './matchers.ts'
import { expectPageSize, expectWalk, observePageSizes, singlePages } from './page-checks.ts'
import { createRepositories } from './repositories.ts'
import type { RepositoryList } from './repository-list.ts'
import {
  fakeService,
  listResponse,
  MAXIMUM,
  repositoryListOf,
  repositoryNames,
  targetWith,
  without,
} from './service.fixture.ts'

const verdict = (check: () => Promise<void>) => runCheck('any', 'probe', check)

it('expectPageSize skips if neither the header nor the items show the size', async () => {
  const sized = (count: number) =>
    verdict(() =>
      expectPageSize(repositoryListOf(count, { change: without('X-PerPage') }).list, {}, 3),
    )
  expect(await sized(3)).toMatchObject({
    verdict: 'skipped',
    noVerdict: { kind: 'missing' },
  })
  expect(await sized(4)).toMatchObject({ verdict: 'pass' })
})

describe('expectWalk', () => {
  const walked = (list: RepositoryList, query = {}) => verdict(() => expectWalk(list, query))

  it('visits all pages with the maximum limit, by shared requests', async () => {
    const { list, sent } = repositoryListOf(500)
    expect(await walked(list, { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    const pages = sent.flatMap(({ url }) => url.searchParams.get('page') ?? [])
    expect(new Set(pages).size).toBe(101)
  })

  it('visits both ends with another limit, and adds a note', async () => {
    const { list, sent } = repositoryListOf(500)
    expect(await walked(list)).toMatchObject({
      verdict: 'pass',
      partial: [{ noVerdict: { kind: 'note', text: expect.stringContaining('167 pages') } }],
    })
    expect(sent.length).toBeLessThan(40)
  })

  it.each([{ limit: MAXIMUM }, {}])(
    'is inconclusive if the list has too many pages: %j',
    async (query) => {
      expect(await walked(repositoryListOf(500, { maxPages: 12 }).list, query)).toMatchObject({
        verdict: 'inconclusive',
        noVerdict: {
          variables: ['PROBE_MAX_PAGES'],
          text: expect.stringMatching(/^12 of 1(00|67) pages/),
        },
      })
    },
  )
})

it('singlePages returns the list of another account, or skips', async () => {
  const otto = { username: 'otto', credentials: basic('otto', 'other-password') }
  const accounts = {
    other: async () => otto,
    admin: () => Promise.reject(new Skip({ kind: 'missing', text: 'not configured' })),
  } as Partial<Accounts> as Accounts
  const read = (count: number) => {
    const { client, run } = fakeService(({ url, credentials }) =>
      listResponse(repositoryNames(credentials === otto.credentials ? count : 12), url),
    )
    const repositories = createRepositories(run, targetWith(), client)
    return repositories.observe((list) => singlePages(list, accounts, repositories))
  }
  const searches = (await read(4)).map(({ request }) => request.url.search)
  expect(searches).toEqual(['?page=1&limit=5', '?page=1&limit=4', '?page=2&limit=5'])
  expect(await errorOf(() => read(5))).toBeInstanceOf(Skip)
})

describe('observePageSizes', () => {
  const { settings } = targetWith()

  it.each<[string, Answer]>([
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
    const observe = async (...hidden: string[]) =>
      observePageSizes(
        repositoryListOf(2, { change: without(...hidden) }).list,
        exchangeWith(),
        settings,
      )
    expect(await observe()).toEqual({ defaultSize: 3, maxSize: 5 })
    expect(await errorOf(() => observe('X-PerPage'))).toBeInstanceOf(Skip)
  })
})

describe('retryWhileChanging', () => {
  const createCheck = (check: (list: RepositoryList) => Promise<unknown>, growth = 0) => {
    let count = growth === 0 ? 12 : 1000
    const service = fakeService(
      ({ url }) => {
        count += growth
        return listResponse(repositoryNames(count), url)
      },
      { maxPages: 30 },
    )
    const repositories = createRepositories(service.run, targetWith(), service.client)
    const run = () =>
      verdict(() =>
        repositories.retryWhileChanging(async (list) => {
          await check(list)
        }),
      )
    return { run, sent: service.sent }
  }

  it('does not repeat a check that needs too many pages, even if the list changes', async () => {
    const { run, sent } = createCheck((list) => list.names(), 1)
    expect(await run()).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: { kind: 'settings', variables: ['PROBE_MAX_PAGES'] },
    })
    const requests = sent.length
    expect(requests).toBeLessThan(50)
    await run()
    expect(sent).toHaveLength(requests)
  })

  it('reads the same pages again after a failure, independent of other checks', async () => {
    const readAgain = async (before: (list: RepositoryList) => Promise<unknown>) => {
      const { client, run, sent } = fakeService(({ url }) => listResponse(repositoryNames(12), url))
      const repositories = createRepositories(run, targetWith(), client)
      await repositories.observe(before)
      const judgement = await verdict(() =>
        repositories.retryWhileChanging(async (list) => {
          await list.length()
          expect(await list.page({ page: 1 })).toHaveItems(0)
        }),
      )
      expect(judgement.verdict).toBe('fail')
      return sent.flatMap(({ url, fresh }: ServiceRequest) => (fresh ? url.search : []))
    }
    const expected = await readAgain(async () => {})
    expect(expected.length).toBeGreaterThan(3)
    const others = (list: RepositoryList) =>
      Promise.all([list.page({ limit: 1 }), list.boundaryPages()])
    expect(await readAgain(others)).toEqual(expected)
  })

  it('records every page as evidence, and requests none twice', async () => {
    const { run, sent } = createCheck((list) => list.boundaryPages())
    expect((await run()).exchanges.length).toBeGreaterThanOrEqual(4)
    const requests = sent.length
    expect((await run()).exchanges).toHaveLength(4)
    expect(sent).toHaveLength(requests)
  })
})
