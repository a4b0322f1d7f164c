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
  /** How many pages there are at this limit. */
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
  /** Names on every page, asked for by number until one brings nothing new. */
  names(): Promise<string[]>
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

  /** Reads ahead as far as X-Total-Count says; what it says is not believed. */
  async function readAhead(): Promise<void> {
    const first = await page({ page: 1, limit: maximum })
    const total = Number(first.headers.get('x-total-count') ?? Number.NaN)
    if (!Number.isInteger(total) || total <= maximum || total > MOST_PAGES * maximum) return
    const pages = Math.ceil(total / maximum) + 1
    const numbers = Array.from({ length: pages - 1 }, (_, index) => index + 2)
    await Promise.allSettled(numbers.map((number) => page({ page: number, limit: maximum })))
  }

  let everyName: Promise<string[]> | undefined
  async function readEveryName(): Promise<string[]> {
    const names = new Set<string>()
    await namesOn(1)
    await readAhead()
    for (let number = 1; number <= MOST_PAGES; number += 1) {
      const before = names.size
      for (const name of await namesOn(number)) names.add(name)
      if (names.size === before) break
    }
    return [...names]
  }

  function names(): Promise<string[]> {
    everyName ??= readEveryName()
    return everyName
  }

  return {
    page,
    follow,
    names,
    read,

    async tour() {
      const { length } = await names()
      if (length === 0) skip('needs an account with repositories, and the main account has none')
      const limit = limitForThreePages(length, maximum)
      const count = Math.ceil(length / limit)
      const [first, middle, last, pastTheEnd] = await Promise.all([
        page({ page: 1, limit }),
        count > 2 ? page({ page: 2, limit }) : undefined,
        page({ page: count, limit }),
        page({ page: count + 1, limit }),
      ])
      return { limit, count, first, middle, last, pastTheEnd }
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
