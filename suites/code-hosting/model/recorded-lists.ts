/** Recorded pages of lists, judged by the rules of a run. */
import { isDeepStrictEqual } from 'node:util'
import { Inconclusive, Skip, skipUnrecorded } from '../../../lib/conformance/check-errors.ts'
import { judgeCases } from '../../../lib/conformance/judge-cases.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { createRecordedRun } from '../../../lib/conformance/recording/recorded-run.ts'
import type { Target } from '../../../lib/environment/target.ts'
import { headerKey } from '../../../lib/probe/credentials.ts'
import { withParts } from '../../../lib/probe/exchange.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { serviceIn } from '../../service.ts'
import { Repositories } from '../accounts/repositories.ts'
import {
  asPage,
  type CallOptions,
  CodeHostingClient,
  codeHostingEndpoints,
  type RepositoryPage,
} from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { type Case, isPublicOnly, userOf } from './case.ts'
import { isListPage } from './exchange-filters.ts'
import { defaultSender, describeListCase, senderOf } from './judged-list.ts'
import { isDocumented, ListChecks, type ListRule } from './list-checks.ts'
import { type ListCase, limitLevel, limits, pageLevel } from './list-table.ts'
import { numberIn } from './page-cache.ts'
import { expectedPage, lastPage, pageSize } from './pages.ts'
import type { RepositoryList } from './repository-list.ts'
import { expectSteps } from './walk.ts'

/** Maximum time between pages that are compared, since other clients may change the list. */
const MAX_GAP_MS = 10_000

interface RecordedPage {
  exchange: RecordedExchange
  /** Undefined if it is unknown. */
  sender: Case | undefined
  query: { limit?: string; page?: string }
  options: CallOptions
}

