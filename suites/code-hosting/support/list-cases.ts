import { isDeepStrictEqual } from 'node:util'
import type { Arbitrary } from 'fast-check'
import { checkSample, type FastCheck } from '../../../lib/conformance/check-sample.ts'
import { allOrWorst, each } from '../../../lib/conformance/each.ts'
import { note } from '../../../lib/conformance/evidence-scope.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import {
  areItemsOf,
  type ExpectedPage,
  expectedPage,
  lastPage,
  pageSize,
  type ReadList,
} from '../model/pages.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { isListPage } from './exchange-filters.ts'
import { expect } from './matchers.ts'
import type { RepositoryList } from './repository-list.ts'

/** A limit and a page as sent. Many exceed the safe integers. */
type ListCase = Readonly<Record<keyof PageQuery, string>>

/** The documented rule that determines the page size. */
export type LimitKind = 'honoured' | 'lowered' | 'not positive'

/** Integers at the boundaries of 31, 32, 53 and 63 bits; some overflow into the valid range. */
const LARGE_LIMITS = [2n ** 31n - 1n, 2n ** 31n, 2n ** 32n + 1n, 2n ** 53n, 2n ** 63n - 1n]
const SMALL_LIMITS = [-(2n ** 31n) - 1n, 1n - 2n ** 32n, -(2n ** 53n), 1n - 2n ** 63n]

const texts = (numbers: readonly bigint[]) => numbers.map(String)

/** Page numbers far after the last page, and far before the first. */
export const farPages = {
  pastTheEnd: texts([2n ** 31n - 1n, 2n ** 31n, 2n ** 32n + 2n, 2n ** 53n - 1n]),
  belowOne: texts([-(2n ** 31n) - 1n, 2n - 2n ** 32n, 1n - 2n ** 53n]),
}

/** Integers beyond the documented ranges, for which only a server error deviates. */
export const beyondBounds = {
  limits: texts([2n ** 63n, 10n ** 30n]),
  negativeLimits: texts([-(10n ** 30n)]),
  pages: texts([2n ** 53n, 2n ** 63n]),
  negativePages: texts([-(2n ** 63n) - 1n]),
}

/** Number of sampled pages by kind of limit. */
const SAMPLED: Readonly<Record<LimitKind, number>> = { honoured: 5, lowered: 1, 'not positive': 1 }

/** Minimum number of pages with several items that show an order. */
const MIN_ORDERED_PAGES = 3

/** Returns no names for a page that is too large to be read. */
const namesOf = (page: RepositoryPage): readonly string[] =>
  page.leastElements === undefined ? (page.names ?? []) : []

interface ComparedPage {
  query: ListCase
  page: RepositoryPage
  expected: ExpectedPage
  known: ReadList
}

/** Returns the limits of each kind of which a sample is drawn. */
function sampledLimits(fc: FastCheck, maximum: bigint): Record<LimitKind, Arbitrary<bigint>> {
  const above = maximum + 1n
  return {
    honoured: fc.bigInt(1n, maximum),
    lowered: fc.oneof(fc.bigInt(above, maximum * 4n), fc.bigInt(above, 2n ** 63n - 1n)),
    'not positive': fc.oneof(fc.bigInt(-maximum, 0n), fc.bigInt(1n - 2n ** 63n, 0n)),
  }
}

/** Reads the list once; returns undefined if it is empty or repeats items. */
async function readOnce(list: RepositoryList): Promise<ReadList | undefined> {
  const { names, length, itemsByPage, isWhole } = await list.readAll()
  if (names.length === length && length > 0) return { itemsByPage, isWhole }
  note('Pages at other limits were not compared: the list is empty or repeats items.')
  return undefined
}

/** Compares pages with the list as it was read once, at boundaries and for a seeded sample. */
export class ListCases {
  readonly #settings: CodeHostingSettings
  readonly #boundaryLimits: Readonly<Record<LimitKind, readonly bigint[]>>

