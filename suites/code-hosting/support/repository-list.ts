import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { currentScope } from '../../../lib/conformance/evidence-scope.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'
import { expect } from './matchers.ts'

/** How many pages are asked for at once, of those that the total says are there. */
const PAGES_AHEAD = 10

/** Above 0, where most requests begin: what other requests need is sent before them. */
export const FOUNDATION_PRIORITY = 50

/** Where a list ends, at the largest limit. */
interface ListEnd {
  /** How many pages have items. */
  pages: number
  /** How many items they have: one that comes twice counts twice. */
  length: number
  /** The pages that show it. */
  shownBy: readonly RepositoryPage[]
}

/** In any order. */
export function sameNames(some?: readonly string[], others?: readonly string[]): boolean {
  const known = new Set(others)
  return some?.length === others?.length && (some ?? []).every((name) => known.has(name))
}

export function numberIn({ headers }: RepositoryPage, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

export type PageCache = ReturnType<typeof createPageCache>

/** Reads one account's repository list. No page is asked for twice. */
export function createPageCache(
  client: CodeHostingClient,
  /** `MAX_RESPONSE_ITEMS` of the server and `PROBE_MAX_PAGES`. */
  limits: { maximum: number; maxPages: number },
  options: () => Promise<CallOptions>,
) {
  const made = new Map<string, () => Promise<unknown>>()

  /** What one check reads is evidence of each that uses it. */
  function once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = made.get(key) ?? fixture(`repositories ${key}`, make)
    made.set(key, known)
    return known() as Promise<T>
  }

  const ask = async (request: (options: CallOptions) => Promise<RepositoryPage>) =>
    request({ priority: FOUNDATION_PRIORITY, ...(await options()) })

  const query = (query: PageQuery) =>
    once(`?${JSON.stringify(query)}`, () => ask((options) => client.repositories(query, options)))

  const { leadsBelow } = client

  const follow = (target: string) =>
    once(`<${target}>`, () => ask((options) => client.linkedRepositories(target, options)))

  const page = (number: number) => query({ page: number, limit: limits.maximum })

  async function namesOn(number: number): Promise<string[]> {
    const { names, record, status, json } = await page(number)
    if (names !== undefined && status === 200) return names
    // Past the end a server may refuse, or show nothing at all. Whether it may is the business of
    // code-hosting/pagination/past-the-end, which needs the names to know where that is.
    const refused = status >= 400 && status < 500
    if (number > 1 && (refused || (status === 200 && !Array.isArray(json)))) return []
    const answered = `${record.request.url} answered ${status} without one`
    const see = 'see code-hosting/resources/repositories'
    return skip(`needs a list of repositories, and ${answered}; ${see}`)
  }

  /** What `X-Total-Count` tells of, and how many pages it makes of such as the first. */
  async function reported() {
    const size = (await namesOn(1)).length
    const length = numberIn(await page(1), 'x-total-count') ?? 0
    return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
  }

  /** The end, where this page is seen to be the last one. */
  async function endAt(pages: number): Promise<ListEnd | undefined> {
    // Of a single page there is nothing to tell that reading it does not show.
    if (pages < 2) return undefined
    const numbers = [1, pages, pages + 1]
    const [first = [], last = [], behind = []] = await allOrWorst(numbers.map(namesOn))
    // A server may give the first page, or the last one, for any other that it does not have.
    if (last.length === 0 || sameNames(first, last)) return undefined
    if (behind.length > 0 && !sameNames(last, behind)) return undefined
    const shownBy = await allOrWorst(numbers.map(page))
    return { pages, length: (pages - 1) * first.length + last.length, shownBy }
  }

  /** What `X-Total-Count` or `Link` tells of the end is believed once it is seen to be one. */
  async function reportedEnd(): Promise<ListEnd | undefined> {
    const end = await endAt((await reported()).pages)
    const target = (await page(1)).links.targets.get('last')
    if (end !== undefined || target === undefined || !leadsBelow(target)) return end
    return endAt(numberIn(await follow(target), 'x-page') ?? 0)
  }

  /** Page after page, until the list ends or no more pages may be read. */
  async function readPages() {
    /** Each once. */
    const names = new Set<string>()
    const shownBy: RepositoryPage[] = []
    const itemsByPage: string[][] = []
    let length = 0
    const total = await reported()
    for (let pages = 0; ; pages += 1) {
      if (pages % PAGES_AHEAD === 0) {
        const ahead = Math.min(pages + PAGES_AHEAD, total.pages, limits.maxPages - 1) - pages
        const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => pages + index + 2)
        await Promise.allSettled(numbers.map(page))
      }
      const found = await namesOn(pages + 1)
      shownBy.push(await page(pages + 1))
      const isNew = found.some((name) => !names.has(name))
      // A page of nothing but items that came before is one past the end, on a server that repeats
      // itself there, unless there are said to be more.
      const isWhole = found.length === 0 || (!isNew && length >= total.length)
      if (isWhole || pages === limits.maxPages) {
        return { names: [...names], itemsByPage, length, pages, shownBy, isWhole }
      }
      for (const name of found) names.add(name)
      itemsByPage.push(found)
      length += found.length
    }
  }

  const everything = () => once('everything', readPages)

  /**
   * Where the list ends. No more of it is read than shows that; `undefined` where it has more pages than
   * may be read, and nothing tells truly how many.
   */
  async function end(): Promise<ListEnd | undefined> {
    const { pages } = await reported()
    // Within a short list a short page is counted as such: it is not the end.
    if (pages > 0 && pages <= PAGES_AHEAD) {
      const reading = await everything()
      if (reading.isWhole) return reading
    }
    const found = await once('end', reportedEnd)
    const reading = found === undefined ? await everything() : undefined
    return reading?.isWhole ? reading : found
  }

  return {
    limits,
    query,
    leadsBelow,
    follow,
    everything,
    end,

    /**
     * Where all of the list is needed, and this many of its pages were read.
     *
     * @param size of these pages, where it is not the largest
     */
    async cutShort(pages: number, size?: number): Promise<never> {
      const found = await end()
      const all = found && size ? Math.ceil(found.length / size) : found?.pages
      const of = all === undefined ? '' : ` of ${all}`
      const more = all === undefined ? ', and there are more' : ''
      const read = `${pages}${of} pages of the list were read${more}`
      const text = `${read}, and this needs all of them`
      throw new ListTruncatedError({ kind: 'settings', text, variables: ['PROBE_MAX_PAGES'] })
    },
  }
}

