import { describe, expect, it } from 'vitest'
import {
  errorOf,
  exchangeWith,
  type StubResponse,
} from '../../../lib/conformance/exchange.fixture.ts'
import { runCheck } from '../../../lib/conformance/run-check.ts'
import { contextWith, listResponse, withFields } from '../service.fixture.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { expectExposed, listRules } from './list-rules.ts'
import {
  type Change,
  type ListRequest,
  listOf,
  listService,
  type Service,
} from './list-service.fixture.ts'

type Rule = keyof typeof listRules

interface Options extends Service {
  seed?: number
  target?: Partial<CodeHostingTarget>
  maxPages?: number
}

const limitRules = [
  'code-hosting/pagination/default-limit',
  'code-hosting/pagination/limit-not-positive',
  'code-hosting/pagination/limit-honoured',
  'code-hosting/pagination/limit-lowered',
] as const satisfies Rule[]

/** Judges rules by one run, and returns their results by rule. */
async function judge(options: Options, ids: readonly Rule[] = Object.keys(listRules) as Rule[]) {
  const { target, seed = 1, ...limits } = options
  const { lists, run, sent } = contextWith(target, listService(options), limits)
  run.settings.seed = seed
  const results = await Promise.all(
    ids.map(
      async (id) => [id, await runCheck(id, 'probe', () => lists.judge(listRules[id]))] as const,
    ),
  )
  return { results: Object.fromEntries(results), sent }
}

const verdictsOf = (results: Record<string, { verdict: string }>) => [
  ...new Set(Object.values(results).map(({ verdict }) => verdict)),
]

/** Returns the names of the requirements whose rules fail. */
async function failed(options: Options): Promise<string[]> {
  const { results } = await judge(options)
  return Object.entries(results).flatMap(([id, { verdict }]) =>
    verdict === 'fail' ? [id.replace('code-hosting/pagination/', '')] : [],
  )
}

/** Changes the items of pages. */
const items =
  (change: (items: unknown[], request: ListRequest) => unknown[]): Change =>
  (response, request) => ({ ...response, json: change(response.json as unknown[], request) })

/** Changes header fields of pages; undefined removes one. */
const fields =
  (
    change: (request: ListRequest, response: StubResponse) => Record<string, string | undefined>,
  ): Change =>
  (response, request) =>
    withFields(change(request, response))(response, request.url)

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

describe.each([1, 2, 3])('the rules of lists with seed %i', (seed) => {
  it.each([6, 23, 200])('pass for a list of %i items', async (maria) => {
    const { results } = await judge({ seed, counts: { maria } })
    expect(verdictsOf(results)).toEqual(['pass'])
  })

  it.each([1, 2, 5])('pass for a list of %i items as far as it shows them', async (maria) => {
    const { results } = await judge({ seed, counts: { maria } })
    expect(verdictsOf(results)).toEqual(expect.arrayContaining(['pass']))
    expect(verdictsOf(results)).not.toContain('fail')
    expect(verdictsOf(results)).not.toContain('inconclusive')
  })

  it('are skipped without items, except those about limits, which X-PerPage shows', async () => {
    const { results } = await judge({ seed, counts: { maria: 0, 'public-only': 0 } })
    const passed = Object.keys(results).filter((id) => results[id as Rule]?.verdict === 'pass')
    expect(passed.sort()).toEqual(limitRules.toSorted())
    expect(verdictsOf(results)).toEqual(['pass', 'skipped'])
  })

  it('pass for a list that is not read to its end', async () => {
    const { results } = await judge({ seed, counts: { maria: 200 }, maxPages: 4 })
    for (const id of limitRules) expect(results[id], id).toMatchObject({ verdict: 'pass' })
    expect(verdictsOf(results)).not.toContain('fail')
  })
})

