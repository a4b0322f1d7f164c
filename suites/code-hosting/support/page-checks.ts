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
import type { Repositories } from './repositories.ts'
import { type BoundaryPages, numberIn, type RepositoryList, type Walk } from './repository-list.ts'

type NumberedPage = { page: RepositoryPage; number: number }

/** @throws Skip when there are fewer pages */
export function needsPages(count: number, needed: number): void {
  if (count < needed) {
    skip(`needs an account with ${needed} or more repositories, and the main account has ${count}`)
  }
}

/** The first, a middle and the last page; fewer where they are the same. */
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

/** Pages after the last one: the next, and ones with page numbers of 31, 32 and 53 bits. */
export async function pagesPastTheEnd(list: RepositoryList): Promise<RepositoryPage[]> {
  const { pastTheEnd, limit } = await list.tour()
  const far = farPages.pastTheEnd.map((page) => list.page({ page, limit }))
  return [pastTheEnd, ...(await allOrWorst(far))]
}

/** @throws Skip when no page has a `Link` */
export function pagesWithLink(tour: BoundaryPages): NumberedPage[] {
  const linked = pagesOf(tour).filter(({ page }) => page.headers.has('link'))
  if (linked.length > 0) return linked
  const reason = 'no page has a Link; see code-hosting/pagination/link-when-several-pages'
  return tour.count > 1 ? skipUnobserved(reason) : skip(reason)
}

/**
 * Every link of the pages of a tour, and the number of the page that its relation promises there.
 * Relations that do not apply to their page are another requirement's business.
 */
export function promisedPages(
  tour: BoundaryPages,
): { from: RepositoryPage; target: string; number: number }[] {
  const promises = pagesWithLink(tour).flatMap(({ page: from, number }) => [
    { from, target: from.links.targets.get('next'), number: number + 1 },
    { from, target: from.links.targets.get('prev'), number: number - 1 },
    { from, target: from.links.targets.get('first'), number: 1 },
    { from, target: from.links.targets.get('last'), number: tour.count },
  ])
  // Such a page may have links too: those that say where they lead, whatever the page is.
  const { pastTheEnd: from } = tour
  promises.push({ from, target: from.links.targets.get('first'), number: 1 })
  promises.push({ from, target: from.links.targets.get('last'), number: tour.count })
  const links = promises.flatMap(({ from, target, number }) =>
    target !== undefined && number >= 1 && number <= tour.count ? [{ from, target, number }] : [],
  )
  if (links.length === 0) skipUnobserved('no page has a link with a relation that applies to it')
  return links
}

/**
 * A query for the first page: as it is, without a page, unless a list without one lacks items that
 * are on the first page. That is the business of code-hosting/pagination/first-page-default, and
 * what else such a server does can be judged on a page that is named.
 */
export async function firstPageQuery(list: RepositoryList, query: PageQuery): Promise<PageQuery> {
  const [unnamed, first] = await allOrWorst([list.page(), list.page({ page: 1 })])
  // A page that is too large to be read has no names.
  if ([unnamed, first].some(({ leastElements }) => leastElements !== undefined)) return query
  const known = new Set(unnamed.names)
  if (unnamed.names === undefined || first.names === undefined) return query
  if (first.names.every((name) => known.has(name))) return query
  note('Asked for with page=1, since another page is given without it.')
  return { page: 1, ...query }
}

/** @throws Skip when there are too few items to show the size and no `X-PerPage` tells it */
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

/** Expects no server error for values of which the document does not say how large they may be. */
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

/** @throws Skip when nothing shows the size */
async function observedPageSize(list: RepositoryList, query: PageQuery): Promise<number> {
  const page = await list.page(await firstPageQuery(list, query))
  const length = await list.length()
  const items = page.names?.length ?? skip(`${page.record.request.url} gave no list`)
  const size = items < length ? items : numberIn(page, 'x-perpage')
  return size ?? skip(`needs more than ${items} repositories to show a page size`)
}

/** Of a longer walk the ends are enough, once all of the list is walked with the largest pages. */
const WALKED_WHOLE = 20
const LAST_PAGES = 10

