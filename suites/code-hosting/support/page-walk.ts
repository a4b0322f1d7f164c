import { displayText } from '../../../lib/conformance/exchange-words.ts'
import { skip } from '../../../lib/conformance/outcome.ts'
import { remark } from '../../../lib/conformance/scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import { firstPageQuery } from './first-page.ts'
import type { Listing, Walk } from './listing.ts'
import { expect } from './matchers.ts'

/** Of a longer walk the ends are enough, once all of the list is walked with the largest pages. */
const WALKED_WHOLE = 20
const LAST_PAGES = 10

/** Expects lists, no item twice and, unless the walk was cut short, an end. Returns the names. */
function expectSteps({ pages, endless }: Walk): Set<string> {
  const names = new Set<string>()
  for (const page of pages) {
    expect(page).toHaveStatus(200)
    expect(page).toShow(page.names !== undefined, 'a list of repositories', 'none')
  }
  const end = pages.at(-1)
  if (end === undefined) skip('there is no page to walk')
  expect(end).toShow(!endless, 'a walk that ends', 'a next that leads to nothing new')

  const visited = pages.flatMap((page) => page.names ?? [])
  const repeated = visited.find((name) => names.size === names.add(name).size)
  expect(end).toShow(
    repeated === undefined,
    'every item once',
    `${displayText(end, String(repeated))} twice`,
  )
  return names
}

async function expectAll(list: Listing, walk: Walk): Promise<void> {
  const visited = expectSteps(walk)
  const [start, end] = [walk.pages[0], walk.pages.at(-1)] as [RepositoryPage, RepositoryPage]
  if (walk.cut) await list.cutShort(walk.pages.length, start.names?.length)
  const known = await list.known()
  if (known.length === 0) skip('needs an account with repositories, and the main account has none')
  const missing = known.names.filter((name) => !visited.has(name))
  expect(end).toShow(
    missing.length === 0,
    `all ${known.names.length} items on the way`,
    `${visited.size} items, without ${displayText(end, String(missing[0]))}`,
  )
  // The walk ended where the reading by numbers did not.
  if (!known.isWhole) await list.cutShort(known.pages)
  expect(start).toHaveHeaderWherePresent('X-Total-Count', visited.size)
}

/** Expects the walk from a page near the end to go on to the end, with all the items between. */
async function expectLastSteps(list: Listing, query: PageQuery, first: RepositoryPage) {
  const length = await list.exactLength()
  const size = first.names?.length ?? 0
  const count = Math.ceil(length / size)
  const before = count - LAST_PAGES
  const walk = await list.walk({ ...query, page: before + 1 }, LAST_PAGES + 1)
  const visited = expectSteps(walk)
  const end = walk.pages.at(-1) as RepositoryPage
  const expected = length - before * size
  expect(end).toShow(
    visited.size === expected && !walk.cut,
    `an end after the last ${expected} items, which begin on page ${before + 1}`,
    `${visited.size} items${walk.cut ? ' and a next' : ''}`,
  )
  return count
}

/**
 * Expects that following `next` visits every page: no item twice, none missing, as many as
 * `X-Total-Count` says where it is sent, and an end. Of a long list all pages are visited with the
 * largest limit, and with another one those at both ends.
 *
 * @throws Skip when there is nothing to walk
 * @throws CutShort when there are more pages than may be read
 */
export async function expectWalk(list: Listing, query: PageQuery): Promise<void> {
  const { maximum, maxPages } = list.limits
  const start = await firstPageQuery(list, query)
  if (Number(query.limit) === maximum || maxPages <= WALKED_WHOLE) {
    return expectAll(list, await list.walk(start))
  }
  const walk = await list.walk(start, WALKED_WHOLE)
  if (!walk.cut) return expectAll(list, walk)
  expectSteps(walk)
  const count = await expectLastSteps(list, start, walk.pages[0] as RepositoryPage)
  const limit = query.limit === undefined ? 'Without limit' : `With limit=${query.limit}`
  remark(
    `${limit} the first ${WALKED_WHOLE} and the last ${LAST_PAGES} of ${count} pages were walked.`,
  )
}
