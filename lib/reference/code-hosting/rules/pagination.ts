import type { Paging, RequestContext, Settings } from '../deployment.ts'

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

/** A header; it is not sent when it is `undefined`. */
type Header = string | undefined

function integer(text: string | null): number | undefined {
  if (text === null || !/^[+-]?\d+$/.test(text)) return undefined
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

// A link that repeated the token would spread it to wherever links are kept.
const leftOut = ['token', 'access_token', 'page']

/** Document: Pagination of list endpoints. */
export const paginationRules = {
  /** @param requested the query parameter, `null` when it is absent */
  effectivePage: (requested: string | null) => Math.max(1, integer(requested) ?? 1),
  /** @param requested the query parameter, `null` when it is absent */
  effectiveLimit: (requested: string | null, settings: Settings) => {
    const asked = integer(requested) ?? 0
    return Math.min(asked > 0 ? asked : settings.defaultPagingNum, settings.maxResponseItems)
  },
  /** At least 1, also for an empty list. */
  lastPage: (total: number, limit: number) => Math.max(1, Math.ceil(total / limit)),
  pageItems: (items: readonly unknown[], { page, limit }: Paging): readonly unknown[] =>
    items.slice((page - 1) * limit, page * limit),
  /** @param shown how many items this page holds */
  totalCount: ({ total }: Paging, _shown: number): Header => String(total),
  currentPage: ({ page }: Paging): Header => String(page),
  perPage: ({ limit }: Paging): Header => String(limit),
  /** @param shown how many items this page holds */
  hasMore: ({ page, lastPage }: Paging, _shown: number): Header => String(page < lastPage),
  exposedHeaders: (): readonly string[] => [
    'Link',
    'X-Total-Count',
    'X-Page',
    'X-PerPage',
    'X-HasMore',
  ],

  // The `Link` row.
  linkNeeded: ({ lastPage }: Paging) => lastPage > 1,
  /** The relations that apply to the page. */
  linkRelations: ({ page, lastPage }: Paging): readonly PageRelation[] => {
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
  /** @param address as `publicAddress` gives it */
  linkTarget: (
    page: number,
    paging: Paging,
    address: string,
    { url, deployment }: RequestContext,
  ) => {
    const query = new URLSearchParams(url.search)
    for (const parameter of leftOut) query.delete(parameter)
    query.set('limit', String(paging.limit))
    query.set('page', String(page))
    return `${address}${url.pathname.slice(deployment.basePath.length)}?${query}`
  },
  /** A `Link` field (RFC 8288, 3). */
  formatLink: (entries: readonly LinkEntry[]) =>
    entries.map(({ relation, target }) => `<${target}>; rel="${relation}"`).join(', '),
}
