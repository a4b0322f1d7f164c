import type {
  CallOptions,
  CodeHostingClient,
  PageQuery,
  RepositoryPage,
} from '../../services/code-hosting.ts'
import { skip } from '../outcome.ts'
import { priorities } from './priorities.ts'

/** More pages than this are not walked without being told how many there are. */
const MOST_PAGES = 2000

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
}

/** One account's repository list, read page by page; no page is asked for twice. */
export interface Listing {
  page(query?: PageQuery): Promise<RepositoryPage>
  /** Follows a target of `Link`. */
  follow(target: string): Promise<RepositoryPage>
  /** Names on every page, asked for by number until the list ends; each once. */
  names(): Promise<string[]>
  /** How many items the pages have together: one that comes twice counts twice. */
  length(): Promise<number>
  /** The last page at a limit of one, where it has its item: a last page that is full. */
  fullLastPage(): Promise<RepositoryPage | undefined>
  tour(): Promise<PageTour>
  walk(query: PageQuery): Promise<Walk>
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
  return shownSize(first, length) ?? (items > limit ? (namedSize(first) ?? items) : limit)
}

function hasItems({ names }: RepositoryPage): boolean {
  return names !== undefined && names.length > 0
}

/** Whether two pages show the same repositories, in any order. */
export function sameNames(
  { names: some }: RepositoryPage,
  { names: others }: RepositoryPage,
): boolean {
  if (some === undefined || others === undefined) return some === others
  return some.length === others.length && some.every((name) => others.includes(name))
}

export function createListing(
  client: CodeHostingClient,
  maximum: number,
  options: () => Promise<CallOptions>,
): Listing {
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
      client.repositories(query, { priority: priorities.fixtures, ...(await options()) }),
    )

  const follow = (target: string) =>
    once(target, async () =>
      client.linkedRepositories(target, { priority: priorities.fixtures, ...(await options()) }),
    )

  async function namesOn(number: number): Promise<string[]> {
    const { names, record, status, json } = await page({ page: number, limit: maximum })
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

  /** What `X-Total-Count` says, where it says a number that may be true. */
  async function toldTotal(): Promise<number> {
    const first = await page({ page: 1, limit: maximum })
    const total = Number(first.headers.get('x-total-count') ?? Number.NaN)
    return Number.isInteger(total) && total <= MOST_PAGES * maximum ? total : 0
  }

  /** Reads ahead as far as X-Total-Count says; what it says is not believed. */
  async function readAhead(): Promise<void> {
    const total = await toldTotal()
    if (total <= maximum) return
    const pages = Math.ceil(total / maximum) + 1
    const numbers = Array.from({ length: pages - 1 }, (_, index) => index + 2)
    await Promise.allSettled(numbers.map((number) => page({ page: number, limit: maximum })))
  }

  let everyName: Promise<{ names: string[]; length: number }> | undefined
  async function readEveryName(): Promise<{ names: string[]; length: number }> {
    const names = new Set<string>()
    let length = 0
    await namesOn(1)
    await readAhead()
    const total = await toldTotal()
    for (let number = 1; number <= MOST_PAGES; number += 1) {
      const before = names.size
      const found = await namesOn(number)
      for (const name of found) names.add(name)
      // A page of nothing but items that came before is one past the end, on a server that repeats
      // itself there, unless there are said to be more.
      if (found.length === 0 || (names.size === before && length >= total)) break
      length += found.length
    }
    return { names: [...names], length }
  }

  function everything(): Promise<{ names: string[]; length: number }> {
    everyName ??= readEveryName()
    return everyName
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
    page,
    follow,
    read,
    names: async () => (await everything()).names,
    length: async () => (await everything()).length,

    async fullLastPage() {
      const { length } = await everything()
      const last = await page({ page: Math.max(1, length), limit: 1 })
      return last.names?.length === 1 ? last : undefined
    },

    async tour() {
      const { length } = await everything()
      if (length === 0) skip('needs an account with repositories, and the main account has none')
      const limit = limitForThreePages(length, maximum)
      const tour = await tourAt(limit, Math.ceil(length / limit))
      if (hasItems(tour.last) && !hasItems(tour.pastTheEnd)) return tour
      const size = sizeOf(tour.first, limit, length)
      return tourAt(limit, Math.ceil(length / size))
    },

    async walk(query) {
      const visited = new Set<string>()
      const pages: RepositoryPage[] = []
      let current = await page(query)
      for (;;) {
        pages.push(current)
        const before = visited.size
        for (const name of current.names ?? []) visited.add(name)
        const next = current.links.get('next')
        if (next === undefined) return { pages, endless: false }
        if (visited.size === before) return { pages, endless: true }
        current = await follow(next)
      }
    },
  }
}
