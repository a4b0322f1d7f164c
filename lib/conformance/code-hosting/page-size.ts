import type { PageQuery, RepositoryPage } from '../../services/code-hosting.ts'
import { skip } from '../outcome.ts'
import type { Listing } from './listing.ts'
import { expect } from './matchers.ts'

/** What `X-PerPage` says, where it says a number. */
function namedSize(page: RepositoryPage): number | undefined {
  const field = page.headers.get('x-perpage')
  return field !== null && /^\d+$/.test(field.trim()) ? Number(field) : undefined
}

/**
 * Expects pages of this size in answer to the query: by `X-PerPage` where it is sent, and by the
 * number of items.
 *
 * @throws Skip when there are too few items to show the size and nothing else tells it
 */
export async function expectPageSize(list: Listing, query: PageQuery, size: number): Promise<void> {
  const page = await list.page(query)
  expect(page).toHaveStatus(200)
  expect(page).toHaveHeaderWherePresent('X-PerPage', size)
  const { length } = await list.names()
  expect(page).toHaveItems(Math.min(size, length))
  if (length <= size && !page.headers.has('x-perpage')) {
    skip(`needs more than ${size} repositories, and the main account has ${length}`)
  }
}

/** The size of the pages that answer the query. Throws `Skip` when nothing shows it. */
export async function observedPageSize(list: Listing, query: PageQuery): Promise<number> {
  const page = await list.page(query)
  const { length } = await list.names()
  const items = page.names?.length ?? skip(`${page.record.request.url} gave no list`)
  const named = namedSize(page)
  if (named !== undefined) return named
  return items < length ? items : skip(`needs more than ${items} repositories to show a page size`)
}
