import type { PageQuery } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'

export type RelationType = 'next' | 'last' | 'first' | 'prev'

type PageSizes = Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'>

/** A list as it was read once, with the maximum limit. */
export interface ReadList {
  /** The items of each page. The document does not state their order within a page. */
  itemsByPage: readonly (readonly string[])[]
  /** False if further pages follow. */
  isWhole: boolean
}

/** The documented content of a page. */
export interface ExpectedPage {
  /** X-Page */
  number: number
  /** X-PerPage */
  size: number
  /** Number of items on the pages before it. */
  offset: number
  items: readonly string[]
  /** X-HasMore */
  hasMore: boolean
  /** Number of pages; undefined if the list was not read to its end. */
  count: number | undefined
  /** Target page numbers of the applicable links; `last` is absent if unknown. */
  links: ReadonlyMap<RelationType, number>
}

/** "A value of 0 or less gives the default"; a value above the maximum "is lowered to the maximum". */
export function pageSize(limit: PageQuery['limit'], sizes: PageSizes): number {
  const requested = Number(limit ?? 0)
  return requested > 0 ? Math.min(requested, sizes.maxResponseItems) : sizes.defaultPagingNum
}

/** Number of the last page that is known, at least 1. */
export function lastPage({ itemsByPage, isWhole }: ReadList, size: number): number {
  const pages = itemsByPage.flat().length / size
  return Math.max(1, isWhole ? Math.ceil(pages) : Math.floor(pages))
}

/** Returns the page for a query, or undefined if the reading of the list does not reach its end. */
export function expectedPage(
  list: ReadList,
  query: PageQuery,
  sizes: PageSizes,
): ExpectedPage | undefined {
  const names = list.itemsByPage.flat()
  const size = pageSize(query.limit, sizes)
  // "1-based. A value below 1 is treated as 1."
  const number = Math.max(1, Number(query.page ?? 1))
  const offset = (number - 1) * size
  const end = offset + size
  if (!list.isWhole && end > names.length) return undefined
  const count = list.isWhole ? lastPage(list, size) : undefined
  const hasMore = count === undefined || number < count
  const links = new Map<RelationType, number>()
  if (hasMore) links.set('next', number + 1)
  if (hasMore && count !== undefined) links.set('last', count)
  if (number > 1) links.set('first', 1).set('prev', number - 1)
  return { number, size, offset, items: names.slice(offset, end), hasMore, count, links }
}

/** Returns true if these are the items of a page, in any order within each page that was read. */
export function areItemsOf(
  { itemsByPage }: ReadList,
  { items, offset }: ExpectedPage,
  actual: readonly string[],
): boolean {
  const actualNames = new Set(actual)
  if (actualNames.size !== items.length || actual.length !== items.length) return false
  let start = 0
  return itemsByPage.every((names) => {
    const from = Math.max(offset, start)
    const to = Math.min(offset + items.length, start + names.length)
    start += names.length
    return names.filter((name) => actualNames.has(name)).length === Math.max(0, to - from)
  })
}
