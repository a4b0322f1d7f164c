// What each rule about lists makes of a server that deviates.
import { expect, it } from 'vitest'
import type { StubResponse } from '../../../lib/conformance/exchange.fixture.ts'
import { listResponse } from '../service.fixture.ts'
import {
  type Change,
  failed,
  fields,
  items,
  type ListRequest,
  listOf,
} from './list-service.fixture.ts'

/** Returns the page of another query, for some requests. */
const instead =
  (query: (request: ListRequest) => { limit?: number; page?: number } | undefined): Change =>
  (response, request) => {
    const other = query(request)
    if (other === undefined) return response
    const url = new URL(request.url)
    for (const [name, value] of Object.entries(other)) url.searchParams.set(name, String(value))
    return listResponse(listOf(request.owner), url)
  }

/** Returns the last page for pages past the end. */
const lastAgain: Change = (response, { owner, url }) => {
  const { 'X-Total-Count': total, 'X-PerPage': size } = response.headers ?? {}
  if ((response.json as unknown[]).length > 0) return response
  const last = new URL(url)
  last.searchParams.set('page', String(Math.ceil(Number(total) / Number(size))))
  return listResponse(listOf(owner), last)
}

const reject =
  (status: number, applies: (request: ListRequest) => boolean): Change =>
  (response, request) =>
    applies(request) ? { status, json: { message: 'no' } } : response

const isLast = ({ headers }: StubResponse) => headers?.['X-HasMore'] === 'false'

