import type { Paging, RequestContext } from '../request-context.ts'

export type Relation = 'next' | 'last' | 'first' | 'prev'

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

/** Document: Pagination of list endpoints, the `Link` row. */
export interface LinkRules {
  linkNeeded(paging: Paging, context: RequestContext): boolean
  /** The relations that apply to the page. */
  linkRelations(paging: Paging, context: RequestContext): readonly PageRelation[]
  /** @param address as `publicAddress` gives it */
  linkTarget(page: number, paging: Paging, address: string, context: RequestContext): string
  /** A `Link` field (RFC 8288, 3). */
  formatLink(entries: readonly LinkEntry[], context: RequestContext): string
}

// A link that repeated the token would spread it to wherever links are kept.
const credentialParameters = ['token', 'access_token']

export const linkRules: LinkRules = {
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
