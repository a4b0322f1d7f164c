import { skip } from '../../../lib/conformance/check-errors.ts'
import { note } from '../../../lib/conformance/check-scope.ts'
import { displayText } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { PageQuery } from '../client.ts'
import { expect } from '../matchers.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { numberIn } from './page-cache.ts'
import type { RepositoryList, Walk } from './repository-list.ts'

/**
 * Returns the query, with page=1 if the server returns another page without it. The requirement
 * code-hosting/pagination/first-page-default reports that deviation.
 */
async function firstPageQuery(list: RepositoryList, query: PageQuery): Promise<PageQuery> {
  const [unnamed, first] = await allOrWorst([list.page(), list.page({ page: 1 })])
  // Pages that are too large to be read have no names.
  if ([unnamed, first].some(({ minLength }) => minLength !== undefined)) return query
  const names = new Set(unnamed.names)
  if (unnamed.names === undefined || first.names === undefined) return query
  if (first.names.every((name) => names.has(name))) return query
  note('Requested with page=1, since the server returns another page without it.')
  return { page: 1, ...query }
}

async function observedPageSize(list: RepositoryList, query: PageQuery): Promise<number> {
  const page = await list.page(await firstPageQuery(list, query))
  const length = await list.length()
  const items = page.names?.length ?? skip(`${page.record.request.url} returned no list`)
  const size = items < length ? items : numberIn(page, 'x-perpage')
  return size ?? skip(`needs more than ${items} repositories to show a page size`)
}

/** Maximum number of pages that a walk visits at the start of the list, and at its end. */
const FIRST_PAGES = 20
const LAST_PAGES = 10

/** Expects lists, no duplicate items, and an end unless the walk was truncated. */
export function expectSteps({
  pages,
  end,
  endless,
}: Pick<Walk, 'pages' | 'end' | 'endless'>): void {
  for (const page of pages) {
    expect(page).toHaveStatus(200)
    expect(page).toShow(page.names !== undefined, 'a list of repositories', 'none')
  }
  expect(end).toShow(!endless, 'a walk that ends', 'a next link to a page without new items')
  const names = new Set<string>()
  const all = pages.flatMap((page) => page.names ?? [])
  const repeated = all.find((name) => names.size === names.add(name).size)
  const actual = `${displayText(end, String(repeated))} twice`
  expect(end).toShow(repeated === undefined, 'every item once', actual)
}

async function expectAll(list: RepositoryList, walk: Walk): Promise<void> {
  expectSteps(walk)
  const { pages, end, names, cut } = walk
  if (cut) await list.failTruncated(pages.length, pages[0]?.names?.length)
  const all = await list.readAll()
  if (all.length === 0) skip('needs an account with repositories, and the main account has none')
  const missing = all.names.filter((name) => !names.has(name))
  const expected = `all ${all.names.length} items on the way`
  const actual = `${names.size} items, without ${displayText(end, String(missing[0]))}`
  expect(end).toShow(missing.length === 0, expected, actual)
  // The walk ended, but the reading by page numbers did not.
  if (!all.isComplete) await list.failTruncated(all.pages)
  expect(pages[0]).toHaveHeaderWherePresent('X-Total-Count', names.size)
}

/** Walks from a page near the end, and expects all items up to the end. */
async function expectLastSteps(
  list: RepositoryList,
  query: PageQuery,
  size: number,
): Promise<number> {
  const length = await list.exactLength()
  const count = Math.ceil(length / size)
  const before = count - LAST_PAGES
  const walk = await list.walk({ ...query, page: before + 1 }, LAST_PAGES + 1)
  expectSteps(walk)
  const expected = length - before * size
  const ends = `an end after the last ${expected} items, which begin on page ${before + 1}`
  const actual = `${walk.names.size} items${walk.cut ? ' and a next' : ''}`
  expect(walk.end).toShow(walk.names.size === expected && !walk.cut, ends, actual)
  return count
}

/**
 * Follows `next` and expects every item once, as many as `X-Total-Count` says, and an end. With other
 * limits than the maximum, only the pages at both ends of a long list are visited.
 */
export async function expectWalk(list: RepositoryList, query: PageQuery): Promise<void> {
  const { maximum, maxPages } = list.limits
  const start = await firstPageQuery(list, query)
  const isComplete = Number(query.limit) === maximum || maxPages <= FIRST_PAGES
  const walk = await list.walk(start, isComplete ? maxPages : FIRST_PAGES)
  if (isComplete || !walk.cut) return expectAll(list, walk)
  expectSteps(walk)
  const count = await expectLastSteps(list, start, walk.pages[0]?.names?.length ?? 0)
  const limit = query.limit === undefined ? 'Without limit' : `With limit=${query.limit}`
  const walked = `the first ${FIRST_PAGES} and the last ${LAST_PAGES} of ${count} pages`
  note(`${limit} ${walked} were walked.`)
}

/** Returns the page sizes without a limit and with one above the maximum of the settings record. */
export async function observePageSizes(
  list: RepositoryList,
  record: Exchange,
  settings: CodeHostingSettings,
) {
  const named = (record.json as { max_response_items?: unknown } | null)?.max_response_items
  const maximum = Number.isInteger(named) ? (named as number) : settings.maxResponseItems
  const [defaultSize, maxSize] = await allOrWorst([
    observedPageSize(list, {}),
    observedPageSize(list, { limit: maximum + 1 }),
  ])
  return { defaultSize, maxSize }
}
