/** Rules about recorded pages of lists: each with its query and total, and pages of one list with each other. */
import { Skip } from '../../../lib/conformance/check-errors.ts'
import { displayText } from '../../../lib/conformance/describe-exchange.ts'
import type {
  RecordedRule,
  RecordedRules,
} from '../../../lib/conformance/recording/judge-recording.ts'
import {
  type RecordedExchange,
  skipUnrecorded,
} from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { asPage, codeHostingEndpoints } from '../client.ts'
import { expect } from '../matchers.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingSettings } from '../variables.ts'
import type { Case } from './case.ts'
import { hasStatedQuery, isListPage } from './exchange-filters.ts'
import { type ComparedPage, describeListCase, type JudgedList } from './judged-list.ts'
import { isJudgedBy } from './list-checks.ts'
import { listRules } from './list-rules.ts'
import { type Limit, type ListCase, limits, type Page, pages } from './list-table.ts'
import { numberIn } from './page-cache.ts'
import { areItemsOf, expectedPage, lastPage, pageSize } from './pages.ts'
import { repeatedItems } from './recorded-walk.ts'

/** Rules that a page with its total decides. */
const comparing = [
  'code-hosting/pagination/page-header',
  'code-hosting/pagination/per-page-header',
  'code-hosting/pagination/has-more-header',
  'code-hosting/pagination/link-when-several-pages',
  'code-hosting/pagination/link-form',
  'code-hosting/pagination/link-relations',
  'code-hosting/pagination/link-targets',
] as const satisfies readonly RequirementId[]

const sizeRules = {
  absent: 'code-hosting/pagination/default-limit',
  'not positive': 'code-hosting/pagination/limit-not-positive',
  honoured: 'code-hosting/pagination/limit-honoured',
  lowered: 'code-hosting/pagination/limit-lowered',
} as const

/** Parameters that a list may have. */
const PARAMETERS = ['page', 'limit', 'sudo']

const notRecorded = new Skip({ kind: 'not recorded' })

/** A page of a list, as far as its query and header fields show it. */
interface RecordedPage {
  exchange: RecordedExchange
  one: ListCase
  size: number
  number: number
  names: readonly string[]
  /** True for a status that no credentials explain. */
  isRejected: boolean
  /** True if X-HasMore contradicts the total. */
  isContradictory: boolean
  /** Undefined if the list is not counted, or X-HasMore contradicts the total. */
  hasMore: boolean | undefined
  compared: ComparedPage | undefined
}

/** Case of a list whose sender is unknown; its name does not show the sender. */
const unknownSender = {
  resource: 'repositories',
  actor: 'main',
  sentAs: 'any valid',
  scopes: ['all'],
} as const

function limitLevel(value: number | undefined, maximum: number): Limit {
  if (value === undefined) return 'absent'
  if (value <= 0) return '0'
  return value > maximum ? 'maximum + 1' : 'any'
}

function pageLevel(value: number | undefined, last: number): Page {
  if (value === undefined) return 'absent'
  if (value < 1) return '0'
  if (value > last) return 'last + 1'
  return value === 1 ? '1' : 'any'
}

function pageOf(
  exchange: RecordedExchange,
  sender: Case | undefined,
  settings: CodeHostingSettings,
): RecordedPage | undefined {
  const { endpoint } = exchange.request
  const isRejected = [400, 422].includes(exchange.status)
  const isList = endpoint === codeHostingEndpoints.repositories && hasStatedQuery(exchange)
  if (!isList || !(isRejected || isListPage(exchange))) return undefined
  const page = asPage(exchange)
  const names = isRejected ? [] : page.names
  const { searchParams } = exchange.request.url
  const parameters = [...searchParams.keys()]
  const isOnce = new Set(parameters).size === parameters.length
  const [limit, number] = ['limit', 'page'].map((name) => searchParams.get(name) ?? undefined)
  const areNumbers = [limit, number].every((text = '0') => /^-?\d+$/.test(text))
  const isKnown = isOnce && areNumbers && parameters.every((name) => PARAMETERS.includes(name))
  const { maxResponseItems, defaultPagingNum } = settings
  // The document does not say whether a default above the maximum is lowered.
  const isUnstated = Number(limit ?? 0) <= 0 && defaultPagingNum > maxResponseItems
  if (names === undefined || !isKnown || isUnstated) return undefined
  const query = {
    ...(limit !== undefined && { limit }),
    ...(number !== undefined && { page: number }),
  }
  const total = numberIn(exchange, 'x-total-count')
  const known = { itemsByPage: [], length: total }
  const size = pageSize(limit, settings)
  const last = total === undefined ? Number.POSITIVE_INFINITY : lastPage(known, size)
  const one: ListCase = {
    ...(sender ?? unknownSender),
    limit: limitLevel(limit === undefined ? undefined : Number(limit), maxResponseItems),
    page: pageLevel(number === undefined ? undefined : Number(number), last),
  }
  const expected = expectedPage(known, query, settings)
  const hasMore = { true: true, false: false }[exchange.headers.get('x-hasmore')?.trim() ?? '']
  const isAgreed = expected !== undefined && expected.hasMore === hasMore
  const compared = isAgreed &&
    areItemsOf(known, expected, names) && {
      ...{ one, query, by: undefined, page, expected, known, isMatching: true, isOfList: true },
    }
  return {
    ...{ exchange, one, size, number: Math.max(1, Number(number ?? 1)), names, isRejected },
    isContradictory: !isAgreed && expected !== undefined && hasMore !== undefined,
    hasMore: isAgreed ? hasMore : undefined,
    compared: compared || undefined,
  }
}

