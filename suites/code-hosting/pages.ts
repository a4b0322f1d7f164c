/** Pages of any list that a run sees, judged by what they say themselves. */
import type { Exchange } from '../../lib/probe/exchange.ts'
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

/** Returns true for the page of a list below `/api/v1`, whose query is within the documented ranges. */
export function isListPage(exchange: Exchange): boolean {
  const { request, status, headers, minLength, json, origin } = exchange
  if (request.method !== 'GET' || status !== 200 || !hasStatedQuery(exchange)) return false
  if (isRepositoryPage(exchange)) return true
  return (
    origin.by === 'service' &&
    request.url.pathname.includes('/api/v1/') &&
    PAGINATION_HEADERS.some((name) => headers.has(name)) &&
    (minLength !== undefined || Array.isArray(json))
  )
}

/** Returns the number of the requested page. */
export const requestedPage = ({ request: { url } }: Exchange) =>
  Math.max(1, Math.trunc(Number(url.searchParams.get('page') ?? 1)) || 1)

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
