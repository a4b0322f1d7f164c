import type { Paging, RequestContext } from '../request-context.ts'
import type { Settings } from '../settings.ts'

/** Document: Pagination of list endpoints. */
export interface PaginationRules {
  /** @param requested the query parameter, `null` when it is absent */
  effectivePage(requested: string | null, context: RequestContext): number
  /** @param requested the query parameter, `null` when it is absent */
  effectiveLimit(requested: string | null, settings: Settings, context: RequestContext): number
  /** At least 1, also for an empty list. */
  lastPage(total: number, limit: number, context: RequestContext): number
  pageItems<Item>(items: readonly Item[], paging: Paging, context: RequestContext): readonly Item[]
  /**
   * Headers by name; those that are `undefined` are not sent.
   *
   * @param shown how many items this page holds
   */
  totalCount(paging: Paging, shown: number, context: RequestContext): string | undefined
  currentPage(paging: Paging, context: RequestContext): string | undefined
  perPage(paging: Paging, context: RequestContext): string | undefined
  hasMore(paging: Paging, shown: number, context: RequestContext): string | undefined
  exposedHeaders(context: RequestContext): readonly string[]
}

const INTEGER = /^[+-]?\d+$/

function integer(text: string | null): number | undefined {
  if (text === null || !INTEGER.test(text)) return undefined
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

export const paginationRules: PaginationRules = {
  effectivePage: (requested) => Math.max(1, integer(requested) ?? 1),
  effectiveLimit: (requested, settings) => {
    const asked = integer(requested) ?? 0
    return Math.min(asked > 0 ? asked : settings.defaultPagingNum, settings.maxResponseItems)
  },
  lastPage: (total, limit) => Math.max(1, Math.ceil(total / limit)),
  pageItems: (items, { page, limit }) => items.slice((page - 1) * limit, page * limit),
  totalCount: (paging) => String(paging.total),
  currentPage: (paging) => String(paging.page),
  perPage: (paging) => String(paging.limit),
  hasMore: (paging) => String(paging.page < paging.lastPage),
  exposedHeaders: () => ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore'],
}
