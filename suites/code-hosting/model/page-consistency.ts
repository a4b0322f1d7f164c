import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { numberIn } from './page-cache.ts'
import { pageSize } from './pages.ts'

type PageSizes = Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'>

/** A part of a page that contradicts the others. */
export interface Outlier {
  requirement: Extract<RequirementId, `code-hosting/pagination/${string}`>
  header: string
  expected: string
}

/** Parameters of requests whose page is known. */
const KNOWN_PARAMETERS = ['page', 'limit', 'sudo']

interface Place {
  number: number
  size: number
  items: number
}

/** Returns the place of a page in its list; undefined if its number, size or items may be wrong. */
function placeOf({ headers, json, request }: Exchange, sizes: PageSizes): Place | undefined {
  const { searchParams } = request.url
  const number = Math.max(1, Number(searchParams.get('page') ?? 1))
  const size = pageSize(searchParams.get('limit') ?? undefined, sizes)
  const items = Array.isArray(json) ? json.length : 0
  const isKnown = [...searchParams.keys()].every((name) => KNOWN_PARAMETERS.includes(name))
  const isRequested =
    numberIn({ headers }, 'x-page') === number && numberIn({ headers }, 'x-perpage') === size
  return isKnown && isRequested && items > 0 && items <= size ? { number, size, items } : undefined
}

/**
 * Returns the part of a page that contradicts the two others about further pages: X-HasMore, X-Total-Count and
 * the link to the next page. Undefined if it may be any of them, and for a page past the end.
 */
export function outlierOf(page: Exchange, sizes: PageSizes): Outlier | undefined {
  const place = placeOf(page, sizes)
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
      requirement: 'code-hosting/pagination/total-count',
      header: 'X-Total-Count',
      expected: `X-Total-Count: ${expected}, as the other parts of the page say`,
    }
  }
  if (isLinked === hasMore) return undefined
  if (!page.headers.has('link')) {
    if (!isCounted) return undefined
    return {
      requirement: 'code-hosting/pagination/link-when-several-pages',
      header: 'Link',
      expected: 'a Link, since X-HasMore and X-Total-Count say that there are more pages',
    }
  }
  return isCounted === hasMore
    ? {
        requirement: 'code-hosting/pagination/link-relations',
        header: 'Link',
        expected: `${hasMore ? 'a' : 'no'} Link with relation next, as X-HasMore and X-Total-Count say`,
      }
    : {
        requirement: 'code-hosting/pagination/has-more-header',
        header: 'X-HasMore',
        expected: `X-HasMore: ${isLinked}, as Link and X-Total-Count say`,
      }
}
