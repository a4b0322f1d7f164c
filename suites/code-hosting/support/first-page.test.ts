import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { createScope, runInScope } from '../../../lib/conformance/scope.ts'
import { firstPageQuery } from './first-page.ts'
import { createListing } from './listing.ts'
import { fakeService, LIMITS, listAnswer, repositoryNames } from './service.fixture.ts'

/** The query, what was remarked, and how many requests it took. */
async function queryOn(withoutPage: (url: URL) => Answer) {
  const { client, sent } = fakeService(({ url }) =>
    url.searchParams.has('page') ? listAnswer(repositoryNames(12), url) : withoutPage(url),
  )
  const scope = createScope('any')
  const query = await runInScope(scope, () =>
    firstPageQuery(
      createListing(client, LIMITS, async () => ({})),
      { limit: 4 },
    ),
  )
  return { query, remarks: scope.remarks.length, requests: sent.length }
}

const names = (from: number, to: number): Answer => ({
  json: repositoryNames(to)
    .slice(from - 1)
    .map((full_name) => ({ full_name })),
})

describe('a query for the first page', () => {
  it.each<[string, (url: URL) => Answer]>([
    ['the first page', (url) => listAnswer(repositoryNames(12), url)],
    ['more than the first page', () => names(1, 12)],
    ['no list', () => ({ status: 500 })],
  ])('stays as it is where a list without a page is %s', async (_, answer) => {
    expect(await queryOn(answer)).toEqual({ query: { limit: 4 }, remarks: 0, requests: 2 })
  })

  it.each<[string, () => Answer]>([
    ['the second', () => names(4, 6)],
    ['without its first item', () => names(2, 4)],
    ['empty', () => ({ json: [] })],
  ])('names the page where one without is %s', async (_, answer) => {
    expect(await queryOn(answer)).toMatchObject({ query: { page: 1, limit: 4 }, remarks: 1 })
  })
})
