import { skip } from '../../../lib/conformance/check-errors.ts'
import { isFailedExpectation } from '../../../lib/conformance/deviations.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient, RepositoryPage } from '../client.ts'
import { expect } from '../matchers.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { RequirementId } from '../requirements.ts'
import { isPublicOnly } from './case.ts'
import { isListPage } from './exchange-filters.ts'
import {
  type ComparedPage,
  defaultSender,
  isDefaultSender,
  type JudgedList,
  namesOf,
} from './judged-list.ts'
import { expectRelations, expectTargets, requireLinks } from './link-rules.ts'
import type { Explanation, ListRule } from './list-checks.ts'
import {
  isPastTheEnd,
  type LimitKind,
  type ListCase,
  limitKind,
  limits,
  type PageKind,
  pageKind,
  pages,
} from './list-table.ts'
import { areItemsOf } from './pages.ts'

const isMainList = (one: ListCase) => (one.sudo?.as ?? one.actor) === 'main' && !isPublicOnly(one)

/** The first page at the maximum limit, if it shows another list, or none: other requirements judge the access to it. */
const otherList: readonly [Partial<ListCase>, Explanation, 'or the page itself'] = [
  { limit: 'maximum', page: '1' },
  ({ one, page, isOfList }) =>
    !isListPage(page) || (!isOfList && (one.sudo !== undefined || one.actor !== 'main')),
  'or the page itself',
]

const deviates: Explanation = ({ isMatching }) => !isMatching

/** Returns true for items from another place of the list than the page starts at. */
const isMisplaced: Explanation = ({ page, known, isOrdered, expected: { offset } }) => {
  const names = namesOf(page)
  const length = names.length
  const items = known.itemsByPage.flat().slice(offset, offset + length)
  if (length === 0 || !areItemsOf(known, { offset, items, shown: length }, names)) return true
  return isOrdered && items[0] !== names[0]
}

/** Expects exactly the items of a page; in their order if the list has one. */
function expectItems({ page, expected, isMatching }: ComparedPage): void {
  const { items = [], offset } = expected
  expect(page).toHaveStatus(200)
  expect(page).toHoldPage(items, offset, isMatching)
}

/** Expects a page whose size the limit determines. */
const ofLimit = (kind: LimitKind): ListRule => ({
  applies: (one) => limitKind(one) === kind && !isPastTheEnd(one) && !('isOpen' in pages[one.page]),
  // The rule about the page judges what only that page shows.
  explanations: (one) =>
    pageKind(one) === 'regular'
      ? [otherList]
      : [otherList, [{}, isMisplaced], [{ limit: 'maximum' }, deviates]],
  ofAnyPage: true,
  ofEmptyLists: true,
  ofUnreadLists: true,
  ofOpenNumbers: true,
  assert(compared) {
    const { one, page, expected } = compared
    // A page with all items shows no size.
    const isFirst = one.page === '1' && kind !== 'honoured'
    if (isMainList(one) && (isFirst || expected.count === 1)) {
      expect(page).toHaveHeaderWherePresent('X-PerPage', expected.size)
    }
    expectItems(compared)
  },
  requires(judged) {
    const showsSize = ({ page, expected: { count } }: ComparedPage) =>
      count !== 1 || page.headers.has('x-perpage')
    const [first] = judged
    if (first === undefined || judged.some(showsSize)) return
    const { size, shown } = first.expected
    skip(`needs more than ${size} repositories, and the main account has ${shown}`)
  },
})

/** Expects the first page for another page number, or none. */
const ofFirstPage = (kind: PageKind): ListRule => ({
  applies: (one) => pageKind(one) === kind && !('isOpen' in limits[one.limit]),
  explanations: () => [otherList, [{ page: '1' }, deviates]],
  ofAnyPage: true,
  ofOpenNumbers: true,
  async assert(compared, list) {
    const { one, page } = compared
    if (list.first) expect(page).toReportTheSamePageAs(list.first)
    expectItems(compared)
    // Without a known order, only the first page itself shows its items.
    const isUnclear = await list.isUnclear(compared)
    const same = isUnclear ? await list.compare({ ...one, page: '1' }) : undefined
    if (same) expect(page).toHoldTheSameAs(same.page)
  },
})

