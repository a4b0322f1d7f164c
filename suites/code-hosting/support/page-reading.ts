import { Inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'

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
}

/** What the pages of a list have, asked for by number. */
interface Reading extends ListEnd {
  /** Each once. */
  names: string[]
  /** Whether the list ended there. */
  isWhole: boolean
}

/** Ends a check that needs the whole of a list which is longer than may be read. */
export class CutShort extends Inconclusive {}

/** In any order. */
export function sameNames(some?: readonly string[], others?: readonly string[]): boolean {
  const known = new Set(others)
  return some?.length === others?.length && (some ?? []).every((name) => known.has(name))
}

export function numberIn({ headers }: RepositoryPage, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

export type PageReading = ReturnType<typeof createPageReading>

/** Reads one account's repository list. No page is asked for twice. */
export function createPageReading(
  client: CodeHostingClient,
  /** `MAX_RESPONSE_ITEMS` of the server and `PROBE_MAX_PAGES`. */
  limits: { maximum: number; maxPages: number },
  options: () => Promise<CallOptions>,
) {
  /** In the order in which they came. */
  const read: RepositoryPage[] = []
  const made = new Map<string, Promise<unknown>>()

  function once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known as Promise<T>
  }

  async function ask(request: (options: CallOptions) => Promise<RepositoryPage>) {
    const page = await request({ priority: FOUNDATION_PRIORITY, ...(await options()) })
    read.push(page)
    return page
  }

  const query = (query: PageQuery) =>
    once(`?${JSON.stringify(query)}`, () => ask((options) => client.repositories(query, options)))

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
    return skip(
      `needs a list of repositories, and ${record.request.url} answered ${status} without one; ` +
        'see code-hosting/resources/repositories',
    )
  }

  /** What `X-Total-Count` tells of, and how many pages it makes of such as the first. */
  async function reported(): Promise<ListEnd> {
    const size = (await namesOn(1)).length
    const length = numberIn(await page(1), 'x-total-count') ?? 0
    return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
  }

  /** The end, where this page is seen to be the last one. */
  async function endAt(pages: number): Promise<ListEnd | undefined> {
    // Of a single page there is nothing to tell that reading it does not show.
    if (pages < 2) return undefined
    const numbers = [1, pages, pages + 1]
    const [first = [], last = [], behind = []] = await Promise.all(numbers.map(namesOn))
    // A server may give the first page, or the last one, for any other that it does not have.
    if (last.length === 0 || sameNames(first, last)) return undefined
    if (behind.length > 0 && !sameNames(last, behind)) return undefined
    return { pages, length: (pages - 1) * first.length + last.length }
  }

  /** What `X-Total-Count` or `Link` tells of the end is believed once it is seen to be one. */
  async function reportedEnd(): Promise<ListEnd | undefined> {
    const end = await endAt((await reported()).pages)
    const target = (await page(1)).links.get('last')
    if (end !== undefined || target === undefined) return end
    return endAt(numberIn(await follow(target), 'x-page') ?? 0)
  }

  /** Page after page, until the list ends or no more pages may be read. */
  async function readPages(): Promise<Reading> {
    const names = new Set<string>()
    let length = 0
    const total = await reported()
    for (let pages = 0; ; pages += 1) {
      if (pages % PAGES_AHEAD === 0) {
        const ahead = Math.min(pages + PAGES_AHEAD, total.pages, limits.maxPages - 1) - pages
        const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => pages + index + 2)
        await Promise.allSettled(numbers.map(page))
      }
      const found = await namesOn(pages + 1)
      const isNew = found.some((name) => !names.has(name))
      // A page of nothing but items that came before is one past the end, on a server that repeats
      // itself there, unless there are said to be more.
      const isWhole = found.length === 0 || (!isNew && length >= total.length)
      if (isWhole || pages === limits.maxPages) return { names: [...names], length, pages, isWhole }
      for (const name of found) names.add(name)
      length += found.length
    }
  }

  const everything = () => once('everything', readPages)

  /**
   * Where the list ends. No more of it is read than shows that; `undefined` where it has more pages than
   * may be read, and nothing tells truly how many.
   */
  async function end(): Promise<ListEnd | undefined> {
    const found = await once('end', reportedEnd)
    const reading = found === undefined ? await everything() : undefined
    return reading?.isWhole ? reading : found
  }

  return {
    limits,
    read,
    query,
    follow,
    everything,
    end,

    /** Where all of the list is needed, and this many of its pages were read. */
    async cutShort(pages: number): Promise<never> {
      const all = (await end())?.pages
      const of = all === undefined ? '' : ` of ${all}`
      const more = all === undefined ? ', and there are more' : ''
      const read = `${pages}${of} pages of the list were read${more}`
      throw new CutShort(`PROBE_MAX_PAGES is ${limits.maxPages}: ${read}; this needs all of them`)
    },
  }
}
