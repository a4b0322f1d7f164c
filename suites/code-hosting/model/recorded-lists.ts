import { Inconclusive, Skip, skipUnrecorded } from '../../../lib/conformance/check-errors.ts'
import { judgeCases } from '../../../lib/conformance/judge-cases.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { createRecordedRun } from '../../../lib/conformance/recording/recorded-run.ts'
import type { Target } from '../../../lib/environment/target.ts'
import { withParts } from '../../../lib/probe/exchange.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { serviceIn } from '../../service.ts'
import { Repositories } from '../accounts/repositories.ts'
import { type CallOptions, CodeHostingClient, type RepositoryPage } from '../client.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { type Case, isPublicOnly, userOf } from './case.ts'
import { defaultSender, describeListCase, senderOf } from './judged-list.ts'
import { isDocumented, ListChecks, type ListRule } from './list-checks.ts'
import { type Limit, type ListCase, limits, type Page } from './list-table.ts'
import { lastPage, pageSize } from './pages.ts'
import {
  agreedTotal,
  distinctPeriods,
  hasList,
  isChange,
  isRearranged,
  lastRereadIn,
  listOf,
  mayHaveChanged,
  pageOf,
  periodsOf,
  type RecordedPage,
  readerOf,
  senderKey,
} from './recorded-pages.ts'
import type { RepositoryList } from './repository-list.ts'
import { expectSteps } from './walk.ts'

/** Returns the level of a recorded limit. */
function limitLevel(text: string | undefined, maximum: number): Limit {
  if (text === undefined) return 'absent'
  const value = BigInt(text)
  if (value <= 0n) return value < -(2n ** 63n) ? '-10^30' : value === 0n ? '0' : '-1'
  if (value > BigInt(maximum)) return value < 2n ** 63n ? 'maximum + 1' : '2^63'
  if (value === BigInt(maximum)) return 'maximum'
  return value > 2n ? 'any' : value === 1n ? '1' : '2'
}

/** Returns the level of a recorded page number. @param last number of the last page */
function pageLevel(text: string | undefined, last: number): Page {
  if (text === undefined) return 'absent'
  const value = BigInt(text)
  if (value < 1n) return value <= -(2n ** 53n) ? '-2^63 - 1' : value === 0n ? '0' : '-1'
  if (value > last) return value < 2n ** 53n ? 'last + 1' : '2^53'
  return value > 2n ? 'any' : value === 1n ? '1' : '2'
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
    requested: { ...query, isOfUnknown: sender === undefined },
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
    isStable: boolean,
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
    this.#starts = length === undefined || !isStable ? [] : [...starts.values()]
    this.#repositories = repositories
    const optionsOf = async (one: Case) => senders.get(senderOf(one)) ?? skipUnrecorded()
    const recorded = { cases: this.#cases, total: length, isWhole }
    this.#checks = new ListChecks({ run, target: service, repositories }, { optionsOf }, recorded)
  }

  static async create(
    pages: readonly RecordedPage[],
    target: Target,
    { isConfirmed, isStable }: { isConfirmed: boolean; isStable: boolean },
  ) {
    const reader = readerOf(pages, serviceIn(target, 'codeHosting').settings)
    if (reader === undefined) return []
    const read = await readRecorded(pages, reader, isConfirmed, target)
    return new RecordedList(pages, reader, read, isStable)
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
        const { limit } = one.requested ?? {}
        const query = { page: 1, ...(limit !== undefined && { limit }) }
        let page: RepositoryPage | undefined = await list.page(query)
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
  const lists = [...groupBy(pages, listOf).values()]
  const rearranged = new Set(lists.filter(isRearranged).flat())
  const periods = lists.flatMap((all) => periodsOf(all, changes))
  const created = distinctPeriods(periods).flatMap((some) => {
    // Another client may have changed the order of the list: only what was read before it was read again is compared.
    const isStable = !mayHaveChanged(some) && !some.some((page) => rearranged.has(page))
    const until = isStable ? lastRereadIn(some, settings) : undefined
    const isConfirmed = ({ exchange }: RecordedPage) =>
      until !== undefined && exchange.startedAt <= until
    return [
      RecordedList.create(some.filter(isConfirmed), target, { isConfirmed: true, isStable }),
      RecordedList.create(
        some.filter((page) => !isConfirmed(page)),
        target,
        { isConfirmed: false, isStable },
      ),
    ]
  })
  return (await Promise.all(created)).flat()
}