/**
 * The page size that the first page of a list shows: its number of items, where the list has more.
 * `undefined` for all that there is, on which pages of any size look alike.
 */
export function shownSize({ names = [] }: RepositoryPage, length: number): number | undefined {
  return names.length > 0 && names.length < length ? names.length : undefined
}

const hasItems = ({ names = [] }: RepositoryPage) => names.length > 0

export type RepositoryList = ReturnType<typeof createRepositoryList>
export type BoundaryPages = Awaited<ReturnType<RepositoryList['tour']>>
export type Walk = Awaited<ReturnType<RepositoryList['walk']>>

/**
 * A list as one check uses it: the reading is shared, and what it has seen, on which its verdict
 * rests, is its own.
 */
export function createRepositoryList(reading: PageCache, seen = new Set<RepositoryPage>()) {
  const { maximum, maxPages } = reading.limits

  function see(page: RepositoryPage): RepositoryPage {
    seen.add(page)
    currentScope()?.exchanges.add(page.id)
    return page
  }

  /** What rests on how many items there are rests on the pages that were counted. */
  async function counted<T extends ListEnd | undefined>(work: Promise<T>): Promise<T> {
    const outcome = await work
    for (const page of outcome?.shownBy ?? []) seen.add(page)
    return outcome
  }

  const page = async (query: PageQuery = {}) => see(await reading.query(query))

  async function follow(from: RepositoryPage, target: string): Promise<RepositoryPage> {
    const actual = `Link: ${from.redact(`<${target}>`)}, which leads away from the API and is not requested`
    const expected = 'a Link to what is below CODE_HOSTING_BASE_URL'
    expect(from).toShow(reading.leadsBelow(target), expected, actual, { header: 'Link' })
    return see(await reading.follow(target))
  }

  /** Every page, asked for by number, as far as the list may be read: it need not be to its end. */
  const known = () => counted(reading.everything())

  /** @throws CutShort where the end is not found */
  async function exactLength(): Promise<number> {
    const end = await counted(reading.end())
    return end === undefined ? reading.cutShort((await known()).pages) : end.length
  }

  /** The pages on both sides of the ends, where `count` is how many pages there are at this limit. */
  async function tourAt(limit: number, count: number) {
    const [first, middle, last, pastTheEnd] = await allOrWorst([
      page({ page: 1, limit }),
      count > 2 ? page({ page: 2, limit }) : undefined,
      page({ page: count, limit }),
      page({ page: count + 1, limit }),
    ])
    return { limit, count, first, middle, last, pastTheEnd }
  }

  return {
    limits: reading.limits,
    /** Pages that the check has seen so far. */
    seen: seen as ReadonlySet<RepositoryPage>,
    /** The page of this query, which is asked for once a run. */
    page,
    /** The page where a link of a page leads. Fails where it leads away from the API. */
    follow,
    /** Every page, as far as the list may be read. */
    known,
    /** How many items the list has. @throws CutShort where its end is not found */
    exactLength,
    cutShort: reading.cutShort,

    /** @throws CutShort when the list has more pages than may be read */
    async names(): Promise<string[]> {
      const { names, pages, isWhole } = await known()
      return isWhole ? names : reading.cutShort(pages)
    },

    /** How many items the pages have together; where the end is not found, those that were read. */
    length: async () => ((await counted(reading.end())) ?? (await known())).length,

    /** The last page at a limit of one, where it has its item: a last page that is full. */
    async fullLastPage(): Promise<RepositoryPage | undefined> {
      const last = await page({ page: await exactLength(), limit: 1 })
      return last.names?.length === 1 ? last : undefined
    },

    /** The first, a middle and the last page, and the one behind it, at the largest limit with three of them. */
    async tour() {
      const length = await exactLength()
      if (length === 0) skip('needs an account with repositories, and the main account has none')
      // The largest at which so many items make three pages or more.
      const limit = Math.max(1, Math.min(maximum, Math.floor((length - 1) / 2)))
      const tour = await tourAt(limit, Math.ceil(length / limit))
      if (hasItems(tour.last) && !hasItems(tour.pastTheEnd)) return tour
      // The server has other pages than the limit makes.
      const items = tour.first.names?.length ?? 0
      const other = items > limit ? numberIn(tour.first, 'x-perpage') || items : limit
      return tourAt(limit, Math.ceil(length / (shownSize(tour.first, length) ?? other)))
    },

    /** Follows `next` to the end. */
    async walk(query: PageQuery, most = maxPages) {
      const names = new Set<string>()
      const pages: RepositoryPage[] = []
      let end = await page(query)
      for (;;) {
        pages.push(end)
        const before = names.size
        for (const name of end.names ?? []) names.add(name)
        const next = end.links.targets.get('next')
        // Given up on a page that has nothing new, or after as many as are allowed.
        const endless = next !== undefined && names.size === before
        const cut = next !== undefined && !endless && pages.length >= most
        if (next === undefined || endless || cut) return { pages, end, names, endless, cut }
        end = await follow(end, next)
      }
    },
  }
}
