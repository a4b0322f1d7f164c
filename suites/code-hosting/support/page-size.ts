import { skip } from '../../../lib/conformance/outcome.ts'
import type { PageQuery } from '../client.ts'
import { firstPageQuery } from './first-page.ts'
import { type Listing, namedSize } from './listing.ts'
import { expect } from './matchers.ts'

/**
 * Expects pages of this size in answer to the query: by `X-PerPage` where it is sent, and by the
 * number of items.
 *
 * @throws Skip when there are too few items to show the size and nothing else tells it
 */
export async function expectPageSize(list: Listing, query: PageQuery, size: number): Promise<void> {
  const page = await list.page(await firstPageQuery(list, query))
  expect(page).toHaveStatus(200)
  expect(page).toHaveHeaderWherePresent('X-PerPage', size)
  const length = await list.length()
  expect(page).toHaveItems(Math.min(size, length))
  if (length <= size && !page.headers.has('x-perpage')) {
    skip(`needs more than ${size} repositories, and the main account has ${length}`)
  }
}

/** The size of the pages that answer the query. Throws `Skip` when nothing shows it. */
export async function observedPageSize(list: Listing, query: PageQuery): Promise<number> {
  const page = await list.page(await firstPageQuery(list, query))
  const length = await list.length()
  const items = page.names?.length ?? skip(`${page.record.request.url} gave no list`)
  if (items < length) return items
  return namedSize(page) ?? skip(`needs more than ${items} repositories to show a page size`)
}
