import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { currentScope } from '../../../lib/conformance/evidence-scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import { expect } from './matchers.ts'
import {
  type ListEnd,
  type ListLimits,
  numberIn,
  type PageCache,
  type WholeList,
} from './page-cache.ts'

/** Returns the number of items on a first page; undefined if these are all items of the list. */
export function shownSize({ names = [] }: RepositoryPage, length: number): number | undefined {
  return names.length > 0 && names.length < length ? names.length : undefined
}

const hasItems = ({ names = [] }: RepositoryPage) => names.length > 0

/** The first, second and last page at a limit that makes `count` pages, and the next one. */
export interface BoundaryPages {
  limit: number
  count: number
  first: RepositoryPage
  middle: RepositoryPage | undefined
  last: RepositoryPage
  pastTheEnd: RepositoryPage
}

/** Pages that links with relation type `next` connect. */
export interface Walk {
  pages: RepositoryPage[]
  end: RepositoryPage
  names: ReadonlySet<string>
  /** True if a link leads to pages without further items. */
  endless: boolean
  /** True if there are more pages than were requested. */
  cut: boolean
}

/** The view of one check on a shared reading, with the pages on which its verdict is based. */
export interface RepositoryList {
  readonly limits: ListLimits
  /** Pages that the check has read so far. */
  readonly inspectedPages: ReadonlySet<RepositoryPage>
  /** Reads the page of a query, once per run. */
  page(query?: PageQuery): Promise<RepositoryPage>
  /** Reads the target of a link. Fails if it is outside the API. */
  follow(from: RepositoryPage, target: string): Promise<RepositoryPage>
  /** Reads all pages, up to PROBE_MAX_PAGES. */
  readAll(): Promise<WholeList>
  /** Returns the number of items. @throws ListTruncatedError if the end is not found */
  exactLength(): Promise<number>
  failTruncated(pages: number, size?: number): Promise<never>
  /** @throws ListTruncatedError if the list has more than PROBE_MAX_PAGES pages */
  names(): Promise<string[]>
  /** Returns the number of items, or of the items that were read if the end is not found. */
  length(): Promise<number>
  /** Returns the last page with limit=1, which is full; undefined if the page is empty. */
  fullLastPage(): Promise<RepositoryPage | undefined>
  /** Reads the first, second and last page and the next one, at the highest limit that makes three pages. */
  boundaryPages(): Promise<BoundaryPages>
  /** Follows the links with relation type `next`, up to a number of pages. */
  walk(query: PageQuery, maxCount?: number): Promise<Walk>
}

export function createRepositoryList(
  reading: PageCache,
  inspected = new Set<RepositoryPage>(),
): RepositoryList {
  const { maximum, maxPages } = reading.limits

  function recordPage(page: RepositoryPage): RepositoryPage {
    inspected.add(page)
    currentScope()?.exchanges.add(page.id)
    return page
  }

  async function recordCounted<T extends ListEnd | undefined>(work: Promise<T>): Promise<T> {
    const outcome = await work
    for (const page of outcome?.shownBy ?? []) inspected.add(page)
    return outcome
  }

  const page = async (query: PageQuery = {}) => recordPage(await reading.query(query))

  async function follow(from: RepositoryPage, target: string): Promise<RepositoryPage> {
    const actual = `Link: ${from.redact(`<${target}>`)}, which is outside the API and was not requested`
    const expected = 'a Link below CODE_HOSTING_BASE_URL'
    expect(from).toShow(reading.leadsBelow(target), expected, actual, { header: 'Link' })
    return recordPage(await reading.follow(target))
  }

  const readAll = () => recordCounted(reading.readAll())

  async function exactLength(): Promise<number> {
    const end = await recordCounted(reading.end())
    return end === undefined ? reading.failTruncated((await readAll()).pages) : end.length
  }

  /** @param count number of pages at this limit */
  async function readBoundaryPages(limit: number, count: number) {
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
    inspectedPages: inspected as ReadonlySet<RepositoryPage>,
    page,
    follow,
    readAll,
    exactLength,
    failTruncated: reading.failTruncated,

    async names() {
      const { names, pages, isWhole } = await readAll()
      return isWhole ? names : reading.failTruncated(pages)
    },

    length: async () => ((await recordCounted(reading.end())) ?? (await readAll())).length,

    async fullLastPage() {
      const last = await page({ page: await exactLength(), limit: 1 })
      return last.names?.length === 1 ? last : undefined
    },

    async boundaryPages() {
      const length = await exactLength()
      if (length === 0) skip('needs an account with repositories, and the main account has none')
      const limit = Math.max(1, Math.min(maximum, Math.floor((length - 1) / 2)))
      const boundary = await readBoundaryPages(limit, Math.ceil(length / limit))
      if (hasItems(boundary.last) && !hasItems(boundary.pastTheEnd)) return boundary
      // The server uses another page size than the limit.
      const items = boundary.first.names?.length ?? 0
      const other = items > limit ? numberIn(boundary.first, 'x-perpage') || items : limit
      return readBoundaryPages(
        limit,
        Math.ceil(length / (shownSize(boundary.first, length) ?? other)),
      )
    },

    async walk(query, maxCount = maxPages) {
      const names = new Set<string>()
      const pages: RepositoryPage[] = []
      let end = await page(query)
      for (;;) {
        pages.push(end)
        const before = names.size
        for (const name of end.names ?? []) names.add(name)
        const next = end.links.targets.get('next')
        const endless = next !== undefined && names.size === before
        const cut = next !== undefined && !endless && pages.length >= maxCount
        if (next === undefined || endless || cut) return { pages, end, names, endless, cut }
        end = await follow(end, next)
      }
    },
  }
}
