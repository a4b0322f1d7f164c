import { together } from '../../../lib/conformance/each.ts'
import { remark } from '../../../lib/conformance/scope.ts'
import type { PageQuery } from '../client.ts'
import type { Listing } from './listing.ts'

/**
 * A query for the first page: as it is, without a page, unless a list without one lacks items that
 * are on the first page. That is the business of code-hosting/pagination/first-page-default, and
 * what else such a server does can be judged on a page that is named.
 */
export async function firstPageQuery(list: Listing, query: PageQuery): Promise<PageQuery> {
  const [unnamed, first] = await together([list.page(), list.page({ page: 1 })])
  const { names } = unnamed
  if (names === undefined || first.names === undefined) return query
  const known = new Set(names)
  if (first.names.every((name) => known.has(name))) return query
  remark('Asked for with page=1, since another page is given without it.')
  return { page: 1, ...query }
}
