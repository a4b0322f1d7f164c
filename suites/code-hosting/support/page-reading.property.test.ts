import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { anyText } from '../../../lib/environment/arbitrary-text.fixture.ts'
import { createListing } from './listing.ts'
import { fakeService, listAnswer, repositoryNames } from './service.fixture.ts'

const LIST = 'https://git.example.com/api/v1/user/repos'

const fields = anyText.map((text) => text.replace(/[^\x20-\x7e]/g, ''))
const numbers = fc.oneof(
  fc.constantFrom('0', '-1', '1e3', '0x10', '007', '9'.repeat(40), '1.5', 'NaN', 'Infinity', ''),
  fc.nat(5000).map(String),
  fields,
)

/** What a server may say of its list, right or wrong; `undefined` is right. */
const told = fc.record({
  total: fc.option(numbers, { nil: undefined }),
  page: fc.option(numbers, { nil: undefined }),
  size: fc.option(numbers, { nil: undefined }),
  link: fc.option(fc.oneof(fields, fc.constant(`<${LIST}?page=3&limit=5>; rel=last`)), {
    nil: undefined,
  }),
  behind: fc.constantFrom<Answer | undefined>(undefined, { status: 404 }, { json: null }),
})

function headersOf(named: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

describe('a list of any length on a server that says anything of it', () => {
  it('is read whole or up to the limit, with few requests', async () => {
    const counts = fc.oneof(fc.nat(30), fc.nat(400))
    await fc.assert(
      fc.asyncProperty(counts, fc.integer({ min: 1, max: 40 }), told, async (count, max, says) => {
        const names = repositoryNames(count)
        const pages = Math.ceil(count / 5)
        const { client, sent } = fakeService(({ url }) => {
          const number = Number(url.searchParams.get('page') ?? 1)
          if (number > pages && says.behind !== undefined && number > 1) return says.behind
          const answer = listAnswer(names, url)
          const { total, page, size, link } = says
          const changed = headersOf({
            'X-Total-Count': total,
            'X-Page': page,
            'X-PerPage': size,
            Link: link,
          })
          return { ...answer, headers: { ...answer.headers, ...changed } }
        })
        const list = createListing(client, { maximum: 5, maxPages: max }, async () => ({}))

        const reading = await list.known()
        expect(reading.isWhole).toBe(pages <= max)
        expect(reading.names).toEqual(names.slice(0, max * 5))
        expect(await list.length()).toBe(count)
        if (count > 0) expect((await list.tour()).pastTheEnd.names ?? []).toEqual([])
        expect(sent.length).toBeLessThan(max + 60)
      }),
      { numRuns: 150 },
    )
  })

  it('is walked to an end, wherever next leads', async () => {
    const targets = fc.array(fc.nat(12), { minLength: 13, maxLength: 13 })
    await fc.assert(
      fc.asyncProperty(targets, fc.integer({ min: 1, max: 10 }), async (next, max) => {
        const { client, sent } = fakeService(({ url }) => {
          const number = Number(url.searchParams.get('page') ?? 1)
          const to = next[number] ?? 0
          return {
            ...listAnswer(repositoryNames(60), url),
            headers: headersOf({ Link: to === 0 ? undefined : `<?page=${to}&limit=5>; rel=next` }),
          }
        })
        const list = createListing(client, { maximum: 5, maxPages: max }, async () => ({}))
        const walk = await list.walk({ page: 1, limit: 5 })
        expect(walk.pages.length).toBeLessThanOrEqual(max)
        expect(sent.length).toBeLessThanOrEqual(max)
        const last = walk.pages.at(-1)?.links.has('next')
        expect(last).toBe(walk.endless || walk.cut)
      }),
      { numRuns: 150 },
    )
  })
})
