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
  listAnswer,
  listingOf,
  MAXIMUM,
  repositoryNames,
  targetWith,
  without,
} from './service.fixture.ts'

const verdict = (check: () => Promise<void>) => runCheck('any', 'probe', check)

it('a page size is skipped where neither the header nor the items show it', async () => {
  const sized = (count: number) =>
    verdict(() => expectPageSize(listingOf(count, { change: without('X-PerPage') }).list, {}, 3))
  expect(await sized(3)).toMatchObject({
    verdict: 'skipped',
    unjudged: { kind: 'missing' },
  })
  expect(await sized(4)).toMatchObject({ verdict: 'pass' })
})

describe('a walk over many pages', () => {
  const walked = (list: RepositoryList, query = {}) => verdict(() => expectWalk(list, query))

  it('visits all of them with the largest limit, by requests that others need too', async () => {
    const { list, sent } = listingOf(500)
    expect(await walked(list, { limit: MAXIMUM })).toMatchObject({ verdict: 'pass' })
    const pages = sent.flatMap(({ url }) => url.searchParams.get('page') ?? [])
    expect(new Set(pages).size).toBe(101)
  })

  it('visits the ends with another limit, and says so', async () => {
    const { list, sent } = listingOf(500)
    expect(await walked(list)).toMatchObject({
      verdict: 'pass',
      partial: [{ unjudged: { kind: 'note', text: expect.stringContaining('167 pages') } }],
    })
    expect(sent.length).toBeLessThan(40)
  })

  it.each([{ limit: MAXIMUM }, {}])(
    'is inconclusive where there are more than may be read: %j',
    async (query) => {
      expect(await walked(listingOf(500, { maxPages: 12 }).list, query)).toMatchObject({
        verdict: 'inconclusive',
        unjudged: {
          variables: ['PROBE_MAX_PAGES'],
          text: expect.stringMatching(/^12 of 1(00|67) pages/),
        },
      })
    },
  )
})

it('single pages are another account’s where the main one has more, else nobody’s', async () => {
  const otto = { username: 'otto', credentials: basic('otto', 'other-password') }
  const accounts = {
    other: async () => otto,
    admin: () => Promise.reject(new Skip({ kind: 'missing', text: 'not configured' })),
  } as Partial<Accounts> as Accounts
  const found = (theirs: number) => {
    const { client, run } = fakeService(({ url, credentials }) =>
      listAnswer(repositoryNames(credentials === otto.credentials ? theirs : 12), url),
    )
    const repositories = createRepositories(run, targetWith(), client)
    return repositories.observed((list) => singlePages(list, accounts, repositories))
  }
  const searches = (await found(4)).map(({ request }) => request.url.search)
  expect(searches).toEqual(['?page=1&limit=5', '?page=1&limit=4', '?page=2&limit=5'])
  expect(await errorOf(() => found(5))).toBeInstanceOf(Skip)
})

describe('the page sizes', () => {
  const { settings } = targetWith()

  it.each<[string, Answer]>([
    ['of the record', { json: { max_response_items: 5 } }],
    ['that is configured, where the record names none', { json: { max_response_items: '7' } }],
    ['that is configured, where there is no record', { text: 'null' }],
  ])('are observed beyond the maximum %s', async (_, answer) => {
    const { list, sent } = listingOf(12)
    const sizes = await observePageSizes(list, exchangeWith(answer), settings)
    expect(sizes).toEqual({ usual: 3, largest: 5 })
    expect(sent.map(({ url }) => url.search)).toContain('?limit=6')
  })

  it('are observed in the header where there are too few items to show them', async () => {
    const observed = async (...hidden: string[]) =>
      observePageSizes(listingOf(2, { change: without(...hidden) }).list, exchangeWith(), settings)
    expect(await observed()).toEqual({ usual: 3, largest: 5 })
    expect(await errorOf(() => observed('X-PerPage'))).toBeInstanceOf(Skip)
  })
})

describe('a check on the list', () => {
  const settled = (check: (list: RepositoryList) => Promise<unknown>, growth = 0) => {
    let count = growth === 0 ? 12 : 1000
    const service = fakeService(
      ({ url }) => {
        count += growth
        return listAnswer(repositoryNames(count), url)
      },
      { maxPages: 30 },
    )
    const repositories = createRepositories(service.run, targetWith(), service.client)
    const judged = () =>
      verdict(() =>
        repositories.settled(async (list) => {
          await check(list)
        }),
      )
    return { judged, sent: service.sent }
  }

  it('is not made again when it needs more pages than may be read, and the list changes', async () => {
    const { judged, sent } = settled((list) => list.names(), 1)
    expect(await judged()).toMatchObject({
      verdict: 'inconclusive',
      unjudged: { kind: 'settings', variables: ['PROBE_MAX_PAGES'] },
    })
    const requests = sent.length
    expect(requests).toBeLessThan(50)
    await judged()
    expect(sent).toHaveLength(requests)
  })

  it('that fails reads the same pages again, whatever other checks have read', async () => {
    const readAgain = async (before: (list: RepositoryList) => Promise<unknown>) => {
      const { client, run, sent } = fakeService(({ url }) => listAnswer(repositoryNames(12), url))
      const repositories = createRepositories(run, targetWith(), client)
      await repositories.observed(before)
      const judgement = await verdict(() =>
        repositories.settled(async (list) => {
          await list.length()
          expect(await list.page({ page: 1 })).toHaveItems(0)
        }),
      )
      expect(judgement.verdict).toBe('fail')
      return sent.flatMap(({ url, fresh }: ServiceRequest) => (fresh ? url.search : []))
    }
    const alone = await readAgain(async () => {})
    expect(alone.length).toBeGreaterThan(3)
    const others = (list: RepositoryList) => Promise.all([list.page({ limit: 1 }), list.tour()])
    expect(await readAgain(others)).toEqual(alone)
  })

  it('has every page it was shown among its evidence, and asks for none again', async () => {
    const { judged, sent } = settled((list) => list.tour())
    expect((await judged()).exchanges.length).toBeGreaterThanOrEqual(4)
    const requests = sent.length
    expect((await judged()).exchanges).toHaveLength(4)
    expect(sent).toHaveLength(requests)
  })
})