it.each<[string, Change, string[]]>([
  [
    'a limit shows too few items',
    items((all, { limit }) => (limit === 4 ? all.slice(1) : all)),
    ['limit-honoured'],
  ],
  [
    'a limit shows too few items, and counts only these',
    (response, request) => {
      const all = response.json as unknown[]
      if (request.limit !== 4 || all.length === 0) return response
      const json = all.slice(1)
      const headers = { ...response.headers, 'X-Total-Count': String(json.length) }
      return { ...response, json, headers }
    },
    ['limit-honoured', 'total-count'],
  ],
  [
    'later pages with a small limit are empty',
    items((all, { limit, page = 1 }) => (limit === 2 && page > 1 ? [] : all)),
    ['limit-honoured'],
  ],
  [
    'the limit is not lowered for Basic',
    instead(({ sentAs, limit = 0 }) =>
      sentAs === 'Basic' && limit > 5 ? { limit: 4 } : undefined,
    ),
    ['limit-lowered'],
  ],
  ['a far limit is rejected', reject(400, ({ limit = 0 }) => limit === 2 ** 53), ['limit-lowered']],
  [
    'small limits are raised to the maximum',
    instead(({ limit = 0 }) => (limit > 0 && limit < 5 ? { limit: 5 } : undefined)),
    ['limit-honoured'],
  ],
  [
    'a negative limit gives the maximum',
    instead(({ limit = 0 }) => (limit < 0 ? { limit: 5 } : undefined)),
    ['limit-not-positive'],
  ],
  [
    'later pages without a limit have another size',
    instead(({ limit, page = 1 }) => (limit === undefined && page > 1 ? { limit: 4 } : undefined)),
    ['default-limit', 'link-targets'],
  ],
  [
    'page 0 is the second page',
    instead(({ page }) => (page === 0 ? { page: 2 } : undefined)),
    ['page-below-one'],
  ],
  [
    'the server fails for a page number below 64 bits',
    reject(500, ({ page = 1 }) => page < -(2 ** 62)),
    ['page-below-one'],
  ],
  [
    'the page of no number has another order with small limits',
    items((all, { limit = 5, page }) => (page === undefined && limit < 5 ? all.toReversed() : all)),
    ['first-page-default'],
  ],
  [
    'no page is the second page with Sudo',
    instead(({ page, sentAs }) =>
      page === undefined && sentAs === 'sudo' ? { page: 2 } : undefined,
    ),
    ['first-page-default'],
  ],
  [
    'the first page comes past the end',
    instead(({ page = 1 }) => (page > 30 ? { page: 1 } : undefined)),
    ['past-the-end'],
  ],
  [
    'the server fails past the end',
    reject(500, ({ page = 1 }) => page > 2 ** 31),
    ['past-the-end'],
  ],
  [
    'the server fails for some pages past the end',
    reject(500, ({ page = 1 }) => page > 2 ** 31 && page < 2 ** 53),
    ['past-the-end'],
  ],
  [
    'the first page of the account before comes with Sudo for every page',
    (response, { sentAs, url }) => {
      const first = new URL(url)
      first.searchParams.set('page', '1')
      return sentAs === 'sudo' ? listResponse(listOf('ada'), first) : response
    },
    [],
  ],
  [
    'small limits have the third page for every page',
    instead(({ limit = 0 }) => (limit > 0 && limit < 5 ? { page: 3 } : undefined)),
    ['limit-honoured'],
  ],
  [
    'the total of Sudo is another one',
    fields(({ sentAs }) => (sentAs === 'sudo' ? { 'X-Total-Count': '2' } : {})),
    ['total-count'],
  ],
  [
    'X-HasMore is true on the last page of a token parameter',
    fields(({ sentAs }, page) =>
      sentAs === 'parameter' && isLast(page) ? { 'X-HasMore': 'true' } : {},
    ),
    ['has-more-header', 'past-the-end'],
  ],
  [
    'X-PerPage is missing with the token scheme',
    fields(({ sentAs }) => (sentAs === 'token' ? { 'X-PerPage': undefined } : {})),
    ['per-page-header'],
  ],
  [
    'X-Page is 1 on every page of another account',
    fields(({ owner, page = 1 }) => (owner === 'otto' && page <= 7 ? { 'X-Page': '1' } : {})),
    ['page-header'],
  ],
  [
    'X-Page is 1 on the second page',
    fields(({ page }) => (page === 2 ? { 'X-Page': '1' } : {})),
    ['page-header'],
  ],
  [
    'X-Page is 0 on page 0',
    fields(({ page }) => (page === 0 ? { 'X-Page': '0' } : {})),
    ['page-below-one'],
  ],
  [
    'X-PerPage is another size on the second page',
    fields(({ page }) => (page === 2 ? { 'X-PerPage': '3' } : {})),
    ['per-page-header'],
  ],
  [
    'X-PerPage is another size with small limits',
    fields(({ limit = 0 }) => (limit > 0 && limit < 5 ? { 'X-PerPage': '9' } : {})),
    ['per-page-header'],
  ],
  [
    'pages past the end are of another size where the limit is lowered',
    fields(({ limit = 0, page = 1 }) => (limit > 5 && page > 5 ? { 'X-PerPage': '9' } : {})),
    [],
  ],
  ['the last page comes again past the end', lastAgain, []],
  [
    'the last page comes again past the end, and is of another size',
    (response, request) => {
      const page = lastAgain(response, request)
      const headers = { ...page.headers, 'X-PerPage': '9' }
      return page === response ? page : { ...page, headers }
    },
    ['per-page-header'],
  ],
  [
    'pages past the end have no Link',
    fields(({ page = 1 }) => (page > 30 ? { Link: undefined } : {})),
    [],
  ],
  [
    'X-Total-Count is missing with a password',
    fields(({ sentAs }) => (sentAs === 'Basic' ? { 'X-Total-Count': undefined } : {})),
    ['total-count'],
  ],
  [
    'pages past the end are not counted',
    fields(({ page = 1 }) => (page > 30 ? { 'X-Total-Count': undefined } : {})),
    [],
  ],
  [
    'the list of a public-only token is not counted',
    fields(({ owner }) => (owner === 'public-only' ? { 'X-Total-Count': undefined } : {})),
    [],
  ],
  [
    'a public-only token gets no Link',
    fields(({ owner }) => (owner === 'public-only' ? { Link: undefined } : {})),
    ['link-when-several-pages', 'link-relations'],
  ],
  [
    'a single page has a Link',
    fields(({ owner, limit }) =>
      owner === 'ada' && limit !== 1
        ? { Link: `<?${limit === undefined ? '' : `limit=${limit}&`}page=1>; rel="first"` }
        : {},
    ),
    ['link-when-several-pages'],
  ],
  [
    'last is one too far',
    fields((_, { headers }) => ({
      Link: headers?.Link?.replace(
        /page=(\d+)([^>]*>; rel="last")/,
        (_all, page, rest) => `page=${Number(page) + 1}${rest}`,
      ),
    })),
    ['link-targets'],
  ],
  [
    'prev is missing from the fourth page on',
    fields(({ page = 1 }, { headers }) =>
      page > 3 ? { Link: headers?.Link?.replace(/, <[^>]*>; rel="prev"/, '') } : {},
    ),
    ['link-relations'],
  ],
  [
    'a short page has no next',
    fields(({ limit = 0 }, { headers }) =>
      limit > 5 ? { Link: headers?.Link?.replace(/<[^>]*>; rel="next", /, '') } : {},
    ),
    ['link-relations', 'short-page-is-not-the-end'],
  ],
  [
    'a limit above the maximum shows all items',
    (response, { limit = 0, owner }) => {
      if (limit <= 5) return response
      const json = listOf(owner).map((name) => ({ full_name: name }))
      return { json, headers: { ...response.headers, 'X-HasMore': 'false', Link: '' } }
    },
    ['limit-lowered'],
  ],
  [
    'a lowered limit leaves an item out, and has no next',
    (response, { limit = 0 }) => {
      if (limit <= 5) return response
      const json = (response.json as unknown[]).slice(1)
      return { json, headers: { ...response.headers, 'X-HasMore': 'false', Link: '' } }
    },
    ['limit-lowered', 'short-page-is-not-the-end'],
  ],
  [
    'pages past the end have a record without full_name',
    items((all, { page = 1 }) => (page > 30 ? [{}] : all)),
    ['past-the-end'],
  ],
  [
    'one limit has another order',
    items((all, { limit }) => (limit === 4 ? all.toReversed() : all)),
    ['limit-honoured'],
  ],
  [
    'pages have their own order',
    items((all, { page = 1 }) => (page % 2 ? all : all.toReversed())),
    [],
  ],
  [
    'pages have their own order, and a page of no number has too few items',
    items((all, { limit = 5, page }) => {
      if (page === undefined && limit < 5) return all.slice(0, -1).toReversed()
      return page && page % 2 === 0 ? all.toReversed() : all
    }),
    ['first-page-default', 'limit-not-positive'],
  ],
  [
    'pages have their own order, and page 0 and that of no number another size',
    (response, { page = 0 }) => {
      const json = response.json as unknown[]
      if (page === 0) return { ...response, headers: { ...response.headers, 'X-PerPage': '9' } }
      return page % 2 === 0 ? { ...response, json: json.toReversed() } : response
    },
    [],
  ],
  [
    'far numbers are rejected',
    reject(400, ({ limit = 0, page = 0 }) => Math.max(limit, page) >= 2 ** 63),
    ['limit-lowered'],
  ],
  [
    'numbers beyond 64 bits are rejected',
    reject(400, ({ limit = 0 }) => Math.abs(limit) > 2 ** 64),
    [],
  ],
  [
    'the server fails for a limit beyond 64 bits',
    reject(500, ({ limit = 0 }) => limit > 2 ** 64),
    ['limit-lowered'],
  ],
  [
    'pages of the account before come with Sudo',
    (response, { sentAs, url }) =>
      sentAs === 'sudo' ? listResponse(listOf('ada'), url) : response,
    [],
  ],
  [
    'another account has all items on a page of a further size',
    fields(({ owner, limit }) => (owner === 'ada' && limit !== 1 ? { 'X-PerPage': '9' } : {})),
    [],
  ],
  [
    'another account has pages of a further size',
    fields(({ owner, limit }) => (owner === 'ada' && limit === 1 ? { 'X-PerPage': '9' } : {})),
    ['per-page-header'],
  ],
  [
    'a password shows another list',
    (response, { sentAs, owner, url }) =>
      sentAs === 'Basic' && owner === 'maria' ? listResponse(listOf('ada'), url) : response,
    ['default-limit', 'limit-honoured', 'limit-not-positive', 'total-count'],
  ],
  [
    'another account gets the list of a third one',
    (response, { owner, url }) => (owner === 'otto' ? listResponse(listOf('ada'), url) : response),
    [],
  ],
  [
    'Sudo is ignored with one limit',
    (response, { sentAs, limit, url }) =>
      sentAs === 'sudo' && limit === 4 ? listResponse(listOf('ada'), url) : response,
    ['limit-honoured', 'total-count'],
  ],
  ['others get no list', reject(403, ({ owner }) => owner === 'otto'), []],
])('the rules of lists fail if %s', async (_, change, expected) => {
  expect((await failed({ change })).sort()).toEqual(expected.toSorted())
})