describe('the rules of lists', () => {
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
    [
      'a far limit is rejected',
      reject(400, ({ limit = 0 }) => limit === 2 ** 53),
      ['limit-lowered'],
    ],
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
      instead(({ limit, page = 1 }) =>
        limit === undefined && page > 1 ? { limit: 4 } : undefined,
      ),
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
      items((all, { limit = 5, page }) =>
        page === undefined && limit < 5 ? all.toReversed() : all,
      ),
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
      (response, { owner, url }) =>
        owner === 'otto' ? listResponse(listOf('ada'), url) : response,
      [],
    ],
    [
      'Sudo is ignored with one limit',
      (response, { sentAs, limit, url }) =>
        sentAs === 'sudo' && limit === 4 ? listResponse(listOf('ada'), url) : response,
      ['limit-honoured', 'total-count'],
    ],
    ['others get no list', reject(403, ({ owner }) => owner === 'otto'), []],
  ])('fail if %s', async (_, change, expected) => {
    expect((await failed({ change })).sort()).toEqual(expected.toSorted())
  })

  it('pass for pages in another order each time', async () => {
    let turns = 0
    const change = items((all) => {
      turns = (turns + 1) % 3
      return [...all.slice(turns), ...all.slice(0, turns)]
    })
    expect(await failed({ change })).toEqual([])
  })

  it('skip a list that repeats items, except what counts its different items', async () => {
    const change = items((all) => all.flatMap((item) => [item, item]))
    const total = 'code-hosting/pagination/total-count'
    const { results } = await judge({ change }, [...limitRules, total])
    for (const id of limitRules) expect(results[id]).toMatchObject({ verdict: 'skipped' })
    expect(results[total]).toMatchObject({ verdict: 'pass' })
  })

  it('need X-Total-Count of some page', async () => {
    const id = 'code-hosting/pagination/total-count'
    const someOf = (owners: readonly string[]) =>
      fields(({ owner }) => (owners.includes(owner) ? {} : { 'X-Total-Count': undefined }))
    const verdictWith = async (owners: readonly string[], options: Options = {}) =>
      (await judge({ ...options, change: someOf(owners) }, [id])).results[id]?.verdict
    expect(await verdictWith(['maria', 'otto', 'ada'])).toBe('pass')
    expect(await verdictWith([])).toBe('skipped')
    const unread = { counts: { maria: 200 }, maxPages: 4 }
    expect(await verdictWith([], unread)).toBe('inconclusive')
    const three = fields(() => ({ 'X-Total-Count': '3' }))
    expect((await judge({ change: three, ...unread }, [id])).results[id]?.verdict).toBe('fail')
    const change = fields(({ page = 1 }) => (page > 99 ? {} : { 'X-Total-Count': undefined }))
    expect((await judge({ change, ...unread }, [id])).results[id]?.verdict).toBe('inconclusive')
  })

  it('judge the size of a page that has all items by X-PerPage', async () => {
    const change = fields(({ owner, limit }) =>
      owner === 'maria' && limit === 5 ? { 'X-PerPage': '9' } : {},
    )
    expect(await failed({ change, counts: { maria: 3 } })).toEqual(['limit-honoured'])
  })

  it('have the cases of senders that are not available as missing', async () => {
    const target = { admin: undefined, other: undefined }
    const { results, sent } = await judge({ target }, limitRules)
    for (const id of limitRules) {
      expect(results[id]).toMatchObject({ verdict: 'pass' })
      const kinds = results[id]?.cases.missing.map(({ noVerdict }) => noVerdict.kind)
      expect(new Set(kinds)).toEqual(new Set(['needs']))
    }
    expect(
      sent.filter(({ headers, url }) => headers?.Sudo || url.searchParams.has('sudo')),
    ).toEqual([])
  })

  it.each<[Rule, number, string]>([
    ['code-hosting/pagination/default-limit', 3, 'skipped'],
    ['code-hosting/pagination/default-limit', 4, 'pass'],
    ['code-hosting/pagination/limit-lowered', 5, 'skipped'],
    ['code-hosting/pagination/limit-lowered', 6, 'pass'],
  ])('do not judge %s by %i items without X-PerPage: %s', async (id, count, verdict) => {
    const counts = { maria: count, otto: 1, ada: 1, 'public-only': count }
    const change = fields(() => ({ 'X-PerPage': undefined }))
    const { results } = await judge({ change, counts }, [id])
    expect(results[id]).toMatchObject({ verdict })
  })

  it('need a further page after one that a lowered limit shows', async () => {
    const id = 'code-hosting/pagination/short-page-is-not-the-end'
    const change: Change = (response, { limit = 0, owner }) =>
      limit > 5
        ? { ...response, json: listOf(owner).map((full_name) => ({ full_name })) }
        : response
    const verdictOf = async (options: Options) => (await judge(options, [id])).results[id]?.verdict
    expect(await verdictOf({})).toBe('pass')
    expect(await verdictOf({ counts: { maria: 5 } })).toBe('skipped')
    const tooLarge: Change = (response, { limit = 0 }) =>
      limit > 5 ? { ...response, minLength: 30 } : response
    expect(await verdictOf({ change: tooLarge })).toBe('skipped')
    expect(await verdictOf({ change })).toBe('skipped')
  })

  it('need a list of several pages for links', async () => {
    const counts = { maria: 1, otto: 1, ada: 1, 'public-only': 1 }
    const ids = ['link-form', 'link-relations', 'link-targets'] as const
    const { results } = await judge(
      { counts },
      ids.map((id) => `code-hosting/pagination/${id}` as const),
    )
    expect(verdictsOf(results)).toEqual(['skipped'])
  })

  it.each([
    [5, 'pass'],
    [6, 'skipped'],
  ])('need a list of one page for the absence of Link: %i items, %s', async (otto, verdict) => {
    const id = 'code-hosting/pagination/link-when-several-pages'
    const { results } = await judge({ counts: { otto, ada: 6 } }, [id])
    expect(results[id]).toMatchObject({ verdict })
  })
})

it.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ 'X-Page': '1', 'Access-Control-Expose-Headers': 'X-Page' }, true],
  [{ 'X-Page': '1', 'Access-Control-Expose-Headers': 'X-Page-Size, X-PerPage' }, false],
  ...['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore'].map(
    (name): [Record<string, string>, boolean] => [{ [name]: '1' }, false],
  ),
])('expects the exposure of the fields that a page has: %o, %s', async (headers, isExpected) => {
  const error = await errorOf(() => expectExposed(exchangeWith({ headers })))
  expect(error === undefined).toBe(isExpected)
})
