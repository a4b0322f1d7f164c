/** A list that was read once, and the pages of cases compared with it. */
import { isDeepStrictEqual } from 'node:util'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { memoized } from '../../../lib/conformance/memoized.ts'
import type { PageQuery, RepositoryPage } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { describeCase } from './describe-case.ts'
import { isListPage } from './exchange-filters.ts'
import { type ListCase, limits, pages } from './list-table.ts'
import type { Sender } from './page-cache.ts'
import {
  areItemsOf,
  type ExpectedPage,
  expectedPage,
  lastPage,
  pageSize,
  type ReadList,
} from './pages.ts'
import type { RepositoryList } from './repository-list.ts'
import type { CaseRequests } from './requests.ts'

/** The page of a case, compared with the list as it was read once. */
export interface ComparedPage {
  one: ListCase
  query: PageQuery
  /** Undefined for the sender that reads the list. */
  by: Sender | undefined
  page: RepositoryPage
  expected: ExpectedPage
  known: ReadList
  /** True if the page has exactly the expected items. */
  isMatching: boolean
  /** True if all its items are of the list, and there are some if there should be. */
  isOfList: boolean
  /** True if the list has an order, which this page does not have. */
  isOrdered: boolean
}

/** The parts of a case that name the sender that reads the list of the main account. */
export const defaultSender = {
  actor: 'main',
  sentAs: 'any valid',
  scopes: ['all'],
  sudo: undefined,
  isOfBrowser: undefined,
  isTokenFirst: undefined,
} as const

/** Minimum number of pages that show an order. */
const MIN_ORDERED_PAGES = 3
/** Maximum share of pages in another order: a list with an order may have a page that is wrong. */
const MAX_UNORDERED = 0.2

export const namesOf = (page: RepositoryPage): readonly string[] =>
  page.minLength === undefined ? (page.names ?? []) : []

/** Returns what identifies the sender of a request for a list. */
export const senderOf = (one: Omit<ListCase, 'limit' | 'page'>) => {
  const { actor, sentAs, scopes, sudo, isOfBrowser, isTokenFirst } = one
  return JSON.stringify([actor, sentAs, scopes, sudo, isOfBrowser, isTokenFirst])
}

const DEFAULT_SENDER = senderOf({ resource: 'repositories', ...defaultSender, scopes: ['all'] })

export const isDefaultSender = (one: ListCase) => senderOf(one) === DEFAULT_SENDER

/** Returns the id of a case. */
export const describeListCase = (one: ListCase) =>
  `${describeCase(one)}, limit ${one.limit}, page ${one.page}`

interface JudgedListParts {
  known: ReadList
  list: RepositoryList
  /** The first page at the maximum limit. */
  first: RepositoryPage | undefined
  /** A page that shows whether the list is counted. */
  counting: RepositoryPage | undefined
  settings: CodeHostingSettings
  requests: Pick<CaseRequests, 'optionsOf'>
  cases: readonly ListCase[]
}

/** A list that rules judge: as it was read once, and the pages of its cases. */
export type JudgedList = ReturnType<typeof createJudgedList>

export function createJudgedList(parts: JudgedListParts) {
  const { known, list, first, counting, settings, requests, cases } = parts
  const items = known.itemsByPage.flat()
  const names: ReadonlySet<string> = new Set(items)
  const isRead = known.length === items.length
  const expected = (query: PageQuery) => expectedPage(known, query, settings)

  function queryOf({ limit, page }: ListCase): PageQuery {
    const length = known.length ?? items.length
    const size = limits[limit].value({ ...settings, length })?.toString()
    const last = lastPage(known, pageSize(size, settings))
    const number = pages[page].value(last)?.toString()
    return { ...(size && { limit: size }), ...(number && { page: number }) }
  }

  /** Compares a page without the order of its items. */
  async function comparePage(one: ListCase): Promise<ComparedPage | undefined> {
    const query = queryOf(one)
    const wanted = expected(query)
    if (wanted === undefined) return undefined
    const by = isDefaultSender(one)
      ? undefined
      : { id: senderOf(one), options: () => requests.optionsOf(one) }
    const page = await list.page(query, by)
    page.request.cases?.add(describeListCase(one))
    const shown = namesOf(page)
    const isMatching = isListPage(page) && areItemsOf(known, wanted, shown)
    const isSome = shown.length > 0 || wanted.shown === 0
    const isOfList =
      isListPage(page) && (!isRead || (isSome && shown.every((name) => names.has(name))))
    return { one, query, by, page, expected: wanted, known, isMatching, isOfList, isOrdered: false }
  }

  /** True if the first two pages of other sizes have the same order, except one that may be wrong. */
  const isOrdered = fixture('order of a list', async (): Promise<boolean> => {
    // Too short to show an order; nothing is requested for it.
    if (names.size <= settings.defaultPagingNum) return false
    const usual = cases.filter(
      (one) => isDefaultSender(one) && one.page === '1' && ['absent', '0', '2'].includes(one.limit),
    )
    const compared = await Promise.allSettled(
      usual.flatMap((one) => [comparePage(one), comparePage({ ...one, page: '2' })]),
    )
    const several = compared.flatMap((outcome) => {
      const page = outcome.status === 'fulfilled' ? outcome.value : undefined
      const length = known.itemsByPage[0]?.length ?? 0
      // A page with all items of the first page shows no order of the list.
      const isPart = page && page.expected.shown > 1 && page.expected.shown < length
      return page?.isMatching && isPart ? [page] : []
    })
    const others = several.filter((page) => !isInOrder(page))
    return several.length >= MIN_ORDERED_PAGES && others.length <= MAX_UNORDERED * several.length
  })

  return {
    ...{ known, list, first, counting, expected },
    /** The different items that were read. */
    names,
    /** True if all pages were read. */
    isRead,
    /** True if an item is on two pages. */
    isRepeating: names.size < items.length,
    /** Returns true if the items of a page may belong to another place: nothing shows the order of the list. */
    isUnclear: async ({ expected: { shown } }: ComparedPage): Promise<boolean> =>
      shown < names.size && !(await isOrdered()),
    /** Returns undefined if nothing is known about the page. */
    compare: memoized(async (one: ListCase) => {
      const compared = await comparePage(one)
      if (compared === undefined || isInOrder(compared)) return compared
      const ordered = await isOrdered()
      return { ...compared, isOrdered: ordered, isMatching: compared.isMatching && !ordered }
    }),
  }
}

function isInOrder({ page, expected: { items } }: ComparedPage): boolean {
  return items === undefined || isDeepStrictEqual(namesOf(page), items)
}