/** Returns the errors of rules that compare a page with its own total; undefined for rules to which it conforms. */
async function judged(page: RecordedPage, settings: CodeHostingSettings) {
  const results = new Map<string, unknown>()
  const { compared, isContradictory } = page
  // Either the total or X-HasMore may be wrong, and another page would tell.
  if (isContradictory) for (const id of comparing) results.set(id, notRecorded)
  // Past the end, no item shows the size.
  if (compared === undefined || pages[page.one.page].kind === 'past the end') return results
  const list = {
    known: compared.known,
    isUnclear: async () => false,
    expected: (query: ComparedPage['query']) => expectedPage(compared.known, query, settings),
    list: { follow: skipUnrecorded },
  } as unknown as JudgedList
  for (const id of comparing) {
    if (!isJudgedBy(listRules[id], page.one)) continue
    await Promise.resolve(listRules[id].assert(compared, list)).then(
      () => results.set(id, undefined),
      (error) => results.set(id, error),
    )
  }
  return results
}

interface JudgedPage extends RecordedPage {
  /** Errors of the rules that compare it; undefined for those to which it conforms. */
  results: ReadonlyMap<string, unknown>
}

type Pages = ReadonlyMap<Exchange, JudgedPage>

/** Finds and judges the pages, and names their cases. */
async function judgedPages(
  exchanges: readonly RecordedExchange[],
  senderOf: (exchange: RecordedExchange) => Case | undefined,
  settings: CodeHostingSettings,
): Promise<Pages> {
  const found = new Map<Exchange, JudgedPage>()
  for (const exchange of exchanges) {
    const sender = senderOf(exchange)
    let page: RecordedPage | undefined
    try {
      page = pageOf(exchange, sender, settings)
    } catch (error) {
      if (!(error instanceof Skip)) throw error
    }
    if (page === undefined) continue
    const { limit, page: place } = page.one
    const unknown = `GET /user/repos, limit ${limit}, page ${place}`
    exchange.request.cases = new Set([sender ? describeListCase(page.one) : unknown])
    found.set(exchange, { ...page, results: await judged(page, settings) })
  }
  return found
}

function pageRule(
  found: Pages,
  applies: (page: JudgedPage) => boolean,
  assert: (page: JudgedPage, exchange: Exchange) => void,
  isPart = false,
): [RecordedRule] {
  const appliesTo = (exchange: Exchange) => {
    const page = found.get(exchange)
    return page !== undefined && applies(page)
  }
  const assertPage = (exchange: Exchange) => assert(found.get(exchange) as JudgedPage, exchange)
  return [{ absenceReason: 'no such page of a list', isPart, appliesTo, assert: assertPage }]
}

/** Expects the items that the limit allows, and as many if there are more pages. */
function expectSize(page: RecordedPage, exchange: Exchange): void {
  const { one, isRejected, names, number, size, hasMore } = page
  const { kind } = pages[one.page]
  // The number of the page may be the cause.
  const isUnclear = kind === 'below one' || (isRejected && number > 1)
  if (
    isUnclear
      ? isRejected || names.length === 0
      : kind === 'absent' && hasMore && names.length === 0
  ) {
    skipUnrecorded()
  }
  expect(exchange).toHaveStatus(200)
  if (hasMore) expect(exchange).toHaveItems(size)
  else expect(exchange).toHaveItemsUpTo(size)
}

/** Names the case of each page, and returns the rules about them. */
export async function recordedPageRules(
  exchanges: readonly RecordedExchange[],
  senderOf: (exchange: RecordedExchange) => Case | undefined,
  settings: CodeHostingSettings,
): Promise<RecordedRules> {
  const found = await judgedPages(exchanges, senderOf, settings)
  const repeated = repeatedItems([...found.values()], exchanges)
  const ofSize = Object.entries(sizeRules).map(([kind, id]) => {
    const applies = ({ one }: RecordedPage) => limits[one.limit].kind === kind
    const isUnclear = [...found.values()].some((page) => applies(page) && page.isRejected)
    return [id, pageRule(found, applies, expectSize, isUnclear)]
  })
  // A page that contradicts itself shows a deviation, but not of which requirement.
  const isUnclear = [...found.values()].some(({ isContradictory }) => isContradictory)
  const compared = comparing.map((id) => {
    const assert = ({ results }: JudgedPage) => {
      if (results.get(id) !== undefined) throw results.get(id)
    }
    return [id, pageRule(found, ({ results }) => results.has(id), assert, isUnclear)]
  })
  const ofFirst = (kind: 'absent' | 'below one') =>
    pageRule(
      found,
      ({ one, isRejected }) =>
        pages[one.page].kind === kind && (!isRejected || limits[one.limit].kind === 'honoured'),
      (_, exchange) => {
        expect(exchange).toHaveStatus(200)
        expect(exchange).toHaveHeaderWherePresent('X-Page', 1)
      },
      true,
    )
  return {
    ...Object.fromEntries([...ofSize, ...compared]),
    'code-hosting/pagination/first-page-default': ofFirst('absent'),
    'code-hosting/pagination/page-below-one': ofFirst('below one'),
    'code-hosting/pagination/past-the-end': pageRule(
      found,
      ({ one, isRejected }) => pages[one.page].kind === 'past the end' && !isRejected,
      (_, exchange) => {
        expect(exchange).toHaveHeaderWherePresent('X-HasMore', 'false')
        expect(exchange).toLackLinkTo('next')
      },
      true,
    ),
    'code-hosting/pagination/walk': pageRule(
      found,
      ({ exchange }) => repeated.has(exchange),
      (_, exchange) => {
        const item = repeated.get(exchange)
        const actual = `${displayText(exchange, String(item))} on another page too`
        expect(exchange).toShow(item === undefined, 'items of no other page', actual)
      },
      true,
    ),
  }
}
