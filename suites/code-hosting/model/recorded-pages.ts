/** Recorded pages of lists, and the periods in which a list did not change. */
import { isDeepStrictEqual } from 'node:util'
import { Skip } from '../../../lib/conformance/check-errors.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { headerKey } from '../../../lib/probe/credentials.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { asPage, type CallOptions, codeHostingEndpoints } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { type Case, isPublicOnly, userOf } from './case.ts'
import { isListPage } from './exchange-filters.ts'
import { numberIn } from './page-cache.ts'
import { expectedPage } from './pages.ts'

/** Maximum time between pages that are compared, since other clients may change the list. */
const MAX_GAP_MS = 10_000

export interface RecordedPage {
  exchange: RecordedExchange
  /** Undefined if it is unknown. */
  sender: Case | undefined
  query: { limit?: string; page?: string }
  options: CallOptions
}

export const hasList = (exchange: RecordedExchange): boolean => {
  try {
    return isListPage(exchange)
  } catch (error) {
    if (error instanceof Skip) return false
    throw error
  }
}

/** Returns the credentials of a request. Several are those of the same list only if all are the same. */
function credentialsOf({
  id,
  request: { credentials, headers = {} },
  showsCredentials,
}: RecordedExchange) {
  if (credentials !== undefined || !showsCredentials) return credentials ?? headerKey('id', id)
  return headerKey([], JSON.stringify([headers.Authorization, headers.Cookie]))
}

/** Returns the page of an exchange; undefined if the document does not state it, or the sender may have no list. */
export function pageOf(
  exchange: RecordedExchange,
  sender: Case | undefined,
): RecordedPage | undefined {
  const { endpoint, url, headers } = exchange.request
  if (endpoint !== codeHostingEndpoints.repositories) return undefined
  const parameters = [...url.searchParams]
  const { limit, page, sudo } = Object.fromEntries(parameters)
  const isStated = parameters.every(
    ([name, value]) =>
      url.searchParams.getAll(name).length === 1 &&
      (name === 'sudo' || (['page', 'limit'].includes(name) && /^-?\d{1,40}$/.test(value))),
  )
  const as = headers?.Sudo ?? sudo
  // Other rejections may be right for an unknown sender, and its user is unknown with Sudo.
  const isOfQuery = () => [400, 422].includes(exchange.status) || hasList(exchange)
  const isKnown = sender !== undefined || (as === undefined && isOfQuery())
  const options: CallOptions = {
    credentials: credentialsOf(exchange),
    ...(as !== undefined && { sudo: { as, in: headers?.Sudo ? 'header' : 'query' } }),
  }
  const query = { ...(limit !== undefined && { limit }), ...(page !== undefined && { page }) }
  return isStated && isKnown ? { exchange, sender, query, options } : undefined
}

/** Returns the name of the list that a request shows. */
export const listOf = ({ sender, options }: RecordedPage): string => {
  if (sender === undefined) return JSON.stringify(options)
  return isPublicOnly(sender) ? 'public-only' : userOf(sender)
}

/** Returns true for a request that may change a list. */
export const isChange = ({ request: { method, url }, status }: RecordedExchange) =>
  !/^(?:GET|HEAD|OPTIONS)$/.test(method) &&
  status < 400 &&
  !/\/users\/[^/]+\/tokens(?:\/[^/]+)?$/.test(url.pathname)

/** Splits the pages of a list where it may have changed. */
export function periodsOf(pages: readonly RecordedPage[], changes: readonly RecordedExchange[]) {
  const periods: [RecordedPage, ...RecordedPage[]][] = []
  let next = 0
  for (const page of pages) {
    const { startedAt } = page.exchange
    const before = next
    while ((changes[next]?.startedAt ?? Number.POSITIVE_INFINITY) <= startedAt) next += 1
    const period = periods.at(-1)
    const isSame = period && startedAt - period[0].exchange.startedAt <= MAX_GAP_MS
    if (isSame && next === before) period.push(page)
    else periods.push([page])
  }
  return periods
}

