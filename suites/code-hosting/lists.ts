/** Lists of repositories: as they are read before and after a page is judged, their pages, and their links. */
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Inconclusive, Skip, skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { currentScope, fixture, fixtureFor, runWith } from '../../lib/conformance/check-scope.ts'
import { isFailedExpectation } from '../../lib/conformance/deviations.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { getOrCreate } from '../../lib/text/group-by.ts'
import type { CallOptions, CodeHostingClient, PageQuery, RepositoryPage } from './client.ts'
import { FOUNDATION_PRIORITY, hasName } from './client.ts'
import {
  byAdmin,
  byOther,
  type Case,
  caseOf,
  cross,
  idOf,
  isPublicOnly,
  type LimitKind,
  limits,
  pages,
  userOf,
} from './levels.ts'
import { expect, isOfTheService } from './matchers.ts'
import type { CodeHostingSettings, CodeHostingTarget, SuppliedRequest } from './variables.ts'

/** Maximum number of pages that are requested ahead and concurrently. */
const PAGES_AHEAD = 10

export const movingData = {
  'moving-data': 'The list may change while it is being read; it is then read again.',
}

export type PageSizes = Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'>

/** Thrown for a list that shows an item twice, which may have moved meanwhile. */
class RepeatingListError extends Skip {}

