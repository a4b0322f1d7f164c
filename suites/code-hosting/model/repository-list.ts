import { currentScope } from '../../../lib/conformance/check-scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import { expect } from '../matchers.ts'
import type { ListEnd, ListLimits, PageCache, Sender } from './page-cache.ts'

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
  /** The pages with which the others are compared. */
  readonly readingPages = new Set<RepositoryPage>()

  constructor(reading: PageCache) {
    this.#reading = reading
  }

  get limits(): ListLimits {
    return this.#reading.limits
  }

  /** Reads the page of a query, once per run. @param by a sender that differs from the sender of the list */
  async page(query: PageQuery = {}, by?: Sender): Promise<RepositoryPage> {
    return this.#recordPage(await this.#reading.query(query, by))
  }

  /** Reads the target of a link. Fails if it is outside the API. */
  async follow(from: RepositoryPage, target: string, by?: Sender): Promise<RepositoryPage> {
    const actual = `Link: ${from.redact(`<${target}>`)}, which is outside the API and was not requested`
    const expected = 'a Link below CODE_HOSTING_BASE_URL'
    expect(from).toShow(this.#reading.leadsBelow(target), expected, actual, { header: 'Link' })
    return this.#recordPage(await this.#reading.follow(target, by))
  }

  /** Reads all pages, up to PROBE_MAX_PAGES. */
  readonly readAll = () => this.#recordCounted(this.#reading.readAll())

  /** Returns the end of the list; undefined if it was not found. */
  readonly end = () => this.#recordCounted(this.#reading.end())

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
    const { names, pages, isComplete } = await this.readAll()
    return isComplete ? names : this.failTruncated(pages)
  }

  /** Returns the number of items, or of the items that were read if the end is not found. */
  async length(): Promise<number> {
    return ((await this.#recordCounted(this.#reading.end())) ?? (await this.readAll())).length
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
    for (const page of outcome?.shownBy ?? []) {
      this.inspectedPages.add(page)
      this.readingPages.add(page)
    }
    return outcome
  }
}