const isOfLastPage = (
  { page, query, expected: { count = 1 }, known }: ComparedPage,
  list: JudgedList,
) => {
  const last = list.expected({ ...query, page: count })
  return last === undefined || areItemsOf(known, last, namesOf(page))
}

const sameSize = [{}, defaultSender].map((by) => [{ ...by, page: '1' } as const, deviates] as const)

/** Expects no further pages, and no items or the items of the last page. */
const pastTheEnd: ListRule = {
  applies: (one) => isPastTheEnd(one) && !('isOpen' in limits[one.limit]),
  explanations: () => [otherList, ...sameSize],
  ofAnyPage: true,
  ofOpenNumbers: true,
  assert(compared, list) {
    const { page, query, expected } = compared
    const { status } = page
    expect(page).toShow(status < 500, 'no server error', `status ${status}`, { status: true })
    if (!isListPage(page)) return
    expect(page).toHaveHeaderWherePresent('X-HasMore', 'false')
    expect(page).toLackLinkTo('next')
    // A server may return the last page again, with its page number.
    if (page.names?.length === 0) return
    const { count = 1 } = expected
    expect(page).toHaveHeaderWherePresent('X-Page', count)
    const { items = [], offset = 0 } = list.expected({ ...query, page: count }) ?? {}
    expect(page).toHoldPage(items, offset, isOfLastPage(compared, list))
  },
}

/** A rule about the header fields of every page; past the end, the items do not show the page size. */
const everyPage = (assert: ListRule['assert']): ListRule => ({
  applies: (one) => !isPastTheEnd(one) || limitKind(one) === 'honoured',
  explanations: (one) => [otherList, ...(isPastTheEnd(one) ? sameSize : [])],
  ofAnyPage: true,
  async assert(compared, list) {
    const { one, page, isMatching } = compared
    const isFirst = ['absent', 'below one'].includes(pageKind(one))
    if (isFirst && (await list.isUnclear(compared))) return
    const isLastPage = isPastTheEnd(one) && isListPage(page) && isOfLastPage(compared, list)
    if (isMatching || isLastPage) await assert(compared, list)
  },
})

async function expectTotal(
  { one, page, isOfList }: ComparedPage,
  { counting, list, names, isRead }: JudgedList,
): Promise<void> {
  if (!isOfList) return
  const reported = counting?.headers.get('x-total-count') ?? null
  const total = isRead || reported === null ? names.size : Number(reported)
  // An endpoint counts its items on all pages and for all accounts, or on none.
  if (reported !== null && !isPastTheEnd(one)) expect(page).toHaveHeader('X-Total-Count', total)
  else if (isRead) expect(page).toHaveHeaderWherePresent('X-Total-Count', total)
  const expected = `X-Total-Count: ${names.size} or more`
  expect(page).toShow(total >= names.size, expected, `${total}`, { header: 'X-Total-Count' })
  await list.names()
}

const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

export function expectExposed(page: Exchange): void {
  for (const name of PAGINATION_HEADERS.filter((name) => page.headers.has(name))) {
    expect(page).toListInHeader('Access-Control-Expose-Headers', name)
  }
}

/** Repeats the request with each origin: a server may send the field only to known origins. */
async function expectExposedTo(
  origins: readonly string[],
  page: RepositoryPage,
  client: CodeHostingClient,
): Promise<void> {
  try {
    expectExposed(page)
  } catch (error) {
    const [origin, ...others] = origins
    if (origin === undefined || !isFailedExpectation(error)) throw error
    const { url, credentials, headers } = page.request
    const options = { credentials, headers: { ...headers, Origin: origin } }
    await expectExposedTo(others, await client.linkedRepositories(url.href, options), client)
  }
}