const PAGE_HEADERS = ['x-total-count', 'x-page', 'x-perpage', 'x-hasmore', 'link']

/** Returns periods without those of one page that is judged like another: it is compared with its total only. */
export function distinctPeriods<Period extends readonly RecordedPage[]>(
  all: readonly Period[],
): Period[] {
  const found = new Set<string>()
  return all.filter(([page, another]) => {
    if (page === undefined || another !== undefined) return true
    const { exchange, sender, query, options } = page
    const fields = PAGE_HEADERS.map((name) => exchange.headers.get(name))
    const items = hasList(exchange) && asPage(exchange).names?.length
    const key = JSON.stringify([sender, query, options.sudo, exchange.status, fields, items])
    return found.size < found.add(key).size
  })
}

/** Returns the number of items, if all pages agree about it, about their own items and about what follows them. */
export function agreedTotal(pages: readonly RecordedPage[], settings: CodeHostingSettings) {
  if (mayHaveChanged(pages)) return undefined
  const lists = pages.filter(({ exchange }) => hasList(exchange))
  const total = lists[0] && numberIn(lists[0].exchange, 'x-total-count')
  const isAgreed = lists.every(({ exchange, query }) => {
    const expected = expectedPage({ itemsByPage: [], length: total }, query, settings)
    const hasMore = exchange.headers.get('x-hasmore')?.trim() ?? String(expected?.hasMore)
    return (
      numberIn(exchange, 'x-total-count') === total &&
      hasMore === String(expected?.hasMore) &&
      asPage(exchange).names?.length === expected?.shown
    )
  })
  return isAgreed ? total : undefined
}

/** Returns true if nothing tells that the pages are of the same time: the total, or the same items of the same page. */
export function mayHaveChanged(pages: readonly RecordedPage[]): boolean {
  const totals = new Set(pages.map(({ exchange }) => numberIn(exchange, 'x-total-count')))
  totals.delete(undefined)
  return totals.size !== 1 || isRearranged(pages)
}

/** Returns true if a page was read again with the same total and other items. */
export function isRearranged(pages: readonly RecordedPage[]): boolean {
  const requests = groupBy(pages, ({ exchange, options, query }) =>
    JSON.stringify([options, query, numberIn(exchange, 'x-total-count')]),
  )
  return [...requests.values()].some(([first, ...others]) => {
    const names = others.length > 0 && hasList(first.exchange) && asPage(first.exchange).names
    const isSame = ({ exchange }: RecordedPage) =>
      !hasList(exchange) || isDeepStrictEqual(asPage(exchange).names, names)
    return names && !others.every(isSame)
  })
}

/** Returns the time when a page of the maximum size was requested again. */
export function lastRereadIn(
  pages: readonly RecordedPage[],
  { maxResponseItems }: CodeHostingSettings,
) {
  const full = pages.filter(({ query }) => query.limit === String(maxResponseItems))
  const requests = groupBy(full, ({ options, query }) => JSON.stringify([options, query]))
  const times = [...requests.values()].flatMap(([, ...again]) =>
    again.map(({ exchange }) => exchange.startedAt),
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

export const senderKey = ({ options }: RecordedPage) => JSON.stringify(options)

/** Returns a page of the sender that read most of a list; undefined if all requests have Sudo. */
export function readerOf(
  pages: readonly RecordedPage[],
  { maxResponseItems }: CodeHostingSettings,
) {
  const readers = pages.filter(({ options }) => options.sudo === undefined)
  const isRead = ({ query, exchange }: RecordedPage) =>
    query.limit === String(maxResponseItems) && hasList(exchange)
  const groups = [...groupBy(readers, senderKey).values()]
  const counts = groups.map((group) => group.filter(isRead).length)
  return groups[counts.indexOf(Math.max(...counts))]?.[0]
}
