import { skip } from '../../../lib/conformance/outcome.ts'
import { currentScope } from '../../../lib/conformance/scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import { numberIn, type PageReading } from './page-reading.ts'

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
  /** The last of them. */
  end: RepositoryPage
  names: Set<string>
  /** Given up on a page that had nothing new and still named a `next`. */
  endless: boolean
  /** Given up after as many pages as were allowed, the last of which names a `next`. */
  cut: boolean
}

/**
 * The page size that the first page of a list shows: its number of items, where the list has more.
 * `undefined` for all that there is, on which pages of any size look alike.
 */
export function shownSize({ names = [] }: RepositoryPage, length: number): number | undefined {
  return names.length > 0 && names.length < length ? names.length : undefined
}

const hasItems = ({ names = [] }: RepositoryPage) => names.length > 0

export type Listing = ReturnType<typeof createListing>

/**
 * A list as one check uses it: the reading is shared, and what it has seen, on which its verdict
 * rests, is its own.
 */
export function createListing(reading: PageReading, seen = new Set<RepositoryPage>()) {
  const { maximum, maxPages } = reading.limits

  function see(page: RepositoryPage): RepositoryPage {
    seen.add(page)
    currentScope()?.exchanges.add(page.id)
    return page
  }

  /** What rests on how many items there are rests on the pages that were counted. */
  async function counted<T>(work: Promise<T>): Promise<T> {
    const outcome = await work
    for (const page of reading.read) seen.add(page)
    return outcome
  }

  const page = async (query: PageQuery = {}) => see(await reading.query(query))
  const follow = async (target: string) => see(await reading.follow(target))

  /** Every page, asked for by number, as far as the list may be read: it need not be to its end. */
  const known = () => counted(reading.everything())

  /** @throws CutShort where the end is not found */
  async function exactLength(): Promise<number> {
    const end = await counted(reading.end())
    return end === undefined ? reading.cutShort((await known()).pages) : end.length
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
    limits: reading.limits,
    read: reading.read as readonly RepositoryPage[],
    page,
    follow,
    known,
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

    async tour(): Promise<PageTour> {
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

    async walk(query: PageQuery, most = maxPages): Promise<Walk> {
      const names = new Set<string>()
      const pages: RepositoryPage[] = []
      let end = await page(query)
      for (;;) {
        pages.push(end)
        const before = names.size
        for (const name of end.names ?? []) names.add(name)
        const next = end.links.get('next')
        const endless = next !== undefined && names.size === before
        const cut = next !== undefined && !endless && pages.length >= most
        if (next === undefined || endless || cut) return { pages, end, names, endless, cut }
        end = await follow(next)
      }
    },
  }
}
