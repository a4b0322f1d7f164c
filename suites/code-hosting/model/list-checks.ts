import { Inconclusive, Skip, skip, skipExplained } from '../../../lib/conformance/check-errors.ts'
import { failuresIn, isFailedExpectation } from '../../../lib/conformance/deviations.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { allJudged, judgeCases } from '../../../lib/conformance/judge-cases.ts'
import { memoized } from '../../../lib/conformance/memoized.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { expect } from '../matchers.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { expectedAccess } from './access.ts'
import { userOf } from './case.ts'
import {
  type ComparedPage,
  createJudgedList,
  describeListCase,
  isDefaultSender,
  type JudgedList,
} from './judged-list.ts'
import { isOpen, type ListCase, limits, listCases } from './list-table.ts'
import { pageSize } from './pages.ts'
import type { RepositoryList } from './repository-list.ts'
import type { CaseRequestParts, CaseRequests } from './requests.ts'

/** Returns true if the response to a simpler case explains a deviation. */
export type Explanation = (compared: ComparedPage) => boolean

/** A sentence of the document about pages of a list. */
export interface ListRule {
  applies(one: ListCase): boolean
  /** Returns simpler cases whose deviation is judged by another requirement, which then explains this one. */
  explanations?(
    one: ListCase,
  ): readonly (readonly [Partial<ListCase>, Explanation, 'or the page itself'?])[]
  /** True if pages with other items than expected are judged too. */
  ofAnyPage?: true
  /** True if empty lists are judged too. */
  ofEmptyLists?: true
  /** True if too many items deviate even where the list cannot be read. */
  ofUnreadLists?: true
  /** True if lists that repeat items are judged too. */
  ofAnyList?: true
  /** True if numbers beyond the documented range are judged, for which only a server error deviates. */
  ofOpenNumbers?: true
  assert(compared: ComparedPage, list: JudgedList): unknown
  /** @throws Skip if the judged pages do not suffice for a pass */
  requires?(judged: readonly ComparedPage[]): void
}

/** Maximum number of failed cases that are judged again. */
const MAX_REPEATED = 5

const NO_REPOSITORIES = 'needs an account with repositories, and the main account has none'

type ListOwner = 'main' | 'other' | 'admin' | 'public-only'

/** Returns the list that a case shows. */
function listOf(one: ListCase): ListOwner {
  if (one.scopes.includes('public-only')) return 'public-only'
  return userOf(one) as ListOwner
}

/** Returns true for a case that the document describes for the settings of a server. */
function isDocumented(one: ListCase, settings: CodeHostingSettings) {
  const { defaultPagingNum, maxResponseItems } = settings
  const { kind, value } = limits[one.limit]
  const size = value({ ...settings, length: maxResponseItems })
  const isRejected = expectedAccess(one, settings)?.rejected !== undefined
  // The document does not say whether a default above the maximum is lowered.
  const isUnstated =
    (kind === 'absent' || kind === 'not positive') && defaultPagingNum > maxResponseItems
  const isOutside =
    kind === 'honoured' &&
    size !== undefined &&
    (Number(size) < 1 || Number(size) > maxResponseItems)
  const isBelow = kind === 'lowered' && size !== undefined && Number(size) <= maxResponseItems
  return !isRejected && !isUnstated && !isOutside && !isBelow
}

/** Returns the cases that the document describes for the settings of a server. */
export const documentedCases = (settings: CodeHostingSettings): ListCase[] =>
  listCases().filter((one) => isDocumented(one, settings))

const describedCases = memoized(documentedCases)

/** Returns true if a rule judges a case. */
export const isJudgedBy = (rule: ListRule, one: ListCase) =>
  rule.applies(one) && (rule.ofOpenNumbers === true || !isOpen(one))

type ListParts = Pick<CaseRequestParts, 'target' | 'repositories' | 'accounts'>

/** The pages that a rule judged. */
interface JudgedPages {
  pages: ComparedPage[]
  isMainEmpty: boolean
}

/** Judges the pages of lists for every sender, limit and page of the table. */
export class ListChecks {
  readonly #parts: ListParts
  readonly #requests: Pick<CaseRequests, 'optionsOf'>
  readonly #settings: CodeHostingSettings

  constructor(parts: ListParts, requests: Pick<CaseRequests, 'optionsOf'>) {
    this.#parts = parts
    this.#requests = requests
    this.#settings = parts.target.settings
  }

