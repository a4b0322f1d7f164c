/** Pages of any list that a run sees, judged by what they say themselves. */
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { CodeHostingContext } from './context.ts'
import { isOfTheService } from './exchange-filters.ts'
import type { LimitKind } from './levels.ts'
import { isRepositoryPage, numberIn, pageSize } from './lists.ts'
import type { CodeHostingSettings } from './variables.ts'

type PageSizes = Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'>

export const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

function isBeyond(value: string | null, bits: bigint): boolean {
  if (value === null || !/^-?\d+$/.test(value)) return false
  const bound = 2n ** bits
  return BigInt(value) >= bound || BigInt(value) <= -bound
}

/** Returns true if the page and limit of a query are within the documented ranges. */
const hasStatedQuery = ({ request: { url } }: Exchange) =>
  !isBeyond(url.searchParams.get('page'), 53n) && !isBeyond(url.searchParams.get('limit'), 63n)

type ListContext = Pick<CodeHostingContext, 'target' | 'settings'>

/** Returns true for a page of another list than that of repositories: of tokens, or with a field of pages. */
function isOtherList(exchange: Exchange, { target }: Pick<ListContext, 'target'>): boolean {
  const { request, status, headers, links, minLength } = exchange
  const { endpoint, method, url } = request
  if (endpoint !== undefined || method !== 'GET' || status !== 200) return false
  if (!isOfTheService(exchange) || !url.href.startsWith(`${target.baseUrl}/api/v1/`)) return false
  // Read last: a body may be too large.
  if (minLength === undefined && !Array.isArray(exchange.json)) return false
  const { baseUrl, tokenList } = target
  const isOfTokens = tokenList && new URL(baseUrl + tokenList.path).pathname === url.pathname
  // Other pages than those of lists may have links of other relations.
  const isPage = PAGINATION_HEADERS.some((name) => name !== 'Link' && headers.has(name))
  return isOfTokens === true || isPage || links.targets.has('next') || links.targets.has('prev')
}

/** Returns true for a page of any list whose query parameters are within the documented ranges. */
export const isListPage = (exchange: Exchange, context: Pick<ListContext, 'target'>) =>
  hasStatedQuery(exchange) && (isRepositoryPage(exchange) || isOtherList(exchange, context))

/** Returns the requested page of a list; undefined for one that the document does not state. */
export function requestedPage(page: Exchange, { target, settings }: ListContext) {
  if (!isListPage(page, { target })) return undefined
  const { searchParams } = page.request.url
  const number = searchParams.get('page')
  const limit = searchParams.get('limit')
  if (!/^-?\d+$/.test(number ?? '1') || !/^-?\d+$/.test(limit ?? '1')) return undefined
  const size = pageSize(limit ?? undefined, settings)
  const isRequested = Number(limit) > 0
  // Whether a default above the maximum is lowered is not stated.
  if (!isRequested && size > settings.maxResponseItems) return undefined
  const kind = isRequested && Number(limit) > size ? 'lowered' : 'honoured'
  const defaultKind = limit === null ? 'absent' : 'not positive'
  return {
    number: Math.max(1, Number(number)),
    isNumbered: number !== null,
    size,
    kind: (isRequested ? kind : defaultKind) satisfies LimitKind,
  }
}

/** Returns the place of a page in another list, by the total of that; undefined past the end. */
export function ownPlace(page: Exchange, context: ListContext) {
  const requested = isRepositoryPage(page) ? undefined : requestedPage(page, context)
  if (requested === undefined) return undefined
  const { number, isNumbered, size } = requested
  const total = numberIn(page, 'x-total-count')
  const isPastTheEnd = total === undefined || total <= (number - 1) * size
  if (number > 1 && isPastTheEnd) return undefined
  // pagination/first-page-default judges what is shown without a page.
  if (!isNumbered && (numberIn(page, 'x-page') ?? number) !== number) return undefined
  return { ...requested, hasMore: total === undefined ? undefined : total > number * size }
}

/** What a page says of itself. */
interface OwnPage {
  number: number
  size: number
  items: number
}

/** Parameters of requests whose page is known. */
const KNOWN_PARAMETERS = ['page', 'limit', 'sudo']

/** Returns the place of a page in its list; undefined if its number, size or items may be wrong. */
function ownPage({ headers, json, request }: Exchange, sizes: PageSizes): OwnPage | undefined {
  const { searchParams } = request.url
  const number = Math.max(1, Number(searchParams.get('page') ?? 1))
  const size = pageSize(searchParams.get('limit') ?? undefined, sizes)
  const items = Array.isArray(json) ? json.length : 0
  const isKnown = [...searchParams.keys()].every((name) => KNOWN_PARAMETERS.includes(name))
  const isRequested =
    numberIn({ headers }, 'x-page') === number && numberIn({ headers }, 'x-perpage') === size
  return isKnown && isRequested && items > 0 && items <= size ? { number, size, items } : undefined
}

/** A part of a page that contradicts the others. */
export interface Outlier {
  requirement: 'total-count' | 'link-when-several-pages' | 'link-relations' | 'has-more-header'
  header: string
  expected: string
}

/**
 * Returns the part of a page that contradicts the two others about further pages: X-HasMore, X-Total-Count and
 * the link to the next page. Undefined if it may be any of them, and for a page past the end.
 */
export function outlierOf(page: Exchange, sizes: PageSizes): Outlier | undefined {
  const place = ownPage(page, sizes)
  const total = numberIn(page, 'x-total-count')
  const hasMore = { true: true, false: false }[page.headers.get('x-hasmore')?.trim() ?? '']
  if (place === undefined || total === undefined || hasMore === undefined) return undefined
  const { number, size, items } = place
  const before = (number - 1) * size
  if (number > 1 && total <= before) return undefined
  const isCounted = total > number * size
  const isLinked = page.links.targets.has('next')
  // A wrong last page makes X-HasMore and Link promise a page alike: then the total may be right.
  if (total < before + items || (isCounted && !hasMore && !isLinked)) {
    const expected = hasMore ? `more than ${before + items}` : `${before + items}`
    return {
      requirement: 'total-count',
      header: 'X-Total-Count',
      expected: `X-Total-Count: ${expected}, as the other parts of the page say`,
    }
  }
  if (isLinked === hasMore) return undefined
  if (!page.headers.has('link')) {
    if (!isCounted) return undefined
    return {
      requirement: 'link-when-several-pages',
      header: 'Link',
      expected: 'a Link, since X-HasMore and X-Total-Count say that there are more pages',
    }
  }
  return isCounted === hasMore
    ? {
        requirement: 'link-relations',
        header: 'Link',
        expected: `${hasMore ? 'a' : 'no'} Link with relation next, as X-HasMore and X-Total-Count say`,
      }
    : {
        requirement: 'has-more-header',
        header: 'X-HasMore',
        expected: `X-HasMore: ${isLinked}, as Link and X-Total-Count say`,
      }
}
