import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { currentScope } from '../../../lib/conformance/evidence-scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import { expect } from './matchers.ts'
import { type ListEnd, type ListLimits, numberIn, type PageCache } from './page-cache.ts'

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
export class RepositoryList {
  readonly #reading: PageCache
  /** Pages that the check has read so far. */
  readonly inspectedPages = new Set<RepositoryPage>()

  constructor(reading: PageCache) {
    this.#reading = reading
  }

  get limits(): ListLimits {
    return this.#reading.limits
  }

  /** Reads the page of a query, once per run. */
  async page(query: PageQuery = {}): Promise<RepositoryPage> {
    return this.#recordPage(await this.#reading.query(query))
  }

  /** Reads the target of a link. Fails if it is outside the API. */
  async follow(from: RepositoryPage, target: string): Promise<RepositoryPage> {
    const actual = `Link: ${from.redact(`<${target}>`)}, which is outside the API and was not requested`
    const expected = 'a Link below CODE_HOSTING_BASE_URL'
    expect(from).toShow(this.#reading.leadsBelow(target), expected, actual, { header: 'Link' })
    return this.#recordPage(await this.#reading.follow(target))
  }

  /** Reads all pages, up to PROBE_MAX_PAGES. */
  readonly readAll = () => this.#recordCounted(this.#reading.readAll())

  /** Returns the number of items. @throws ListTruncatedError if the end is not found */
  async exactLength(): Promise<number> {
    const end = await this.#recordCounted(this.#reading.end())
    return end === undefined ? this.failTruncated((await this.readAll()).pages) : end.length
  }

  failTruncated(pages: number, size?: number): Promise<never> {
    return this.#reading.failTruncated(pages, size)
  }

  /** @throws ListTruncatedError if the list has more than PROBE_MAX_PAGES pages */
  async names(): Promise<string[]> {
    const { names, pages, isWhole } = await this.readAll()
    return isWhole ? names : this.failTruncated(pages)
  }

  /** Returns the number of items, or of the items that were read if the end is not found. */
  async length(): Promise<number> {
    return ((await this.#recordCounted(this.#reading.end())) ?? (await this.readAll())).length
  }

  /** Returns the last page with limit=1, which is full; undefined if the page is empty. */
  async fullLastPage(): Promise<RepositoryPage | undefined> {
    const last = await this.page({ page: await this.exactLength(), limit: 1 })
    return last.names?.length === 1 ? last : undefined
  }

  /** Reads the first, second and last page and the next one, at the highest limit that makes three pages. */
  async boundaryPages(): Promise<BoundaryPages> {
    const length = await this.exactLength()
    if (length === 0) skip('needs an account with repositories, and the main account has none')
    const limit = Math.max(1, Math.min(this.limits.maximum, Math.floor((length - 1) / 2)))
    const boundary = await this.#readBoundaryPages(limit, Math.ceil(length / limit))
    if (hasItems(boundary.last) && !hasItems(boundary.pastTheEnd)) return boundary
    // The server uses another page size than the limit.
    const items = boundary.first.names?.length ?? 0
    const other = items > limit ? numberIn(boundary.first, 'x-perpage') || items : limit
    const size = shownSize(boundary.first, length) ?? other
    return this.#readBoundaryPages(limit, Math.ceil(length / size))
  }

  /** Follows the links with relation type `next`, up to a number of pages. */
  async walk(query: PageQuery, maxCount = this.limits.maxPages): Promise<Walk> {
    const names = new Set<string>()
    const pages: RepositoryPage[] = []
    let end = await this.page(query)
    for (;;) {
      pages.push(end)
      const before = names.size
      for (const name of end.names ?? []) names.add(name)
      const next = end.links.targets.get('next')
      const endless = next !== undefined && names.size === before
      const cut = next !== undefined && !endless && pages.length >= maxCount
      if (next === undefined || endless || cut) return { pages, end, names, endless, cut }
      end = await this.follow(end, next)
    }
  }

  #recordPage(page: RepositoryPage): RepositoryPage {
    this.inspectedPages.add(page)
    currentScope()?.exchanges.add(page.id)
    return page
  }

  async #recordCounted<T extends ListEnd | undefined>(work: Promise<T>): Promise<T> {
    const outcome = await work
    for (const page of outcome?.shownBy ?? []) this.inspectedPages.add(page)
    return outcome
  }

  /** @param count number of pages at this limit */
  async #readBoundaryPages(limit: number, count: number): Promise<BoundaryPages> {
    const [first, middle, last, pastTheEnd] = await allOrWorst([
      this.page({ page: 1, limit }),
      count > 2 ? this.page({ page: 2, limit }) : undefined,
      this.page({ page: count, limit }),
      this.page({ page: count + 1, limit }),
    ])
    return { limit, count, first, middle, last, pastTheEnd }
  }
}
