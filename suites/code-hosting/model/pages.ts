import type { PageQuery } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'

export type RelationType = 'next' | 'last' | 'first' | 'prev'

type PageSizes = Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'>

/** A list as it was read once, with the maximum limit. */
export interface ReadList {
  /** The items of each page. The document does not state their order within a page. */
  itemsByPage: readonly (readonly string[])[]
  /** Number of items; undefined if the end of the list was not found. */
  length: number | undefined
}

/** The documented content of a page. */
export interface ExpectedPage {
  /** X-Page */
  number: number
  /** X-PerPage */
  size: number
  /** Number of items on the pages before it. */
  offset: number
  /** Undefined if they were not read. */
  items: readonly string[] | undefined
  /** Number of its items. */
  shown: number
  /** X-HasMore */
  hasMore: boolean
  /** Number of pages; undefined if the end of the list was not found. */
  count: number | undefined
  /** Target page numbers of the applicable links; `last` is absent if unknown. */
  links: ReadonlyMap<RelationType, number>
}

/** "A value of 0 or less gives the default"; a value above the maximum "is lowered to the maximum". */
export function pageSize(limit: PageQuery['limit'], sizes: PageSizes): number {
  const requested = Number(limit ?? 0)
  return requested > 0 ? Math.min(requested, sizes.maxResponseItems) : sizes.defaultPagingNum
}

/** Returns the number of the last page, at least 1; for a list without a known end, of the items that were read. */
export const lastPage = (
  { itemsByPage, length = itemsByPage.flat().length }: ReadList,
  size: number,
) => Math.max(1, Math.ceil(length / size))

/** Returns the page for a query, or undefined if nothing is known about it. */
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
  const isRead = end <= names.length || list.length === names.length
  if (!isRead && list.length === undefined) return undefined
  const count = list.length === undefined ? undefined : lastPage(list, size)
  const hasMore = count === undefined || number < count
  const links = new Map<RelationType, number>()
  if (hasMore) links.set('next', number + 1)
  if (hasMore && count !== undefined) links.set('last', count)
  if (number > 1) links.set('first', 1).set('prev', number - 1)
  return {
    ...{ number, size, offset, hasMore, count, links },
    items: isRead ? names.slice(offset, end) : undefined,
    shown: Math.max(0, Math.min(size, (list.length ?? end) - offset)),
  }
}

/** Returns true if these are the items of a page, in any order within each page that was read. */
export function areItemsOf(
  { itemsByPage }: ReadList,
  { items, offset, shown }: Pick<ExpectedPage, 'items' | 'offset' | 'shown'>,
  actual: readonly string[],
): boolean {
  const actualNames = new Set(actual)
  if (actualNames.size !== shown || actual.length !== shown) return false
  if (items === undefined) return true
  let start = 0
  return itemsByPage.every((names) => {
    const from = Math.max(offset, start)
    const to = Math.min(offset + items.length, start + names.length)
    start += names.length
    return names.filter((name) => actualNames.has(name)).length === Math.max(0, to - from)
  })
}