  /** The cases that the document describes for the settings of the server. */
  readonly cases = fixture('list table', async () => describedCases(this.#settings))

  /** Judges a rule in all its cases, for each list that can be read. */
  async judge(rule: ListRule): Promise<void> {
    const cases = (await this.cases()).filter((one) => isJudgedBy(rule, one))
    const judged: JudgedPages = { pages: [], isMainEmpty: false }
    const owners = [...groupBy(cases, listOf)] as [ListOwner, ListCase[]][]
    await allJudged(
      owners.map(async ([owner, ofOwner]) => {
        const list = await this.#credentialsOf(owner).then(
          (credentials) => ({ credentials }),
          (error: unknown) => ({ error }),
        )
        // Each case of a list that cannot be read has the reason.
        if ('error' in list) return judgeNamed(ofOwner, () => Promise.reject(list.error))
        const judging = this.#parts.repositories.retryWhileChanging((list, failed) => {
          const again = new Set(failuresIn(failed).flatMap(casesOf).slice(0, MAX_REPEATED))
          const cases = ofOwner.filter((one) => !failed || again.has(describeListCase(one)))
          return this.#judgeList(rule, cases, this.#read(list, owner), judged)
        }, list.credentials)
        await judging.catch(async (error: unknown) => {
          const isChanging = error instanceof Inconclusive && error.reason.kind === 'changing data'
          if (isChanging && rule.ofUnreadLists) {
            await judgeNamed(ofOwner, (one) => this.#expectSize(one, true))
          }
          throw error
        })
      }),
    )
    // The lists of others only complement the list of the main account.
    if (judged.isMainEmpty && !rule.ofEmptyLists) skip(NO_REPOSITORIES)
    rule.requires?.(judged.pages)
  }

  /** Judges cases of one list, and adds their pages to `judged`. */
  async #judgeList(
    rule: ListRule,
    cases: readonly ListCase[],
    reading: Promise<JudgedList>,
    judged: JudgedPages,
  ): Promise<void> {
    await judgeNamed(cases, async (one) => {
      const list = await reading.catch(async (error: unknown) => {
        if (rule.ofUnreadLists) await this.#expectSize(one)
        throw error
      })
      if (list.known.length === 0 && listOf(one) === 'main') {
        judged.isMainEmpty = true
        if (!rule.ofEmptyLists) skip(NO_REPOSITORIES)
      }
      if (list.isRepeating && !rule.ofAnyList) skip('the list repeats items')
      if (!isDefaultSender(one)) await this.#requests.optionsOf(one)
      const compared = await list.compare(one)
      if (compared === undefined) return skip('the list was not read up to this page')
      if (!rule.ofAnyPage && !compared.isMatching) {
        skipExplained('the page has other items than expected')
      }
      judged.pages.push(compared)
      await this.#judgePage(rule, compared, list)
    })
  }

  /**
   * Expects at most the items that the limit allows, on a page that needs no other page.
   *
   * @param isReported true if X-PerPage must be their number
   */
  async #expectSize(one: ListCase, isReported = false): Promise<void> {
    const { limit, page: number } = one
    if (!isDefaultSender(one) || !['1', 'absent'].includes(number) || limit === 'full pages') return
    const requested = limits[limit].value({ ...this.#settings, length: 1 })?.toString()
    const query = {
      ...(requested !== undefined && { limit: requested }),
      ...(number === '1' && { page: '1' }),
    }
    const page = await this.#parts.repositories.observe((list) => list.page(query))
    const size = pageSize(requested, this.#settings)
    expect(page).toHaveItemsUpTo(size)
    if (isReported) expect(page).toHaveHeaderWherePresent('X-PerPage', size)
  }

  async #judgePage(rule: ListRule, compared: ComparedPage, judged: JudgedList): Promise<void> {
    const { one, page } = compared
    if (isOpen(one)) {
      const actual = `status ${page.status}`
      expect(page).toShow(page.status < 500, 'no server error', actual, { status: true })
      return
    }
    try {
      await rule.assert(compared, judged)
    } catch (error) {
      if (!isFailedExpectation(error)) throw error
      const simpler = rule.explanations?.(one) ?? []
      const explained = await allOrWorst(
        simpler.map(async ([parts, explains, orItself]) => {
          const other = await judged.compare({ ...one, ...parts }).catch((reason: unknown) => {
            if (reason instanceof Skip && orItself && !explains(compared)) return undefined
            throw reason
          })
          return other !== undefined && explains(other)
        }),
      )
      if (!explained.includes(true)) throw error
      skipExplained('a simpler request deviates too')
    }
  }

  async #read(list: RepositoryList, owner: ListOwner): Promise<JudgedList> {
    const { length, itemsByPage, isComplete, shownBy } = await list.readAll()
    const end = isComplete ? length : (await list.end())?.length
    const [first] = shownBy
    const { maxResponseItems: limit } = this.#settings
    // A server may leave a list uncounted that a token restricts.
    const counting =
      owner === 'public-only'
        ? first
        : await this.#parts.repositories.observe((main) => main.page({ page: 1, limit }))
    return createJudgedList({
      known: { itemsByPage, length: end },
      ...{ list, first, counting, settings: this.#settings, requests: this.#requests },
      cases: describedCases(this.#settings),
    })
  }

  async #credentialsOf(owner: ListOwner): Promise<Credentials | undefined> {
    const { accounts } = this.#parts
    if (owner === 'main') return undefined
    if (owner !== 'public-only') return (await accounts[owner]()).credentials
    const [one] = (await this.cases()).filter((each) => listOf(each) === owner)
    if (one === undefined) return skip('the table has no such request')
    return (await this.#requests.optionsOf(one)).credentials
  }
}

const casesOf = (error: unknown) => (isFailedExpectation(error) ? (error.cases ?? []) : [])

const judgeNamed = (cases: readonly ListCase[], judge: (one: ListCase) => Promise<void>) =>
  judgeCases(
    cases.map((one) => ({ name: describeListCase(one), one })),
    ({ one }) => judge(one),
  )
