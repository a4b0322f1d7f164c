import { Inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'

/** Of more pages than this, the last one is looked at before all of them are asked for. */
const FEW_PAGES = 10

/** Where the search for the end of a list is given up. */
const FARTHEST_PAGE = 2 ** 20

/** Above 0, where most requests begin: what other requests need is sent before them. */
export const FOUNDATION_PRIORITY = 50

/** How a list is read. */
interface ReadingLimits {
  /** Most items that a page holds: `MAX_RESPONSE_ITEMS` of the server. */
  maximum: number
  /** Most pages that are read to see the whole of a list: `PROBE_MAX_PAGES`. */
  maxPages: number
}

/** What the pages of a list have, asked for by number. */
export interface Reading {
  /** Each once. */
  names: string[]
  /** How many items there were: one that comes twice counts twice. */
  length: number
  /** How many pages had items. */
  pages: number
  /** Whether the list ended there. */
  isWhole: boolean
}

/** Where a list ends, at the largest limit. */
type ListEnd = Pick<Reading, 'pages' | 'length'>

/** Ends a check that needs the whole of a list which is longer than may be read. */
export class CutShort extends Inconclusive {}

/** Whether two pages show the same repositories, in any order. */
export function sameNames(some?: readonly string[], others?: readonly string[]): boolean {
  const known = new Set(others)
  return some?.length === others?.length && (some ?? []).every((name) => known.has(name))
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What a header field says, where it is a number. */
export function numberIn({ headers }: RepositoryPage, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

export type PageReading = ReturnType<typeof createPageReading>

/**
 * Reads one account's repository list, page by page or by page numbers at the largest limit. No page is
 * asked for twice.
 */
export function createPageReading(
  client: CodeHostingClient,
  limits: ReadingLimits,
  options: () => Promise<CallOptions>,
) {
  /** In the order in which they came. */
  const read: RepositoryPage[] = []
  const asked = new Map<string, Promise<RepositoryPage>>()

  function once(
    key: string,
    ask: (options: CallOptions) => Promise<RepositoryPage>,
  ): Promise<RepositoryPage> {
    async function request(): Promise<RepositoryPage> {
      const page = await ask({ priority: FOUNDATION_PRIORITY, ...(await options()) })
      read.push(page)
      return page
    }
    const known = asked.get(key) ?? request()
    asked.set(key, known)
    return known
  }

  const query = (query: PageQuery) =>
    once(`?${JSON.stringify(query)}`, (options) => client.repositories(query, options))

  /** Follows a target of `Link`. */
  const follow = (target: string) =>
    once(target, (options) => client.linkedRepositories(target, options))

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

  async function reportedTotal(): Promise<number> {
    return numberIn(await page(1), 'x-total-count') ?? 0
  }

  /** How many pages `X-Total-Count` makes of such as the first; 0 where it tells nothing. */
  async function reportedPages(): Promise<number> {
    const { length } = await namesOn(1)
    return length === 0 ? 0 : Math.ceil((await reportedTotal()) / length)
  }

  async function isLast(number: number): Promise<boolean> {
    // Of a single page there is nothing to tell that reading it does not show.
    if (number < 2 || number > FARTHEST_PAGE) return false
    const [first, last, behind] = await Promise.all([1, number, number + 1].map(namesOn))
    if (last === undefined || last.length === 0) return false
    // A server may give the first page, or the last one, for any other that it does not have.
    if (sameNames(first, last)) return false
    return behind?.length === 0 || sameNames(last, behind)
  }

  async function endAt(pages: number): Promise<ListEnd> {
    const [first, last] = await Promise.all([namesOn(1), namesOn(pages)])
    return { pages, length: (pages - 1) * first.length + last.length }
  }

  /** What is reported of the end is believed once the last page is seen to be the last. */
  const reportedEnd = lazily(async (): Promise<ListEnd | undefined> => {
    const reported = await reportedPages()
    if (await isLast(reported)) return endAt(reported)
    const target = (await page(1)).links.get('last')
    if (target === undefined) return undefined
    const linked = numberIn(await follow(target), 'x-page') ?? 0
    return (await isLast(linked)) ? endAt(linked) : undefined
  })

  /** Pages ever farther away, and then ever nearer to the end between two of them. */
  async function searchEnd(known: number): Promise<ListEnd | undefined> {
    let last = known
    let behind = known * 2
    while ((await namesOn(behind)).length > 0) {
      last = behind
      behind *= 2
      if (behind > FARTHEST_PAGE) return undefined
    }
    while (behind - last > 1) {
      const between = Math.floor((last + behind) / 2)
      if ((await namesOn(between)).length > 0) last = between
      else behind = between
    }
    return (await isLast(last)) ? endAt(last) : undefined
  }

  /** Asks for the pages up to the one behind the end, as far as they may be read. */
  async function readAhead(end: ListEnd | undefined): Promise<void> {
    const reported = await reportedPages()
    const pages = reported > FEW_PAGES ? (end?.pages ?? 0) : reported
    const last = Math.min(pages + 1, limits.maxPages)
    const numbers = Array.from({ length: Math.max(0, last - 1) }, (_, index) => index + 2)
    await Promise.allSettled(numbers.map(page))
  }

  /** Page after page, until the list ends or no more pages may be read. */
  const everything = lazily(async (): Promise<Reading> => {
    const names = new Set<string>()
    let length = 0
    const [reported, total] = await Promise.all([reportedPages(), reportedTotal()])
    const end = reported > FEW_PAGES ? await reportedEnd() : undefined
    await readAhead(end)
    for (let number = 1; ; number += 1) {
      const pages = number - 1
      const isCut = pages >= limits.maxPages
      if (isCut && end !== undefined && end.pages > pages) {
        return { names: [...names], length, pages, isWhole: false }
      }
      const found = await namesOn(number)
      const isNew = found.some((name) => !names.has(name))
      // A page of nothing but items that came before is one past the end, on a server that repeats
      // itself there, unless there are said to be more.
      const isBehind = found.length === 0 || (!isNew && length >= total)
      if (isBehind || isCut) return { names: [...names], length, pages, isWhole: isBehind }
      for (const name of found) names.add(name)
      length += found.length
    }
  })

  /**
   * Where the list ends. Of a long list no more is read than shows it; `undefined` where it cannot
   * be found.
   */
  const end = lazily(async (): Promise<ListEnd | undefined> => {
    const reported = await reportedPages()
    const found = reported > FEW_PAGES ? await reportedEnd() : undefined
    if (found !== undefined) return found
    const reading = await everything()
    if (reading.isWhole) return reading
    return (await reportedEnd()) ?? searchEnd(reading.pages)
  })

  return {
    limits,
    read,
    query,
    follow,
    everything,
    end,

    /**
     * Where all of the list is needed, and this many of its pages were read.
     *
     * @param size items on each of those pages; as many as at the largest limit unless it says others
     */
    async cutShort(pages: number, size?: number): Promise<never> {
      const found = await end()
      const all = found && size ? Math.ceil(found.length / size) : found?.pages
      const read =
        all === undefined
          ? `${pages} pages of the list were read, and there are more`
          : `${pages} of ${all} pages of the list were read`
      throw new CutShort(`PROBE_MAX_PAGES is ${limits.maxPages}: ${read}; this needs all of them`)
    },
  }
}
