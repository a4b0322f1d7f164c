import type { Settings } from '../deployment.ts'
import type { Paging, RequestContext } from '../request-context.ts'

/** A relation and the page that it leads to. */
export interface PageRelation {
  readonly relation: string
  readonly page: number
}

/** A relation and the URL reference that it leads to. */
export interface LinkEntry {
  readonly relation: string
  readonly target: string
}

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

  // The `Link` row.
  linkNeeded(paging: Paging, context: RequestContext): boolean
  /** The relations that apply to the page. */
  linkRelations(paging: Paging, context: RequestContext): readonly PageRelation[]
  /** @param address as `publicAddress` gives it */
  linkTarget(page: number, paging: Paging, address: string, context: RequestContext): string
  /** A `Link` field (RFC 8288, 3). */
  formatLink(entries: readonly LinkEntry[], context: RequestContext): string
}

const INTEGER = /^[+-]?\d+$/

function integer(text: string | null): number | undefined {
  if (text === null || !INTEGER.test(text)) return undefined
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

// A link that repeated the token would spread it to wherever links are kept.
const credentialParameters = ['token', 'access_token']

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

  linkNeeded: (paging) => paging.lastPage > 1,
  linkRelations: ({ page, lastPage }) => {
    const relations: PageRelation[] = []
    if (page < lastPage) {
      relations.push({ relation: 'next', page: page + 1 }, { relation: 'last', page: lastPage })
    }
    if (page > 1) {
      const previous = Math.min(page - 1, lastPage)
      relations.push({ relation: 'first', page: 1 }, { relation: 'prev', page: previous })
    }
    return relations
  },
  linkTarget: (page, paging, address, context) => {
    const query = new URLSearchParams(context.url.search)
    for (const parameter of [...credentialParameters, 'page']) query.delete(parameter)
    query.set('limit', String(paging.limit))
    query.set('page', String(page))
    const path = context.url.pathname.slice(context.deployment.basePath.length)
    return `${address}${path}?${query}`
  },
  formatLink: (entries) =>
    entries.map(({ relation, target }) => `<${target}>; rel="${relation}"`).join(', '),
}
