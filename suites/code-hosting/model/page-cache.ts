import { skip } from '../../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { ListTruncatedError } from '../../../lib/conformance/lists.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
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

export function numberIn({ headers }: Pick<Exchange, 'headers'>, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

/** Sender of requests for pages. */
export interface Sender {
  id: string
  options: () => Promise<CallOptions>
}

/** `MAX_RESPONSE_ITEMS` of the server and `PROBE_MAX_PAGES`. */
export interface ListLimits {
  maximum: number
  maxPages: number
}

/** The pages of a list up to `maxPages`; `isComplete` if these are all. */
interface WholeList extends ListEnd {
  names: string[]
  itemsByPage: string[][]
  isComplete: boolean
}

/** The pages of the repository list of one account, each requested once. */
export class PageCache {
  readonly limits: ListLimits
  readonly #client: CodeHostingClient
  readonly #options: () => Promise<CallOptions>
  readonly #cache = new Map<string, () => Promise<unknown>>()

  constructor(
    client: CodeHostingClient,
    limits: ListLimits,
    options: () => Promise<CallOptions> = async () => ({}),
  ) {
    this.#client = client
    this.limits = limits
    this.#options = options
  }

  /** @param by a sender that differs from the sender of the list */
  query(query: PageQuery, by?: Sender): Promise<RepositoryPage> {
    return this.#readOnce(`?${JSON.stringify(query)}${by?.id ?? ''}`, async () => {
      const { priority, ...options } = await this.#callOptions()
      return by === undefined
        ? this.#client.repositories(query, { priority, ...options })
        : this.#client.repositories(query, { ...options, ...(await by.options()) })
    })
  }

  leadsBelow(target: string): boolean {
    return this.#client.leadsBelow(target)
  }

  /** Requests a target of `Link`, which names the user of a `?sudo=` itself. */
  follow(target: string, by?: Sender): Promise<RepositoryPage> {
    return this.#readOnce(`<${target}>${by?.id ?? ''}`, async () => {
      const { sudo, ...options } = { ...(await this.#callOptions()), ...(await by?.options()) }
      const field = sudo?.in === 'header' && { sudo }
      return this.#client.linkedRepositories(target, { ...options, ...field })
    })
  }

  readAll(): Promise<WholeList> {
    return this.#readOnce('everything', () => this.#readPages())
  }

  /** Returns the end of the list with few requests; undefined if it is beyond `maxPages` and unknown. */
  async end(): Promise<ListEnd | undefined> {
    const { pages: count } = await this.#reportedLength()
    // A short list is read whole, since any of its pages may have fewer items.
    if (count > 0 && count <= PAGES_AHEAD) {
      const reading = await this.readAll()
      if (reading.isComplete) return reading
    }
    const confirmed = await this.#readOnce('end', () => this.#reportedEnd())
    const reading = confirmed === undefined ? await this.readAll() : undefined
    return reading?.isComplete ? reading : confirmed
  }

  /** @param size of these pages; defaults to the maximum */
  async failTruncated(read: number, size?: number): Promise<never> {
    const found = await this.end()
    const all = found && size ? Math.ceil(found.length / size) : found?.pages
    const of = all === undefined ? '' : ` of ${all}`
    const more = all === undefined ? ', and there are more' : ''
    const text = `${read}${of} pages of the list were read${more}, and this needs all of them`
    throw new ListTruncatedError({ kind: 'settings', text, variables: ['PROBE_MAX_PAGES'] })
  }

  /** Shares a reading between checks, each of which has it as evidence. */
  #readOnce<T>(key: string, read: () => Promise<T>): Promise<T> {
    const cached = this.#cache.get(key) ?? fixture(`repositories ${key}`, read)
    this.#cache.set(key, cached)
    return cached() as Promise<T>
  }

  async #callOptions(): Promise<CallOptions> {
    return { priority: FOUNDATION_PRIORITY, ...(await this.#options()) }
  }

  #page(page: number): Promise<RepositoryPage> {
    return this.query({ page, limit: this.limits.maximum })
  }

  async #namesOn(number: number): Promise<string[]> {
    const { names, record, status, json } = await this.#page(number)
    if (names !== undefined && status === 200) return names
    // Past the end, code-hosting/pagination/past-the-end checks rejections and empty bodies.
    const isRejected = status >= 400 && status < 500
    if (number > 1 && (isRejected || (status === 200 && !Array.isArray(json)))) return []
    const actual = `${record.request.url} returned ${status} without one`
    const see = 'see code-hosting/resources/repositories'
    return skip(`needs a list of repositories, and ${actual}; ${see}`)
  }

  /** Returns `X-Total-Count` as the length of the list, and its number of pages of the size of the first. */
  async #reportedLength() {
    const size = (await this.#namesOn(1)).length
    const length = numberIn(await this.#page(1), 'x-total-count') ?? 0
    return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
  }

  /** Returns the end that `X-Total-Count` or `Link` reports, if the pages around it confirm it. */
  async #reportedEnd(): Promise<ListEnd | undefined> {
    const end = await this.#endAt((await this.#reportedLength()).pages)
    const target = (await this.#page(1)).links.targets.get('last')
    if (end !== undefined || target === undefined || !this.leadsBelow(target)) return end
    return this.#endAt(numberIn(await this.follow(target), 'x-page') ?? 0)
  }

  async #endAt(pages: number): Promise<ListEnd | undefined> {
    if (pages < 2) return undefined
    const numbers = [1, pages, pages + 1]
    const [first = [], last = [], pastTheEnd = []] = await allOrWorst(
      numbers.map((number) => this.#namesOn(number)),
    )
    // A server may return the first or the last page for a page that does not exist.
    if (last.length === 0 || sameNames(first, last)) return undefined
    if (pastTheEnd.length > 0 && !sameNames(last, pastTheEnd)) return undefined
    const shownBy = await allOrWorst(numbers.map((number) => this.#page(number)))
    return { pages, length: (pages - 1) * first.length + last.length, shownBy }
  }

  async #readPages(): Promise<WholeList> {
    const { maxPages } = this.limits
    const names = new Set<string>()
    const shownBy: RepositoryPage[] = []
    const itemsByPage: string[][] = []
    let length = 0
    const total = await this.#reportedLength()
    for (let pages = 0; ; pages += 1) {
      if (pages % PAGES_AHEAD === 0) {
        const ahead = Math.min(pages + PAGES_AHEAD, total.pages, maxPages - 1) - pages
        const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => pages + index + 2)
        await Promise.allSettled(numbers.map((number) => this.#page(number)))
      }
      const found = await this.#namesOn(pages + 1)
      shownBy.push(await this.#page(pages + 1))
      const isNew = found.some((name) => !names.has(name))
      // A server may repeat items past the end: there X-Total-Count reports no further items.
      const isComplete = found.length === 0 || (!isNew && length >= total.length)
      if (isComplete || pages === maxPages) {
        return { names: [...names], itemsByPage, length, pages, shownBy, isComplete }
      }
      for (const name of found) names.add(name)
      itemsByPage.push(found)
      length += found.length
    }
  }
}