  constructor(settings: CodeHostingSettings) {
    const maximum = BigInt(settings.maxResponseItems)
    this.#settings = settings
    this.#boundaryLimits = {
      honoured: [maximum - 1n].filter((limit) => limit > 0n),
      lowered: [maximum + 1n, ...LARGE_LIMITS].filter((limit) => limit > maximum),
      'not positive': [0n, -1n, ...SMALL_LIMITS],
    }
  }

  /** Expects the documented items, with limits of one kind. */
  async expectItems(list: RepositoryList, kind: LimitKind): Promise<void> {
    const known = await readOnce(list)
    if (known === undefined) return
    let ordered: Promise<boolean> | undefined
    // Called only if needed: pages without an awaiting check would be evidence or not by chance.
    const isOrdered = () => {
      ordered ??= this.#hasOrder(list, known)
      return ordered
    }
    await this.#checkCases(known, [kind], async (query) => {
      const compared = await this.#compare(list, known, query)
      if (compared === undefined) return
      const { page, expected, isMatching, isInOrder } = compared
      expect(page).toHaveStatus(200)
      // A page with all items shows no size.
      if (expected.number === 1 && !expected.hasMore) {
        expect(page).toHaveHeaderWherePresent('X-PerPage', expected.size)
      }
      const holds = isMatching && (isInOrder || !(await isOrdered()))
      expect(page).toHoldPage(expected.items, expected.offset, holds)
    })
  }

  /** Expects a link of a page to lead to the page that its relation type names. */
  async expectLinked(
    list: RepositoryList,
    { query, page, expected, known }: ComparedPage,
  ): Promise<void> {
    const links = [...expected.links].filter(([relation]) => page.links.targets.has(relation))
    // Boundary pages use their first link, next, since its target was usually read before.
    const isHonoured = this.#kindOf(query.limit) === 'honoured'
    const index = isHonoured ? Number(query.limit) + Number(query.page) : 0
    const [relation, number] = links[index % links.length] ?? []
    const target = relation && page.links.targets.get(relation)
    const linked = expectedPage(known, { ...query, page: number }, this.#settings)
    if (target === undefined || linked === undefined) return
    const followed = await list.follow(page, target)
    const holds = areItemsOf(known, linked, namesOf(followed))
    expect(followed).toHoldPage(linked.items, linked.offset, holds)
  }

  /** Runs a check for each page with the expected items; the requirements on limits cover the others. */
  async forEach(list: RepositoryList, check: (compared: ComparedPage) => unknown): Promise<void> {
    const known = await readOnce(list)
    if (known === undefined) return
    await this.#checkCases(known, this.#allKinds(), async (query) => {
      const compared = await this.#compare(list, known, query)
      if (compared?.isMatching) await check({ query, known, ...compared })
    })
  }

  #allKinds(): LimitKind[] {
    const { maxResponseItems, defaultPagingNum } = this.#settings
    // The document does not say whether a default above the maximum is lowered.
    return defaultPagingNum > maxResponseItems
      ? ['honoured', 'lowered']
      : ['honoured', 'lowered', 'not positive']
  }

  #kindOf(limit: string): LimitKind {
    if (Number(limit) <= 0) return 'not positive'
    return Number(limit) > this.#settings.maxResponseItems ? 'lowered' : 'honoured'
  }

  /** Returns a case with a page number modulo the number of pages. */
  #caseOf(list: ReadList, limit: bigint, number: number): ListCase {
    const pages = lastPage(list, pageSize(String(limit), this.#settings))
    return { limit: String(limit), page: String(1 + (number % pages)) }
  }

  /** Returns each limit with a number among its first three pages. */
  #boundaryCases(list: ReadList, kinds: readonly LimitKind[]): ListCase[] {
    return kinds.flatMap((kind) =>
      this.#boundaryLimits[kind].map((limit, index) => this.#caseOf(list, limit, (index + 1) % 3)),
    )
  }

  #parse(text: string, kind: LimitKind): ListCase | undefined {
    const [, limit, page] = /^limit=(-?\d{1,40})&page=(\d{1,15})$/.exec(text) ?? []
    if (limit === undefined || page === undefined) return undefined
    return this.#kindOf(limit) === kind ? { limit, page } : undefined
  }

  /** Checks boundary cases and a sample concurrently. */
  async #checkCases(
    list: ReadList,
    kinds: readonly LimitKind[],
    check: (query: ListCase) => Promise<void>,
  ): Promise<void> {
    const maximum = BigInt(this.#settings.maxResponseItems)
    const samples = kinds.map((kind) =>
      checkSample({
        count: SAMPLED[kind],
        arbitrary: (fc) =>
          fc
            .tuple(fc.noBias(sampledLimits(fc, maximum)[kind]), fc.noBias(fc.nat()))
            .map(([limit, number]) => this.#caseOf(list, limit, number)),
        format: ({ limit, page }) => `limit=${limit}&page=${page}`,
        parse: (text) => this.#parse(text, kind),
        check,
      }),
    )
    await allOrWorst([each(this.#boundaryCases(list, kinds), check), ...samples])
  }

  async #compare(list: RepositoryList, known: ReadList, query: ListCase) {
    const expected = expectedPage(known, query, this.#settings)
    // A sample of an earlier run may be past the end by now.
    if (expected === undefined || expected.items.length === 0) return undefined
    const page = await list.page(query)
    const names = namesOf(page)
    return {
      page,
      expected,
      isMatching: isListPage(page) && areItemsOf(known, expected, names),
      isInOrder: isDeepStrictEqual(names, expected.items),
    }
  }

  /** Returns true if the boundary pages all have the order of the list. */
  async #hasOrder(list: RepositoryList, known: ReadList): Promise<boolean> {
    const queries = this.#boundaryCases(known, this.#allKinds())
    const pages = await Promise.allSettled(
      queries.map((query) => this.#compare(list, known, query)),
    )
    const several = pages.flatMap((page) => {
      const result = page.status === 'fulfilled' ? page.value : undefined
      return result?.isMatching && result.expected.items.length > 1 ? [result] : []
    })
    return several.length >= MIN_ORDERED_PAGES && several.every(({ isInOrder }) => isInOrder)
  }
}