const hasList = (exchange: RecordedExchange): boolean => {
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
function pageOf(exchange: RecordedExchange, sender: Case | undefined): RecordedPage | undefined {
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
const listOf = ({ sender, options }: RecordedPage): string => {
  if (sender === undefined) return JSON.stringify(options)
  return isPublicOnly(sender) ? 'public-only' : userOf(sender)
}

/** Returns true for a request that may change a list. */
const isChange = ({ request: { method, url }, status }: RecordedExchange) =>
  !/^(?:GET|HEAD|OPTIONS)$/.test(method) &&
  status < 400 &&
  !/\/users\/[^/]+\/tokens(?:\/[^/]+)?$/.test(url.pathname)

/** Splits the pages of a list where it may have changed. */
function periodsOf(pages: readonly RecordedPage[], changes: readonly RecordedExchange[]) {
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
function distinctPeriods<Period extends readonly RecordedPage[]>(all: readonly Period[]): Period[] {
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
function agreedTotal(pages: readonly RecordedPage[], settings: CodeHostingSettings) {
  if (mayHaveChanged(pages)) return undefined
  const total = numberIn(pages[0]?.exchange ?? { headers: new Headers() }, 'x-total-count')
  const isAgreed = pages.every(({ exchange, query }) => {
    if (!hasList(exchange)) return true
    const expected = expectedPage({ itemsByPage: [], length: total }, query, settings)
    const hasMore = exchange.headers.get('x-hasmore')?.trim()
    return (
      numberIn(exchange, 'x-total-count') === total &&
      hasMore === String(expected?.hasMore) &&
      asPage(exchange).names?.length === expected?.shown
    )
  })
  return isAgreed ? total : undefined
}

/** Returns true if nothing tells that the pages are of the same time: the total, or the same items of the same page. */
function mayHaveChanged(pages: readonly RecordedPage[]): boolean {
  const totals = new Set(pages.map(({ exchange }) => numberIn(exchange, 'x-total-count')))
  totals.delete(undefined)
  const requests = groupBy(pages, ({ options, query }) => JSON.stringify([options, query]))
  return (
    totals.size !== 1 ||
    [...requests.values()].some(([first, ...others]) => {
      const names = others.length > 0 && hasList(first.exchange) && asPage(first.exchange).names
      const isSame = ({ exchange }: RecordedPage) =>
        !hasList(exchange) || isDeepStrictEqual(asPage(exchange).names, names)
      return names && !others.every(isSame)
    })
  )
}

/** Returns the time when a page of the maximum size was requested again. */
function lastRereadIn(pages: readonly RecordedPage[], { maxResponseItems }: CodeHostingSettings) {
  const full = pages.filter(({ query }) => query.limit === String(maxResponseItems))
  const requests = groupBy(full, ({ options, query }) => JSON.stringify([options, query]))
  const times = [...requests.values()].flatMap(([, ...again]) =>
    again.map(({ exchange }) => exchange.startedAt),
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

const senderKey = ({ options }: RecordedPage) => JSON.stringify(options)

/** Returns a page of the sender that read most of a list; undefined if all requests have Sudo. */
function readerOf(pages: readonly RecordedPage[], { maxResponseItems }: CodeHostingSettings) {
  const readers = pages.filter(({ options }) => options.sudo === undefined)
  const isRead = ({ query, exchange }: RecordedPage) =>
    query.limit === String(maxResponseItems) && hasList(exchange)
  const groups = [...groupBy(readers, senderKey).values()]
  const counts = groups.map((group) => group.filter(isRead).length)
  return groups[counts.indexOf(Math.max(...counts))]?.[0]
}

/** Returns the case of a page, whose sender may be the one that reads the list. */
function caseOf(
  { sender, query }: RecordedPage,
  isReader: boolean,
  last: number,
  { maxResponseItems }: CodeHostingSettings,
): ListCase {
  const isDefault = sender === undefined || (isReader && userOf(sender) === 'main')
  return {
    resource: 'repositories',
    ...(isDefault && !(sender && isPublicOnly(sender))
      ? { ...defaultSender, scopes: ['all'] }
      : (sender as Case)),
    limit: limitLevel(query.limit, maxResponseItems),
    page: pageLevel(query.page, last),
    requested: query,
    ...(sender === undefined && { isOfUnknown: true }),
  }
}

/** Reads a recorded list as a run does. The length is that of the whole list, or the agreed one if pages are missing. */
async function readRecorded(
  pages: readonly RecordedPage[],
  { options }: RecordedPage,
  isConfirmed: boolean,
  target: Target,
) {
  const service = serviceIn(target, 'codeHosting')
  const exchanges = pages.map(({ exchange, options: { credentials } }) =>
    withParts(exchange, { request: { ...exchange.request, ...(credentials && { credentials }) } }),
  )
  const run = createRecordedRun(exchanges, target)
  const client = new CodeHostingClient(
    service.baseUrl,
    (request) => run.send('code-hosting', request),
    async () => options.credentials ?? skipUnrecorded(),
  )
  const repositories = new Repositories(run, service, client)
  const read = async (list: RepositoryList) =>
    (await list.readAll()).isComplete ? list.readAll() : list.end()
  const end = isConfirmed ? await repositories.observe(read).catch(unrecorded) : undefined
  const length = end?.length ?? agreedTotal(pages, service.settings)
  return { run, service, repositories, length, isWhole: end !== undefined }
}

/** The pages of one list in a period without changes. */
class RecordedList {
  readonly #repositories: Repositories
  readonly #checks: ListChecks
  readonly #isWhole: boolean
  readonly #cases: readonly ListCase[]
  /** Cases of first pages of the sender that reads the list. */
  readonly #starts: readonly ListCase[]

  private constructor(
    pages: readonly RecordedPage[],
    reader: RecordedPage,
    { run, service, repositories, length, isWhole }: Awaited<ReturnType<typeof readRecorded>>,
  ) {
    const { settings } = service
    const senders = new Map<string, CallOptions>()
    const cases = new Map<string, ListCase>()
    const starts = new Map<string, ListCase>()
    for (const page of pages) {
      const size = pageSize(page.query.limit, settings)
      const last = lastPage({ itemsByPage: [], length: length ?? Number.POSITIVE_INFINITY }, size)
      const isReader = senderKey(page) === senderKey(reader)
      const one = caseOf(page, isReader, last, settings)
      page.exchange.request.cases = new Set([describeListCase(one)])
      senders.set(senderOf(one), page.options)
      if (!isDocumented(one, settings)) continue
      cases.set(JSON.stringify(one), one)
      // A run walks no other sizes: a page of another one may have the wrong items of its limit.
      const isStart = limits[one.limit].kind !== 'honoured' || one.limit === 'maximum'
      if (isReader && isStart && one.page === '1' && hasList(page.exchange)) {
        starts.set(JSON.stringify(one), one)
      }
    }
    this.#isWhole = isWhole
    this.#cases = [...cases.values()]
    this.#starts = length === undefined ? [] : [...starts.values()]
    this.#repositories = repositories
    const optionsOf = async (one: Case) => senders.get(senderOf(one)) ?? skipUnrecorded()
    const recorded = { cases: this.#cases, total: length, isWhole }
    this.#checks = new ListChecks({ run, target: service, repositories }, { optionsOf }, recorded)
  }

  static async create(pages: readonly RecordedPage[], isConfirmed: boolean, target: Target) {
    const reader = readerOf(pages, serviceIn(target, 'codeHosting').settings)
    if (reader === undefined) return []
    return new RecordedList(pages, reader, await readRecorded(pages, reader, isConfirmed, target))
  }

  async judge(rule: ListRule): Promise<void> {
    const isUnread = await this.#checks.judge(rule).then(
      // Without the items, pages of the right size may have others.
      () => !this.#isWhole && rule.ofUnreadLists,
      (error: unknown) => {
        if (error instanceof Inconclusive) return true
        throw error
      },
    )
    const cases = isUnread ? this.#cases.filter((one) => rule.applies(one)) : []
    if (cases.length > 0) await judgeCases(named(cases), async () => skipUnrecorded())
  }

  /** Expects every item once on the pages that links with the relation `next` connect. */
  async walk(): Promise<void> {
    await this.#repositories.observe((list) =>
      judgeCases(named(this.#starts), async ({ one }) => {
        const pages: RepositoryPage[] = []
        let page: RepositoryPage | undefined = await list.page(one.requested)
        while (page !== undefined && !pages.includes(page)) {
          pages.push(page)
          const next: string | undefined = page.links.targets.get('next')
          page = next === undefined ? undefined : await list.follow(page, next).catch(unrecorded)
        }
        expectSteps({ pages, end: pages.at(-1) as RepositoryPage, endless: page !== undefined })
      }),
    )
  }
}

const named = (cases: readonly ListCase[]) =>
  cases.map((one) => ({ name: describeListCase(one), one }))

function unrecorded(error: unknown): undefined {
  if (!(error instanceof Skip)) throw error
}

/** Returns the recorded lists, and names the cases of their pages. */
export async function recordedLists(
  exchanges: readonly RecordedExchange[],
  senderOf: (exchange: RecordedExchange) => Case | undefined,
  target: Target,
): Promise<readonly Pick<RecordedList, 'judge' | 'walk'>[]> {
  const { settings } = serviceIn(target, 'codeHosting')
  const pages = exchanges.flatMap((exchange) => pageOf(exchange, senderOf(exchange)) ?? [])
  const changes = exchanges.filter(isChange)
  const periods = [...groupBy(pages, listOf).values()].flatMap((all) => periodsOf(all, changes))
  const lists = distinctPeriods(periods).flatMap((some) => {
    // Another client may have changed the order of the list: only what was read before it was read again is compared.
    const until = mayHaveChanged(some) ? undefined : lastRereadIn(some, settings)
    const isConfirmed = ({ exchange }: RecordedPage) =>
      until !== undefined && exchange.startedAt <= until
    return [
      RecordedList.create(some.filter(isConfirmed), true, target),
      RecordedList.create(
        some.filter((page) => !isConfirmed(page)),
        false,
        target,
      ),
    ]
  })
  return (await Promise.all(lists)).flat()
}
