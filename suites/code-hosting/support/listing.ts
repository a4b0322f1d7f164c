import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'
import { createPageReading, type Reading, type ReadingLimits } from './page-reading.ts'

/** Above 0, where most requests begin: what other requests need is sent before them. */
export const FOUNDATION_PRIORITY = 50

/** The pages of a repository list on both sides of its ends. */
export interface PageTour {
  limit: number
  /** How many pages there are at this limit. Where it is not honoured, the first one shows it. */
  count: number
  first: RepositoryPage
  /** Absent with fewer than three pages. */
  middle?: RepositoryPage
  /** The first page again when it is the only one. */
  last: RepositoryPage
  pastTheEnd: RepositoryPage
}

/** What following `next` came to. */
export interface Walk {
  pages: RepositoryPage[]
  /** The walk was given up on a page that had nothing new and still named a `next`. */
  endless: boolean
  /** The walk was given up after as many pages as were allowed, the last of which names a `next`. */
  cut: boolean
}

/** One account's repository list, read page by page; no page is asked for twice. */
export interface Listing {
  readonly limits: ReadingLimits
  page(query?: PageQuery): Promise<RepositoryPage>
  /** Follows a target of `Link`. */
  follow(target: string): Promise<RepositoryPage>
  /**
   * Names on every page, asked for by number until the list ends; each once.
   *
   * @throws CutShort when the list has more pages than may be read
   */
  names(): Promise<string[]>
  /** The same as far as the list may be read, which need not be to its end. */
  known(): Promise<Reading>
  /**
   * How many items the pages have together: one that comes twice counts twice. Of a long list only
   * the ends are read; where the end is not found, it is what the pages that were read have.
   */
  length(): Promise<number>
  /** @throws Inconclusive where the end is not found */
  exactLength(): Promise<number>
  /** The last page at a limit of one, where it has its item: a last page that is full. */
  fullLastPage(): Promise<RepositoryPage | undefined>
  tour(): Promise<PageTour>
  /** @param most pages after which the walk is given up; as many as may be read unless it says less */
  walk(query: PageQuery, most?: number): Promise<Walk>
  /** @throws CutShort which tells how many such pages were read, and how many there are if known */
  cutShort(pages: number, size?: number): Promise<never>
  /** Every page read so far, in the order in which they came. */
  readonly read: readonly RepositoryPage[]
}

/**
 * The largest limit up to the maximum at which `count` items make three pages or more; with fewer
 * than three items, 1.
 */
function limitForThreePages(count: number, maximum: number): number {
  return Math.max(1, Math.min(maximum, Math.floor((count - 1) / 2)))
}

/** What `X-PerPage` says, where it says a number. */
export function namedSize({ headers }: RepositoryPage): number | undefined {
  const field = headers.get('x-perpage')
  return field !== null && /^\d+$/.test(field.trim()) ? Number(field) : undefined
}

/**
 * The page size that the first page of a list shows: its number of items, where the list has more.
 * `undefined` for all that there is, on which pages of any size look alike.
 */
export function shownSize({ names }: RepositoryPage, length: number): number | undefined {
  return names !== undefined && names.length > 0 && names.length < length ? names.length : undefined
}

/** The same for a server that has other pages than the limit makes. */
function sizeOf(first: RepositoryPage, limit: number, length: number): number {
  const items = first.names?.length ?? 0
  return shownSize(first, length) ?? (items > limit ? namedSize(first) || items : limit)
}

function hasItems({ names }: RepositoryPage): boolean {
  return names !== undefined && names.length > 0
}

export function createListing(
  client: CodeHostingClient,
  limits: ReadingLimits,
  options: () => Promise<CallOptions>,
): Listing {
  const { maximum, maxPages } = limits
  const read: RepositoryPage[] = []
  const asked = new Map<string, Promise<RepositoryPage>>()

  function once(key: string, ask: () => Promise<RepositoryPage>): Promise<RepositoryPage> {
    const known =
      asked.get(key) ??
      ask().then((page) => {
        read.push(page)
        return page
      })
    asked.set(key, known)
    return known
  }

  const page = (query: PageQuery = {}) =>
    once(`?${JSON.stringify(query)}`, async () =>
      client.repositories(query, { priority: FOUNDATION_PRIORITY, ...(await options()) }),
    )

  const follow = (target: string) =>
    once(target, async () =>
      client.linkedRepositories(target, { priority: FOUNDATION_PRIORITY, ...(await options()) }),
    )

  const reading = createPageReading(
    limits,
    (number) => page({ page: number, limit: maximum }),
    follow,
  )

  async function exactLength(): Promise<number> {
    const end = await reading.end()
    if (end !== undefined) return end.length
    const { pages } = await reading.everything()
    return inconclusive(`the list has no end that could be found: ${pages} pages of it were read`)
  }

  async function tourAt(limit: number, count: number): Promise<PageTour> {
    const [first, middle, last, pastTheEnd] = await Promise.all([
      page({ page: 1, limit }),
      count > 2 ? page({ page: 2, limit }) : undefined,
      page({ page: count, limit }),
      page({ page: count + 1, limit }),
    ])
    return { limit, count, first, middle, last, pastTheEnd }
  }

  return {
    limits,
    page,
    follow,
    read,
    known: reading.everything,

    async names() {
      const { names, pages, isWhole } = await reading.everything()
      if (!isWhole) throw await reading.cutShort(pages)
      return names
    },

    async cutShort(pages, size) {
      throw await reading.cutShort(pages, size)
    },

    exactLength,
    length: async () => ((await reading.end()) ?? (await reading.everything())).length,

    async fullLastPage() {
      const length = await exactLength()
      const last = await page({ page: Math.max(1, length), limit: 1 })
      return last.names?.length === 1 ? last : undefined
    },

    async tour() {
      const length = await exactLength()
      if (length === 0) skip('needs an account with repositories, and the main account has none')
      const limit = limitForThreePages(length, maximum)
      const tour = await tourAt(limit, Math.ceil(length / limit))
      if (hasItems(tour.last) && !hasItems(tour.pastTheEnd)) return tour
      const size = sizeOf(tour.first, limit, length)
      return tourAt(limit, Math.ceil(length / size))
    },

    async walk(query, most = maxPages) {
      const visited = new Set<string>()
      const pages: RepositoryPage[] = []
      let current = await page(query)
      for (;;) {
        pages.push(current)
        const before = visited.size
        for (const name of current.names ?? []) visited.add(name)
        const next = current.links.get('next')
        if (next === undefined) return { pages, endless: false, cut: false }
        if (visited.size === before) return { pages, endless: true, cut: false }
        if (pages.length >= most) return { pages, endless: false, cut: true }
        current = await follow(next)
      }
    },
  }
}