/** The sentences about pages of lists, by requirement. */
export const listRules = {
  'code-hosting/pagination/default-limit': ofLimit('absent'),
  'code-hosting/pagination/limit-not-positive': ofLimit('not positive'),
  'code-hosting/pagination/limit-honoured': ofLimit('honoured'),
  'code-hosting/pagination/limit-lowered': ofLimit('lowered'),
  'code-hosting/pagination/first-page-default': ofFirstPage('absent'),
  'code-hosting/pagination/page-below-one': ofFirstPage('below one'),
  'code-hosting/pagination/past-the-end': pastTheEnd,
  'code-hosting/pagination/page-header': {
    ...everyPage(({ page, expected }) => expect(page).toHaveHeader('X-Page', expected.number)),
    applies: (one) => pageKind(one) === 'regular',
  },
  'code-hosting/pagination/per-page-header': everyPage(({ page, expected: { count, size } }) => {
    // A page with all items does not depend on the size.
    if (count !== 1) expect(page).toHaveHeader('X-PerPage', size)
  }),
  'code-hosting/pagination/has-more-header': everyPage(({ page, expected: { hasMore } }) =>
    expect(page).toHaveHeader('X-HasMore', String(hasMore)),
  ),
  'code-hosting/pagination/total-count': {
    applies: () => true,
    explanations: () => [otherList],
    ofAnyPage: true,
    ofAnyList: true,
    assert: expectTotal,
    requires(judged) {
      const isCounted = judged.some(({ page }) => page.headers.has('x-total-count'))
      if (!isCounted) skipUnmetNeed('counted list')
    },
  },
  'code-hosting/pagination/link-when-several-pages': {
    ...everyPage(({ one, page, expected }) => {
      if (expected.count === 1) expect(page).toHaveNoHeader('Link')
      else if (!isPastTheEnd(one)) expect(page).toHaveHeader('Link')
    }),
    requires(judged) {
      if (judged.some(({ expected }) => expected.count === 1)) return
      skip('needs a list of one page: CODE_HOSTING_OTHER_USERNAME may name a small account')
    },
  },
  'code-hosting/pagination/link-form': {
    ...everyPage(({ page }) => {
      if (!page.headers.has('link')) return
      expect(page).toHaveLinkOfRelations('next', 'last', 'first', 'prev')
    }),
    requires: requireLinks,
  },
  'code-hosting/pagination/link-relations': {
    ...everyPage(expectRelations),
    applies: (one) => !isPastTheEnd(one),
    requires(judged) {
      if (judged.some(({ expected }) => expected.count !== 1)) return
      skip('needs an account with 2 or more repositories, and the main account has 1')
    },
  },
  'code-hosting/pagination/link-targets': {
    ...everyPage(expectTargets),
    requires: requireLinks,
  },
  'code-hosting/pagination/short-page-is-not-the-end': {
    applies: (one) =>
      isDefaultSender(one) && limitKind(one) === 'lowered' && ['absent', '1'].includes(one.page),
    ofAnyPage: true,
    assert({ page, expected: { hasMore, size } }) {
      // A limit that is not lowered is reported by code-hosting/pagination/limit-lowered.
      if (!hasMore || !isListPage(page) || namesOf(page).length > size) return
      expect(page).toHaveHeaderWherePresent('X-HasMore', 'true')
      expect(page).toLinkTo('next')
    },
    requires(judged) {
      const showsFurtherPage = ({ page, expected: { hasMore, size } }: ComparedPage) =>
        hasMore && page.minLength === undefined && namesOf(page).length <= size
      if (judged.some(showsFurtherPage)) return
      skip('needs an account with more repositories than the maximum page size')
    },
  },
} satisfies Partial<Record<RequirementId, ListRule>>

export const exposedHeaders = (client: CodeHostingClient): ListRule => ({
  applies: () => true,
  ofAnyPage: true,
  assert: ({ page }) =>
    isListPage(page) &&
    expectExposedTo(['https://client.example', page.request.url.origin], page, client),
})
