import { expect, it } from 'vitest'
import { exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import { outlierOf } from './pagination.suite.ts'

const sizes = { maxResponseItems: 25, defaultPagingNum: 20 }

interface Parts {
  total?: number
  page?: number
  size?: number
  items?: number
  hasMore?: boolean
  next?: boolean
  /** False for a page without Link. */
  link?: boolean
}

/** Returns the requirement of the outlier of a page; by default the first of three, without a limit. */
function outlierWith(parts: Parts, path = '/api/v1/user/repos'): string | undefined {
  const { total = 57, page = 1, size = 20, items = 20, hasMore = true } = parts
  const { next = true, link = true } = parts
  const headers = {
    'x-page': String(page),
    'x-perpage': String(size),
    'x-hasmore': String(hasMore),
    'x-total-count': String(total),
    ...(link && { link: next ? '<?page=2>; rel="next"' : '<?page=1>; rel="first"' }),
  }
  const json = Array.from({ length: items }, () => ({}))
  return outlierOf(exchangeWith({ json, headers }, path), sizes)
}

const last = { page: 3, items: 17, hasMore: false, next: false }

it.each<[string, Parts, string?, string?]>([
  ['agreeing parts', {}],
  ['a total below its items', { total: 19 }, '', 'total-count'],
  ['a total below its items on a later page', { ...last, total: 56 }, '?page=3', 'total-count'],
  ['a total of further pages', { ...last, total: 61 }, '?page=3', 'total-count'],
  ['only the link to the next page missing', { next: false }, '', 'link-relations'],
  ['no Link', { next: false, link: false }, '', 'link-when-several-pages'],
  ['X-HasMore only', { total: 20, next: false, link: false }],
  ['only a link', { ...last, next: true }, '?page=3', 'link-relations'],
  ['only X-HasMore false', { hasMore: false }, '', 'has-more-header'],
  ['another page', { next: false, page: 2 }],
  ['too many items', { next: false, items: 21 }],
  ['a page past the end', { ...last, hasMore: true, total: 40 }, '?page=3'],
  ['a cursor', { next: false }, '?after=x'],
])('returns the outlier of a page with %s', (_, parts, query, outlier) => {
  expect(outlierWith(parts, `/api/v1/user/repos${query ?? ''}`)).toBe(outlier)
})
