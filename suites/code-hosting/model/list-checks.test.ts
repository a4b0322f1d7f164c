import { describe, expect, it } from 'vitest'
import { errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { expectExposed } from './list-rules.ts'
import {
  type Change,
  failed,
  fields,
  items,
  judge,
  limitRules,
  listOf,
  type Options,
  type Rule,
  verdictsOf,
} from './list-service.fixture.ts'

describe('the rules of lists', () => {
  it.each([6, 23, 200])('pass for a list of %i items', async (maria) => {
    const { results } = await judge({ counts: { maria } })
    expect(verdictsOf(results)).toEqual(['pass'])
  })

  it.each([1, 2, 5])('pass for a list of %i items as far as it shows them', async (maria) => {
    const { results } = await judge({ counts: { maria } })
    expect(verdictsOf(results)).toEqual(expect.arrayContaining(['pass']))
    expect(verdictsOf(results)).not.toContain('fail')
    expect(verdictsOf(results)).not.toContain('inconclusive')
  })

  it('are skipped without items, except those about limits, which X-PerPage shows', async () => {
    const { results } = await judge({ counts: { maria: 0, 'public-only': 0 } })
    const passed = Object.keys(results).filter((id) => results[id as Rule]?.verdict === 'pass')
    expect(passed.sort()).toEqual(limitRules.toSorted())
    expect(verdictsOf(results)).toEqual(['pass', 'skipped'])
  })

  it('pass for a list that is not read to its end', async () => {
    const { results } = await judge({ counts: { maria: 200 }, maxPages: 4 })
    for (const id of limitRules) expect(results[id], id).toMatchObject({ verdict: 'pass' })
    expect(verdictsOf(results)).not.toContain('fail')
  })
})

describe('the rules of lists', () => {
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