/** Returns a whole number in a header field; undefined without one. */
export function numberIn({ headers }: Pick<Exchange, 'headers'>, name: string): number | undefined {
  const field = headers.get(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(field) ? Number(field) : undefined
}

/** Returns true if both lists have the same names in any order. */
export function sameNames(some?: readonly string[], others?: readonly string[]): boolean {
  const [names, all] = [new Set(others), new Set(some)]
  const isSame = some?.length === others?.length && all.size === names.size
  return isSame && [...all].every((name) => names.has(name))
}

/** Returns true for a list of the documented endpoint, even a list that is too large to be read. */
export const isRepositoryPage = (exchange: Exchange) =>
  exchange.request.endpoint === 'GET /api/v1/user/repos' &&
  exchange.status === 200 &&
  // Read last: a body may be too large.
  (exchange.minLength !== undefined || Array.isArray(exchange.json))

export const namesOf = (page: RepositoryPage): readonly string[] =>
  page.minLength === undefined ? (page.names ?? []) : []

/** Returns the documented page size for a value of `limit`. */
function pageSize(limit: PageQuery['limit'], sizes: PageSizes): number {
  const requested = Number(limit ?? 0)
  return requested > 0 ? Math.min(requested, sizes.maxResponseItems) : sizes.defaultPagingNum
}

/** Returns the query of a page of a list with this number of items; by default a list of two full pages. */
export function queryOf(
  { limit, page }: Case,
  settings: PageSizes,
  length = 2 * settings.maxResponseItems,
): PageQuery {
  const size = limits[limit].value({ ...settings, length })?.toString()
  const count = Math.max(1, Math.ceil(length / pageSize(size, settings)))
  const number = pages[page].value(count)?.toString()
  return { ...(size && { limit: size }), ...(number && { page: number }) }
}

/** Returns the queries of a second page, and of a limit above the maximum. */
export const tokenPages = ({ maxResponseItems }: CodeHostingSettings) =>
  [
    { limit: 1, page: 2 },
    { limit: maxResponseItems + 1, page: 1 },
  ] as const

/** The documented content of a page. */
interface ExpectedPage {
  /** X-Page */
  number: number
  /** X-PerPage */
  size: number
  /** Number of items on the pages before it. */
  offset: number
  items: readonly string[]
  /** X-HasMore */
  hasMore: boolean
  /** Number of pages; undefined if the end of the list was not found. */
  count: number | undefined
}

/** The page of a case, compared with the list as it was read. */
export interface ComparedPage {
  one: Case
  query: PageQuery
  page: RepositoryPage
  expected: ExpectedPage
  list: List
  /** True if the page has exactly the expected items, in their order if the list has one. */
  isMatching: boolean
  /** True if all its items are of the list, and there are some if there should be. */
  isOfList: boolean
  /** True if they are also its first items, so that it is the first page of some size. */
  isStart: boolean
  /** Options of the sender, for requests that follow its links. */
  options: () => Promise<CallOptions>
}

/** A list as it was read once, with the maximum limit, up to `PROBE_MAX_PAGES`. */
export interface List {
  reading: Reading
  /** Its pages, and the one after them. */
  shownBy: readonly RepositoryPage[]
  itemsByPage: readonly (readonly string[])[]
  /** Number of items; undefined unless all pages were read. */
  length: number | undefined
  names: ReadonlySet<string>
  /** True if an item is on two pages. */
  isRepeating: boolean
}

/** `maxResponseItems` of the server and `PROBE_MAX_PAGES`. */
interface ListLimits {
  maximum: number
  maxPages: number
}

/** @param read number of pages */
export function failTruncated(read: number): never {
  const text = `${read} pages of the list were read, and there are more, and this needs all of them`
  throw new Inconclusive({ kind: 'settings', text, variables: ['PROBE_MAX_PAGES'] })
}

/** A reading of a list by one sender; each of its pages is requested once. */
export class Reading {
  readonly limits: ListLimits
  readonly #client: CodeHostingClient
  readonly #options: () => Promise<CallOptions>

  constructor(client: CodeHostingClient, limits: ListLimits, options: () => Promise<CallOptions>) {
    this.#client = client
    this.limits = limits
    this.#options = options
  }

  readonly page = (query: PageQuery = {}): Promise<RepositoryPage> =>
    this.#once(`?${JSON.stringify(query)}`, async () =>
      this.#client.repositories(query, await this.#callOptions()),
    )

  /** Reads the target of a link. Fails if it is outside the API. @param by options of another sender */
  async follow(
    from: RepositoryPage,
    target: string,
    by?: () => Promise<CallOptions>,
  ): Promise<RepositoryPage> {
    const actual = `Link: ${from.redact(`<${target}>`)}, which is outside the API and was not requested`
    const isBelow = this.#client.leadsBelow(target)
    expect(from).toShow(isBelow, 'a Link below CODE_HOSTING_BASE_URL', actual, { header: 'Link' })
    const { sudo, ...options } = { ...(await this.#callOptions()), ...(await by?.()) }
    // A link names the user of a `?sudo=` itself.
    const field = sudo?.in === 'header' && { sudo }
    const key = JSON.stringify([target, options, field])
    return this.#once(`<${key}>`, () =>
      this.#client.linkedRepositories(target, { ...options, ...field }),
    )
  }

  /** Reads all pages, up to PROBE_MAX_PAGES. */
  readonly all = fixture('list', () => this.#readPages())

  /** @throws Inconclusive if the list has more than PROBE_MAX_PAGES pages */
  async requireComplete(): Promise<void> {
    const { length, itemsByPage } = await this.all()
    if (length === undefined) failTruncated(itemsByPage.length)
  }

  /**
   * Follows the links with relation type `next`, up to a number of pages. `isEndless`: one leads to a page without
   * further items; `isCut`: there are more pages.
   */
  async walk(query: PageQuery, maxCount: number) {
    const names = new Set<string>()
    const pages: RepositoryPage[] = []
    let end = await this.page(query)
    for (;;) {
      pages.push(end)
      const before = names.size
      for (const name of end.names ?? []) names.add(name)
      const next = end.links.targets.get('next')
      const isEndless = next !== undefined && names.size === before
      const isCut = next !== undefined && !isEndless && pages.length >= maxCount
      if (next === undefined || isEndless || isCut) return { pages, end, names, isEndless, isCut }
      end = await this.follow(end, next)
    }
  }

  /** Reads a page once, also if each reading sends its requests again. */
  readonly #once = fixtureFor(
    'repositories',
    (_key: string, read: () => Promise<RepositoryPage>): Promise<RepositoryPage> => read(),
  )

  async #callOptions(): Promise<CallOptions> {
    return { priority: FOUNDATION_PRIORITY, ...(await this.#options()) }
  }

  readonly #page = (page: number) => this.page({ page, limit: this.limits.maximum })

  async #namesOn(number: number): Promise<string[]> {
    const { names, record, status, json } = await this.#page(number)
    if (names !== undefined && status === 200) return names
    // Past the end, code-hosting/pagination/past-the-end judges rejections and empty bodies.
    const isRejected = status >= 400 && status < 500
    if (number > 1 && (isRejected || (status === 200 && !Array.isArray(json)))) return []
    return skip(`${record.request.url} returned no list of repositories (status ${status})`)
  }

  /** Returns X-Total-Count as the length of the list, and its number of pages of the size of the first. */
  async #reportedLength() {
    const size = (await this.#namesOn(1)).length
    const length = numberIn(await this.#page(1), 'x-total-count') ?? 0
    return { length, pages: size === 0 ? 0 : Math.ceil(length / size) }
  }

  async #readPages(): Promise<List> {
    const { maxPages } = this.limits
    const names = new Set<string>()
    const shownBy: RepositoryPage[] = []
    const itemsByPage: (readonly string[])[] = []
    let length = 0
    const total = await this.#reportedLength()
    for (let read = 0; ; read += 1) {
      if (read % PAGES_AHEAD === 0) {
        const ahead = Math.min(read + PAGES_AHEAD, total.pages, maxPages - 1) - read
        const numbers = Array.from({ length: Math.max(0, ahead) }, (_, index) => read + index + 2)
        await Promise.allSettled(numbers.map(this.#page))
      }
      const found = await this.#namesOn(read + 1)
      shownBy.push(await this.#page(read + 1))
      const isNew = found.some((name) => !names.has(name))
      // A server may repeat items past the end: there X-Total-Count reports no further items.
      const isComplete = found.length === 0 || (!isNew && length >= total.length)
      if (isComplete || read === maxPages) {
        return {
          ...{ reading: this, shownBy, itemsByPage, names },
          length: isComplete ? length : undefined,
          isRepeating: names.size < length,
        }
      }
      for (const name of found) names.add(name)
      itemsByPage.push(found)
      length += found.length
    }
  }
}

/** Returns true if these are the items of a page, in any order within each page that was read. */
export function areItemsOf(
  { itemsByPage }: List,
  { items, offset }: ExpectedPage,
  actual: readonly string[],
): boolean {
  const actualNames = new Set(actual)
  if (actualNames.size !== items.length || actual.length !== items.length) return false
  let start = 0
  return itemsByPage.every((names) => {
    const from = Math.max(offset, start)
    const to = Math.min(offset + items.length, start + names.length)
    start += names.length
    return names.filter((name) => actualNames.has(name)).length === Math.max(0, to - from)
  })
}

/** The owner of the list that a case shows; a token with `public-only` has its own list. */
export type Owner = 'main' | 'other' | 'admin' | 'public-only'

export const ownerOf = (one: Case): Owner =>
  isPublicOnly(one) ? 'public-only' : (userOf(one) as Owner)

/** The sender that reads a list, and shows its order. */
const readers: Readonly<Record<Owner, Partial<Case>>> = {
  main: {},
  other: byOther,
  admin: byAdmin,
  'public-only': { sentAs: 'Bearer', scopes: 'read+public-only' },
}

/** A view of a list, and the pages that were requested meanwhile. */
interface Round {
  owner: Owner
  list: () => Promise<List>
  isFresh: boolean
  /** Requests the page of a case once. */
  compare: (id: string, one: Case) => Promise<ComparedPage>
  isOrdered?: Promise<boolean>
  /** True once the list is read again. */
  isClosed?: boolean
  next?: Promise<Round>
}

/** Minimum number of pages that show an order. */
const MIN_ORDERED_PAGES = 3
/** Maximum share of pages in another order: a list with an order may have a page that is wrong. */
const MAX_UNORDERED = 0.2
/** Number of times that a deviation must be seen again, and of times that a list may change meanwhile. */
const CONFIRMATIONS = 2
const MAX_CHANGES = 3
/** Maximum number of deviations of a check that are judged again. */
const MAX_CONFIRMED = 5
/** Time in which judgments share a reading. */
const GATHERING_MS = 50

interface ListsParts {
  client: CodeHostingClient
  settings: CodeHostingSettings
  maxPages: number
  /** Options of the sender of a case. */
  optionsOf(one: Case): Promise<CallOptions>
}

/** Returns true for an outcome that another list may change; not for a missing field, which no change of items explains. */
function mayPass(error: unknown): boolean {
  if (!isFailedExpectation(error)) return error instanceof RepeatingListError
  const { exchange, reads } = error
  const name = reads !== undefined && 'header' in reads ? reads.header : undefined
  return name === undefined || name === 'Link' || exchange?.headers.has(name) !== false
}

function failChanging(text: string): never {
  throw new Inconclusive({ kind: 'changing data', text: `the list of repositories ${text}` })
}

/** The lists of the accounts, and the pages of cases compared with them. */
export class Lists {
  readonly #parts: ListsParts
  readonly #shared = new Map<Owner, Round>()
  readonly #open = new Map<Owner, Round>()
  /** The first deviations of each check, which are judged again. */
  readonly #confirming = new WeakMap<object, Promise<unknown>[]>()
  /** The rounds whose list had changed when it was read again. */
  readonly #changed = new Set<Round>()

  constructor(parts: ListsParts) {
    this.#parts = parts
  }

  /** Returns the list that the current judgment compares pages with. */
  list(owner: Owner): Promise<List> {
    return this.#round(owner).list()
  }

  /** Returns a new reading of a list. */
  readonly reading = (owner: Owner, fresh: boolean): Reading => {
    const { client, settings, maxPages, optionsOf } = this.#parts
    const limits = { maximum: settings.maxResponseItems, maxPages }
    const sender = caseOf(readers[owner])
    return new Reading(client, limits, async () => ({
      ...(await optionsOf(sender)),
      ...(fresh && { fresh }),
    }))
  }

  /** @throws Skip if the list of the main account does not show a repository either */
  async requireListed(name: string): Promise<void> {
    const { reading, names } = await this.list('main')
    if (hasName(names, name)) return
    await reading.requireComplete()
    skipWithoutControl(`the list of the main account does not show ${name} either`)
  }

  /**
   * Returns a judgment of a list. A deviation is judged again, with the list as it was read before and after;
   * if these differ, nothing follows from the deviation. The first deviations of a check decide about its others.
   *
   * @throws Inconclusive if the list changes each time, or the deviation does not occur again
   */
  async stable<T>(owner: Owner, judge: () => Promise<T>): Promise<T> {
    const round = this.#round(owner)
    const [first] = await Promise.allSettled([runWith(round, judge)])
    if (first.status === 'fulfilled') return first.value
    const { reason } = first
    if (!mayPass(reason)) throw reason
    const scope = currentScope() ?? this
    const others = getOrCreate(this.#confirming, scope, () => [])
    if (others.length >= MAX_CONFIRMED) {
      const outcomes = await Promise.allSettled(others)
      const isConfirmed = outcomes.some((one) => 'reason' in one && isFailedExpectation(one.reason))
      if (isConfirmed) throw reason
    }
    const confirming = this.#confirm(owner, judge, round, reason)
    others.push(confirming)
    return confirming
  }

  /** Returns a judgment of a response that is not sent again; if it deviates, with the list as it is read then. */
  async latest<T>(owner: Owner, judge: () => Promise<T>): Promise<T> {
    return judge().catch((error: unknown) => {
      if (!isFailedExpectation(error)) throw error
      return runWith(this.#newRound(owner, true), judge)
    })
  }

  async #confirm<T>(
    owner: Owner,
    judge: () => Promise<T>,
    first: Round,
    reason: unknown,
  ): Promise<T> {
    let failed = first
    let seen = 0
    while (this.#changesOf(owner) < MAX_CHANGES) {
      const round = this.#openRound(owner)
      const [outcome] = await Promise.allSettled([runWith(round, judge)])
      // The list was read again before the judgment ended.
      if (round.isClosed) continue
      const after = await this.#close(round)
      const lists = [round.list(), after.list()] as const
      const [before, now] = await Promise.all(lists).catch((error: unknown) => {
        // A list that cannot be read changes nothing about a request that is rejected twice.
        const isRejected =
          'reason' in outcome &&
          isFailedExpectation(outcome.reason) &&
          (outcome.reason.exchange?.status ?? 0) >= 400
        throw isRejected ? outcome.reason : error
      })
      if (!isSameList(before, now)) {
        seen = 0
        this.#changed.add(round)
        continue
      }
      if (outcome.status === 'fulfilled') {
        this.#shared.set(owner, round)
        const isExplained = !isSameList(await failed.list(), await round.list())
        if (isExplained || !isFailedExpectation(reason)) return outcome.value
        failChanging('may have changed: the deviation did not occur when it was read again')
      }
      if (mayPass(outcome.reason)) {
        seen += 1
        failed = round
        // A list that changed in this run may change back before it is read.
        if (seen < CONFIRMATIONS * (1 + this.#changesOf(owner))) continue
      }
      throw outcome.reason
    }
    return failChanging('changed while it was read')
  }

  readonly #changesOf = (owner: Owner) =>
    [...this.#changed].filter((round) => round.owner === owner).length

  /** Sends the request for the page of a case, and compares it with the list. @throws Skip if the list is unknown there */
  compare(one: Case): Promise<ComparedPage> {
    return this.#round(ownerOf(one)).compare(idOf(one), one)
  }

  /** Returns the page for a query; undefined if nothing is known about it. */
  expected({ itemsByPage, length }: List, query: PageQuery): ExpectedPage | undefined {
    const names = itemsByPage.flat()
    const size = pageSize(query.limit, this.#parts.settings)
    const number = Math.max(1, Number(query.page ?? 1))
    const offset = (number - 1) * size
    const items = names.slice(offset, offset + size)
    if (length === undefined && offset + size > names.length) return undefined
    const count = length === undefined ? undefined : Math.max(1, Math.ceil(length / size))
    const hasMore = count === undefined || number < count
    return { number, size, offset, items, hasMore, count }
  }

  /** Returns true if the items of a page may belong to another place: nothing shows the order of the list. */
  async isUnclear({ expected: { items }, list, one }: ComparedPage): Promise<boolean> {
    return (
      items.length < list.names.size && !(await this.#isOrdered(this.#round(ownerOf(one)), list))
    )
  }

  #round(owner: Owner): Round {
    const current = currentScope()?.state as Round | undefined
    if (current?.owner === owner) return current
    return getOrCreate(this.#shared, owner, () => this.#newRound(owner, false))
  }

  #newRound(owner: Owner, isFresh: boolean): Round {
    const compare = fixtureFor('page', (_id: string, one: Case) => this.#compare(one, round))
    const { all: list } = this.reading(owner, isFresh)
    const round: Round = { owner, list, isFresh, compare }
    return round
  }

  /** Returns the round in which deviations are judged again; it begins with a new reading of the list. */
  #openRound(owner: Owner): Round {
    return getOrCreate(this.#open, owner, () => this.#newRound(owner, true))
  }

  /** Ends a round with a new reading, which begins the next one. Judgments of the same moment share it. */
  #close(round: Round): Promise<Round> {
    round.next ??= delay(GATHERING_MS).then(async () => {
      round.isClosed = true
      const next = this.#newRound(round.owner, true)
      this.#open.set(round.owner, next)
      await next.list().catch(() => {})
      return next
    })
    return round.next
  }

  async #compare(one: Case, round: Round): Promise<ComparedPage> {
    const compared = await this.#compareUnordered(one, round)
    if (!compared.isMatching || isInOrder(compared)) return compared
    return { ...compared, isMatching: !(await this.#isOrdered(round, compared.list)) }
  }

  async #compareUnordered(one: Case, round: Round): Promise<ComparedPage> {
    const { client, settings, optionsOf } = this.#parts
    const list = await round.list()
    const query = queryOf(one, settings, list.length ?? list.names.size)
    const expected = this.expected(list, query)
    if (expected === undefined) return skip('the list was not read up to this page')
    const options = () => optionsOf(one)
    const fresh = round.isFresh && { fresh: true }
    const page = await client.repositories(query, { ...(await options()), ...fresh })
    page.request.cases?.add(idOf(one))
    const shown = namesOf(page)
    const isPage = isRepositoryPage(page)
    const start = list.itemsByPage.flat().slice(0, shown.length)
    const isSome = shown.length > 0 || expected.items.length === 0
    const isKnown = isSome && shown.every((name) => list.names.has(name))
    return {
      ...{ one, query, page, expected, list, options },
      isMatching: isPage && areItemsOf(list, expected, shown),
      isOfList: isPage && (list.length === undefined || isKnown),
      isStart: isPage && (list.length === undefined || (isKnown && sameNames(shown, start))),
    }
  }

  /** Returns true if pages of other sizes have the order of the list, except a page that may be wrong. */
  #isOrdered(round: Round, list: List): Promise<boolean> {
    round.isOrdered ??= this.#showsOrder(round, list)
    return round.isOrdered
  }

  async #showsOrder(round: Round, list: List): Promise<boolean> {
    // Too short to show an order; nothing is requested for it.
    if (list.names.size <= this.#parts.settings.defaultPagingNum) return false
    // By one sender, whichever case comes first.
    const cases = cross({
      ...{ resource: ['repositories'], by: [readers[round.owner]] },
      ...{ limit: ['absent', '0', '2'], page: ['1', '2'] },
    })
    const comparing = cases.map((one) => this.#compareUnordered(one, round))
    const several = (await Promise.allSettled(comparing)).flatMap((outcome) => {
      if (outcome.status === 'rejected') return []
      const { isMatching, expected } = outcome.value
      const { length } = expected.items
      // A page with all items of the first page shows no order of the list.
      const isPart = length > 1 && length < (list.itemsByPage[0]?.length ?? 0)
      return isMatching && isPart ? [outcome.value] : []
    })
    const others = several.filter((compared) => !isInOrder(compared))
    return several.length >= MIN_ORDERED_PAGES && others.length <= MAX_UNORDERED * several.length
  }
}

const isInOrder = ({ page, expected: { items } }: ComparedPage) =>
  isDeepStrictEqual(namesOf(page), items)

function isSameList(one: List, other: List): boolean {
  const total = ({ shownBy: [first] }: List) => first?.headers.get('x-total-count') ?? null
  return (
    total(one) === total(other) &&
    one.length === other.length &&
    one.itemsByPage.length === other.itemsByPage.length &&
    one.itemsByPage.every((names, index) => sameNames(names, other.itemsByPage[index]))
  )
}

/** @throws Skip for a list that shows an item twice */
export function requireDistinctItems({ isRepeating }: List): void {
  if (isRepeating) throw new RepeatingListError({ kind: 'missing', text: 'the list repeats items' })
}

export const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

function isBeyond(value: string | null, bits: bigint): boolean {
  if (value === null || !/^-?\d+$/.test(value)) return false
  const bound = 2n ** bits
  return BigInt(value) >= bound || BigInt(value) <= -bound
}

/** Returns true if the page and limit of a query are within the documented ranges. */
const hasStatedQuery = ({ request: { url } }: Exchange) =>
  !isBeyond(url.searchParams.get('page'), 53n) && !isBeyond(url.searchParams.get('limit'), 63n)

/** Returns true for a page of a list of other things than repositories: of tokens, or with a field of pages. */
function isOtherList(exchange: Exchange, target: CodeHostingTarget): boolean {
  const { request, status, headers, links, minLength } = exchange
  const { endpoint, method, url } = request
  const { baseUrl, largeTree, tokenList } = target
  const isAt = (supplied?: SuppliedRequest) =>
    supplied !== undefined && new URL(baseUrl + supplied.path).pathname === url.pathname
  if (endpoint !== undefined || method !== 'GET' || status !== 200) return false
  // The Git trees API has its own page size.
  if (isAt(largeTree) || !isOfTheService(exchange)) return false
  // Read last: a body may be too large.
  if (!url.href.startsWith(`${baseUrl}/api/v1/`)) return false
  if (minLength === undefined && !Array.isArray(exchange.json)) return false
  // Pages that are not of lists may have links of other relations.
  const isPage = PAGINATION_HEADERS.some((name) => name !== 'Link' && headers.has(name))
  return isAt(tokenList) || isPage || links.targets.has('next') || links.targets.has('prev')
}

/** Returns true for a page of any list whose query parameters are within the documented ranges. */
export const isListPage = (exchange: Exchange, { target }: { target: CodeHostingTarget }) =>
  (isRepositoryPage(exchange) || isOtherList(exchange, target)) && hasStatedQuery(exchange)

/** Returns the requested page of a list; undefined for a page that the document does not state. */
export function requestedPage({ request: { url } }: Exchange, settings: PageSizes) {
  const { searchParams } = url
  const number = searchParams.get('page')
  const limit = searchParams.get('limit')
  if (!/^-?\d+$/.test(number ?? '1') || !/^-?\d+$/.test(limit ?? '1')) return undefined
  const size = pageSize(limit ?? undefined, settings)
  const isRequested = Number(limit) > 0
  // The document does not state that a default above the maximum is lowered.
  if (!isRequested && size > settings.maxResponseItems) return undefined
  const kind = isRequested && Number(limit) > size ? 'lowered' : 'honoured'
  const defaultKind = limit === null ? 'absent' : 'not positive'
  return {
    number: Math.max(1, Number(number)),
    isNumbered: number !== null,
    size,
    kind: (isRequested ? kind : defaultKind) satisfies LimitKind,
  }
}

/** Returns the place of a page in another list, by the total of that; undefined past the end. */
export function ownPlace(page: Exchange, settings: PageSizes) {
  const requested = isRepositoryPage(page) ? undefined : requestedPage(page, settings)
  if (requested === undefined) return undefined
  const { number, isNumbered, size } = requested
  const total = numberIn(page, 'x-total-count')
  const isPastTheEnd = total === undefined || total <= (number - 1) * size
  if (number > 1 && isPastTheEnd) return undefined
  // pagination/first-page-default judges what is shown without a page.
  if (!isNumbered && (numberIn(page, 'x-page') ?? number) !== number) return undefined
  return { ...requested, hasMore: total === undefined ? undefined : total > number * size }
}
