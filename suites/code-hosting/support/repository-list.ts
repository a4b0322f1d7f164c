import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { currentScope } from '../../../lib/conformance/evidence-scope.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'
import { expect } from './matchers.ts'

/** Maximum number of pages that are requested ahead and concurrently. */
const PAGES_AHEAD = 10

/** Priority of requests on which other requests depend; most requests have 0. */
export const FOUNDATION_PRIORITY = 50

/** The end of a list, at the maximum limit. */
interface ListEnd {
  /** Number of pages that have items. */
  pages: number
  /** Number of items, duplicates included. */
  length: number
  /** The pages that show the end. */
  shownBy: readonly RepositoryPage[]
}

/** Returns true if both lists have the same names in any order. */
export function sameNames(some?: readonly string[], others?: readonly string[]): boolean {
  const names = new Set(others)
  return some?.length === others?.length && (some ?? []).every((name) => names.has(name))
}

export function numberIn({ headers }: RepositoryPage, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

/** `MAX_RESPONSE_ITEMS` of the server and `PROBE_MAX_PAGES`. */
interface ListLimits {
  maximum: number
  maxPages: number
}

/** The pages of a list up to `maxPages`; `isWhole` if these are all. */
interface WholeList extends ListEnd {
  names: string[]
  itemsByPage: string[][]
  isWhole: boolean
}

/** Reads the repository list of one account, each page once. */
export interface PageCache {
  readonly limits: ListLimits
  query(query: PageQuery): Promise<RepositoryPage>
  leadsBelow(target: string): boolean
  follow(target: string): Promise<RepositoryPage>
  readAll(): Promise<WholeList>
  /** Returns the end of the list with few requests; undefined if it is beyond `maxPages` and unknown. */
  end(): Promise<ListEnd | undefined>
  /** @param size of these pages; defaults to the maximum */
  failTruncated(pages: number, size?: number): Promise<never>
}

export function createPageCache(
  client: CodeHostingClient,
  limits: ListLimits,
  options: () => Promise<CallOptions>,
): PageCache {
  const cache = new Map<string, () => Promise<unknown>>()

  /** Shares a reading between checks, each of which has it as evidence. */
  function readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
    const cached = cache.get(key) ?? fixture(`repositories ${key}`, read)
    cache.set(key, cached)
    return cached() as Promise<T>
  }

  const send = async (request: (options: CallOptions) => Promise<RepositoryPage>) =>
    request({ priority: FOUNDATION_PRIORITY, ...(await options()) })

  const query = (query: PageQuery) =>
    readOnce(`?${JSON.stringify(query)}`, () =>
      send((options) => client.repositories(query, options)),
    )

  const { leadsBelow } = client

  const follow = (target: string) =>
    readOnce(`<${target}>`, () => send((options) => client.linkedRepositories(target, options)))

  const page = (number: number) => query({ page: number, limit: limits.maximum })

  async function namesOn(number: number): Promise<string[]> {
    const { names, record, status, json } = await page(number)
    if (names !== undefined && status === 200) return names
    // Past the end, code-hosting/pagination/past-the-end checks rejections and empty bodies.
    const isRejected = status >= 400 && status < 500
    if (number > 1 && (isRejected || (status === 200 && !Array.isArray(json)))) return []
    const actual = `${record.request.url} returned ${status} without one`
    const see = 'see code-hosting/resources/repositories'
    return skip(`needs a list of repositories, and ${actual}; ${see}`)
  }

  /** Returns `X-Total-Count` as the length of the list, and its number of pages of the size of the first. */
  async function reportedLength() {
    const size = (await namesOn(1)).length
    const length = numberIn(await page(1), 'x-total-count') ?? 0
    return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
  }

  /** Returns the end of the list if this page is the last one. */
  async function endAt(pages: number): Promise<ListEnd | undefined> {
    if (pages < 2) return undefined
    const numbers = [1, pages, pages + 1]
    const [first = [], last = [], pastTheEnd = []] = await allOrWorst(numbers.map(namesOn))
    // A server may return the first or the last page for a page that does not exist.
    if (last.length === 0 || sameNames(first, last)) return undefined
    if (pastTheEnd.length > 0 && !sameNames(last, pastTheEnd)) return undefined
    const shownBy = await allOrWorst(numbers.map(page))
    return { pages, length: (pages - 1) * first.length + last.length, shownBy }
  }

  /** Returns the end that `X-Total-Count` or `Link` reports, if the pages around it confirm it. */
  async function reportedEnd(): Promise<ListEnd | undefined> {
    const end = await endAt((await reportedLength()).pages)
    const target = (await page(1)).links.targets.get('last')
    if (end !== undefined || target === undefined || !leadsBelow(target)) return end
    return endAt(numberIn(await follow(target), 'x-page') ?? 0)
  }

  /** Reads pages until the list ends or the maximum number of pages is reached. */
  async function readPages() {
    const names = new Set<string>()
    const shownBy: RepositoryPage[] = []
    const itemsByPage: string[][] = []
    let length = 0
    const total = await reportedLength()
    for (let pages = 0; ; pages += 1) {
      if (pages % PAGES_AHEAD === 0) {
        const ahead = Math.min(pages + PAGES_AHEAD, total.pages, limits.maxPages - 1) - pages
        const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => pages + index + 2)
        await Promise.allSettled(numbers.map(page))
      }
      const found = await namesOn(pages + 1)
      shownBy.push(await page(pages + 1))
      const isNew = found.some((name) => !names.has(name))
      // A server may repeat items past the end: there X-Total-Count reports no further items.
      const isWhole = found.length === 0 || (!isNew && length >= total.length)
      if (isWhole || pages === limits.maxPages) {
        return { names: [...names], itemsByPage, length, pages, shownBy, isWhole }
      }
      for (const name of found) names.add(name)
      itemsByPage.push(found)
      length += found.length
    }
  }

  const readAll = () => readOnce('everything', readPages)

  async function end(): Promise<ListEnd | undefined> {
    const { pages } = await reportedLength()
    // A short list is read whole, since any of its pages may have fewer items.
    if (pages > 0 && pages <= PAGES_AHEAD) {
      const reading = await readAll()
      if (reading.isWhole) return reading
    }
    const confirmed = await readOnce('end', reportedEnd)
    const reading = confirmed === undefined ? await readAll() : undefined
    return reading?.isWhole ? reading : confirmed
  }

  return {
    limits,
    query,
    leadsBelow,
    follow,
    readAll,
    end,

    async failTruncated(pages: number, size?: number): Promise<never> {
      const found = await end()
      const all = found && size ? Math.ceil(found.length / size) : found?.pages
      const of = all === undefined ? '' : ` of ${all}`
      const more = all === undefined ? ', and there are more' : ''
      const text = `${pages}${of} pages of the list were read${more}, and this needs all of them`
      throw new ListTruncatedError({ kind: 'settings', text, variables: ['PROBE_MAX_PAGES'] })
    },
  }
}

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

  /** Records the counted pages as evidence. */
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

    async names(): Promise<string[]> {
      const { names, pages, isWhole } = await readAll()
      return isWhole ? names : reading.failTruncated(pages)
    },

    length: async () => ((await recordCounted(reading.end())) ?? (await readAll())).length,

    async fullLastPage(): Promise<RepositoryPage | undefined> {
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

    async walk(query: PageQuery, maxCount = maxPages) {
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
