import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from '../client.ts'

/** Maximum number of pages that are requested ahead and concurrently. */
const PAGES_AHEAD = 10

/** Priority of requests on which other requests depend; most requests have 0. */
export const FOUNDATION_PRIORITY = 50

/** The end of a list, at the maximum limit. */
export interface ListEnd {
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
export interface ListLimits {
  maximum: number
  maxPages: number
}

/** The pages of a list up to `maxPages`; `isWhole` if these are all. */
export interface WholeList extends ListEnd {
  names: string[]
  itemsByPage: string[][]
  isWhole: boolean
}

/** The pages of the repository list of one account, each requested once. */
interface Pages {
  readonly limits: ListLimits
  query(query: PageQuery): Promise<RepositoryPage>
  leadsBelow(target: string): boolean
  follow(target: string): Promise<RepositoryPage>
}

export interface PageCache extends Pages {
  readAll(): Promise<WholeList>
  /** Returns the end of the list with few requests; undefined if it is beyond `maxPages` and unknown. */
  end(): Promise<ListEnd | undefined>
  /** @param size of these pages; defaults to the maximum */
  failTruncated(pages: number, size?: number): Promise<never>
}

const pageOf = (list: Pages, page: number) => list.query({ page, limit: list.limits.maximum })

async function namesOn(list: Pages, number: number): Promise<string[]> {
  const { names, record, status, json } = await pageOf(list, number)
  if (names !== undefined && status === 200) return names
  // Past the end, code-hosting/pagination/past-the-end checks rejections and empty bodies.
  const isRejected = status >= 400 && status < 500
  if (number > 1 && (isRejected || (status === 200 && !Array.isArray(json)))) return []
  const actual = `${record.request.url} returned ${status} without one`
  const see = 'see code-hosting/resources/repositories'
  return skip(`needs a list of repositories, and ${actual}; ${see}`)
}

/** Returns `X-Total-Count` as the length of the list, and its number of pages of the size of the first. */
async function reportedLength(list: Pages) {
  const size = (await namesOn(list, 1)).length
  const length = numberIn(await pageOf(list, 1), 'x-total-count') ?? 0
  return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
}

async function endAt(list: Pages, pages: number): Promise<ListEnd | undefined> {
  if (pages < 2) return undefined
  const numbers = [1, pages, pages + 1]
  const [first = [], last = [], pastTheEnd = []] = await allOrWorst(
    numbers.map((number) => namesOn(list, number)),
  )
  // A server may return the first or the last page for a page that does not exist.
  if (last.length === 0 || sameNames(first, last)) return undefined
  if (pastTheEnd.length > 0 && !sameNames(last, pastTheEnd)) return undefined
  const shownBy = await allOrWorst(numbers.map((number) => pageOf(list, number)))
  return { pages, length: (pages - 1) * first.length + last.length, shownBy }
}

/** Returns the end that `X-Total-Count` or `Link` reports, if the pages around it confirm it. */
async function reportedEnd(list: Pages): Promise<ListEnd | undefined> {
  const end = await endAt(list, (await reportedLength(list)).pages)
  const target = (await pageOf(list, 1)).links.targets.get('last')
  if (end !== undefined || target === undefined || !list.leadsBelow(target)) return end
  return endAt(list, numberIn(await list.follow(target), 'x-page') ?? 0)
}

async function readPages(list: Pages): Promise<WholeList> {
  const { maxPages } = list.limits
  const names = new Set<string>()
  const shownBy: RepositoryPage[] = []
  const itemsByPage: string[][] = []
  let length = 0
  const total = await reportedLength(list)
  for (let pages = 0; ; pages += 1) {
    if (pages % PAGES_AHEAD === 0) {
      const ahead = Math.min(pages + PAGES_AHEAD, total.pages, maxPages - 1) - pages
      const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => pages + index + 2)
      await Promise.allSettled(numbers.map((number) => pageOf(list, number)))
    }
    const found = await namesOn(list, pages + 1)
    shownBy.push(await pageOf(list, pages + 1))
    const isNew = found.some((name) => !names.has(name))
    // A server may repeat items past the end: there X-Total-Count reports no further items.
    const isWhole = found.length === 0 || (!isNew && length >= total.length)
    if (isWhole || pages === maxPages) {
      return { names: [...names], itemsByPage, length, pages, shownBy, isWhole }
    }
    for (const name of found) names.add(name)
    itemsByPage.push(found)
    length += found.length
  }
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

  const pages: Pages = {
    limits,
    leadsBelow: client.leadsBelow,
    query: (query) =>
      readOnce(`?${JSON.stringify(query)}`, () =>
        send((options) => client.repositories(query, options)),
      ),
    follow: (target) =>
      readOnce(`<${target}>`, () => send((options) => client.linkedRepositories(target, options))),
  }

  const readAll = () => readOnce('everything', () => readPages(pages))

  async function end(): Promise<ListEnd | undefined> {
    const { pages: count } = await reportedLength(pages)
    // A short list is read whole, since any of its pages may have fewer items.
    if (count > 0 && count <= PAGES_AHEAD) {
      const reading = await readAll()
      if (reading.isWhole) return reading
    }
    const confirmed = await readOnce('end', () => reportedEnd(pages))
    const reading = confirmed === undefined ? await readAll() : undefined
    return reading?.isWhole ? reading : confirmed
  }

  return {
    ...pages,
    readAll,
    end,

    async failTruncated(read, size) {
      const found = await end()
      const all = found && size ? Math.ceil(found.length / size) : found?.pages
      const of = all === undefined ? '' : ` of ${all}`
      const more = all === undefined ? ', and there are more' : ''
      const text = `${read}${of} pages of the list were read${more}, and this needs all of them`
      throw new ListTruncatedError({ kind: 'settings', text, variables: ['PROBE_MAX_PAGES'] })
    },
  }
}
