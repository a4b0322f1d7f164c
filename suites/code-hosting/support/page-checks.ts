import { skip, skipUnobserved } from '../../../lib/conformance/check-errors.ts'
import { displayText } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst, each } from '../../../lib/conformance/each.ts'
import { note, noteLeftOut } from '../../../lib/conformance/evidence-scope.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'
import type { Accounts } from './accounts.ts'
import { farPages } from './list-cases.ts'
import { expect } from './matchers.ts'
import { numberIn } from './page-cache.ts'
import type { Repositories } from './repositories.ts'
import type { BoundaryPages, RepositoryList, Walk } from './repository-list.ts'

type NumberedPage = { page: RepositoryPage; number: number }

export function pagesOf({ first, middle, last, count }: BoundaryPages): NumberedPage[] {
  if (middle === undefined) {
    const text = `the main account's repositories make ${count} at most`
    noteLeftOut('A middle page', { kind: 'missing', text })
  }
  return [
    { page: first, number: 1 },
    ...(middle === undefined ? [] : [{ page: middle, number: 2 }]),
    ...(count > 1 ? [{ page: last, number: count }] : []),
  ]
}

/** Returns pages after the last one, with page numbers of up to 53 bits. */
export async function pagesPastTheEnd(list: RepositoryList): Promise<RepositoryPage[]> {
  const { pastTheEnd, limit } = await list.boundaryPages()
  const far = farPages.pastTheEnd.map((page) => list.page({ page, limit }))
  return [pastTheEnd, ...(await allOrWorst(far))]
}

/** @throws Skip when no page has a `Link` */
export function pagesWithLink(boundary: BoundaryPages): NumberedPage[] {
  const linked = pagesOf(boundary).filter(({ page }) => page.headers.has('link'))
  if (linked.length > 0) return linked
  const reason = 'no page has a Link; see code-hosting/pagination/link-when-several-pages'
  return boundary.count > 1 ? skipUnobserved(reason) : skip(reason)
}

/** Returns the links with applicable relation types, each with the number of its page. */
export function promisedPages(
  boundary: BoundaryPages,
): { from: RepositoryPage; target: string; number: number }[] {
  const promises = pagesWithLink(boundary).flatMap(({ page: from, number }) => [
    { from, target: from.links.targets.get('next'), number: number + 1 },
    { from, target: from.links.targets.get('prev'), number: number - 1 },
    { from, target: from.links.targets.get('first'), number: 1 },
    { from, target: from.links.targets.get('last'), number: boundary.count },
  ])
  // On a page past the end, these two relation types still have a known target.
  const { pastTheEnd: from } = boundary
  promises.push({ from, target: from.links.targets.get('first'), number: 1 })
  promises.push({ from, target: from.links.targets.get('last'), number: boundary.count })
  const links = promises.flatMap(({ from, target, number }) =>
    target !== undefined && number >= 1 && number <= boundary.count
      ? [{ from, target, number }]
      : [],
  )
  if (links.length === 0) skipUnobserved('no page has a link with a relation that applies to it')
  return links
}

/**
 * Returns the query, with page=1 if the server returns another page without it. The requirement
 * code-hosting/pagination/first-page-default reports that deviation.
 */
export async function firstPageQuery(list: RepositoryList, query: PageQuery): Promise<PageQuery> {
  const [unnamed, first] = await allOrWorst([list.page(), list.page({ page: 1 })])
  // Pages that are too large to be read have no names.
  if ([unnamed, first].some(({ leastElements }) => leastElements !== undefined)) return query
  const names = new Set(unnamed.names)
  if (unnamed.names === undefined || first.names === undefined) return query
  if (first.names.every((name) => names.has(name))) return query
  note('Requested with page=1, since the server returns another page without it.')
  return { page: 1, ...query }
}

/** @throws Skip if neither `X-PerPage` nor the number of items shows the size */
export async function expectPageSize(
  list: RepositoryList,
  query: PageQuery,
  size: number,
): Promise<void> {
  const page = await list.page(await firstPageQuery(list, query))
  expect(page).toHaveStatus(200)
  expect(page).toHaveHeaderWherePresent('X-PerPage', size)
  expect(page).toHaveItemsUpTo(size)
  const length = await list.length()
  expect(page).toHaveItems(Math.min(size, length))
  if (length <= size && !page.headers.has('x-perpage')) {
    skip(`needs more than ${size} repositories, and the main account has ${length}`)
  }
}

export async function expectNoServerError(
  list: RepositoryList,
  values: readonly string[],
  parameter: keyof PageQuery,
  others: PageQuery = {},
): Promise<void> {
  await each(values, async (value) => {
    const page = await list.page({ ...others, [parameter]: value })
    expect(page).toShow(page.status < 500, 'no server error', `status ${page.status}`, {
      status: true,
    })
  })
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
function expectSteps({ pages, end, endless }: Walk): void {
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
  if (!all.isWhole) await list.failTruncated(all.pages)
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
  const isWhole = Number(query.limit) === maximum || maxPages <= FIRST_PAGES
  const walk = await list.walk(start, isWhole ? maxPages : FIRST_PAGES)
  if (isWhole || !walk.cut) return expectAll(list, walk)
  expectSteps(walk)
  const count = await expectLastSteps(list, start, walk.pages[0]?.names?.length ?? 0)
  const limit = query.limit === undefined ? 'Without limit' : `With limit=${query.limit}`
  const walked = `the first ${FIRST_PAGES} and the last ${LAST_PAGES} of ${count} pages`
  note(`${limit} ${walked} were walked.`)
}

/** Reads the only page of a list, also with a limit equal to its items, and the page after it. */
async function onlyPages(list: RepositoryList, isAll: (items: number) => boolean) {
  const limit = list.limits.maximum
  const page = await list.page({ page: 1, limit })
  const items = page.names?.length
  if (page.status !== 200 || items === undefined || !isAll(items)) return undefined
  const pastTheEnd = list.page({ page: 2, limit })
  if (items === 0) return [page, await pastTheEnd]
  const [full, next] = await allOrWorst([list.page({ page: 1, limit: items }), pastTheEnd])
  return full.names?.length === items ? [page, full, next] : [page, next]
}

/** Returns single-page lists and a page past the end, of the main account if it has few repositories. */
export async function singlePages(
  list: RepositoryList,
  accounts: Accounts,
  repositories: Repositories,
): Promise<RepositoryPage[]> {
  const { maximum } = list.limits
  const length = await list.length()
  const mainPages = length <= maximum && (await onlyPages(list, (items) => items === length))
  if (mainPages) return mainPages
  for (const findAccount of [accounts.other, accounts.admin]) {
    const account = await findAccount().catch(() => undefined)
    const otherList = account && repositories.listOf(async () => account.credentials)
    const pages = otherList && (await onlyPages(otherList, (items) => items < maximum))
    if (pages !== undefined) return pages
  }
  const small = `needs an account with fewer than ${maximum} repositories`
  return skip(`${small}, to see a list of one page: CODE_HOSTING_OTHER_USERNAME may name one`)
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