/** Expects lists, no item twice and, unless the walk was cut short, an end. */
function expectSteps({ pages, end, endless }: Walk): void {
  for (const page of pages) {
    expect(page).toHaveStatus(200)
    expect(page).toShow(page.names !== undefined, 'a list of repositories', 'none')
  }
  expect(end).toShow(!endless, 'a walk that ends', 'a next that leads to nothing new')
  const seen = new Set<string>()
  const all = pages.flatMap((page) => page.names ?? [])
  const repeated = all.find((name) => seen.size === seen.add(name).size)
  const actual = `${displayText(end, String(repeated))} twice`
  expect(end).toShow(repeated === undefined, 'every item once', actual)
}

async function expectAll(list: RepositoryList, walk: Walk): Promise<void> {
  expectSteps(walk)
  const { pages, end, names, cut } = walk
  if (cut) await list.cutShort(pages.length, pages[0]?.names?.length)
  const known = await list.known()
  if (known.length === 0) skip('needs an account with repositories, and the main account has none')
  const missing = known.names.filter((name) => !names.has(name))
  const all = `all ${known.names.length} items on the way`
  const actual = `${names.size} items, without ${displayText(end, String(missing[0]))}`
  expect(end).toShow(missing.length === 0, all, actual)
  // The walk ended where the reading by numbers did not.
  if (!known.isWhole) await list.cutShort(known.pages)
  expect(pages[0]).toHaveHeaderWherePresent('X-Total-Count', names.size)
}

/** Expects the walk from a page near the end to go on to the end, with all the items between. */
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
 * Expects that following `next` visits every page: no item twice, none missing, as many as
 * `X-Total-Count` says where it is sent, and an end. Of a long list all pages are visited with the
 * largest limit, and with another one those at both ends.
 */
export async function expectWalk(list: RepositoryList, query: PageQuery): Promise<void> {
  const { maximum, maxPages } = list.limits
  const start = await firstPageQuery(list, query)
  const isWhole = Number(query.limit) === maximum || maxPages <= WALKED_WHOLE
  const walk = await list.walk(start, isWhole ? maxPages : WALKED_WHOLE)
  if (isWhole || !walk.cut) return expectAll(list, walk)
  expectSteps(walk)
  const count = await expectLastSteps(list, start, walk.pages[0]?.names?.length ?? 0)
  const limit = query.limit === undefined ? 'Without limit' : `With limit=${query.limit}`
  const walked = `the first ${WALKED_WHOLE} and the last ${LAST_PAGES} of ${count} pages`
  note(`${limit} ${walked} were walked.`)
}

/** Reads the only page of a list, the page after it, and the one that its items fill: with a limit of just as many. */
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

/**
 * Pages that are the only one of their list, and one past its end: with a limit that holds all of the main account's
 * repositories, else of another account with few of them.
 */
export async function singlePages(
  list: RepositoryList,
  accounts: Accounts,
  repositories: Repositories,
): Promise<RepositoryPage[]> {
  const { maximum } = list.limits
  const length = await list.length()
  const own = length <= maximum && (await onlyPages(list, (items) => items === length))
  if (own) return own
  // The site admin is asked only where the other account does not do.
  for (const tried of [accounts.other, accounts.admin]) {
    const account = await tried().catch(() => undefined)
    const theirs = account && repositories.listOf(async () => account.credentials)
    const pages = theirs && (await onlyPages(theirs, (items) => items < maximum))
    if (pages !== undefined) return pages
  }
  const small = `needs an account with fewer than ${maximum} repositories`
  return skip(`${small}, to see a list of one page: CODE_HOSTING_OTHER_USERNAME may name one`)
}

/** The page sizes that lists have: without a limit, and with one above the record's maximum. */
export async function observePageSizes(
  list: RepositoryList,
  record: Exchange,
  settings: CodeHostingSettings,
) {
  const named = (record.json as { max_response_items?: unknown } | null)?.max_response_items
  const maximum = Number.isInteger(named) ? (named as number) : settings.maxResponseItems
  const [usual, largest] = await allOrWorst([
    observedPageSize(list, {}),
    observedPageSize(list, { limit: maximum + 1 }),
  ])
  return { usual, largest }
}
