/** Pages of lists. Limits judge how many items a page has, pages judge which ones, header fields are judged against the page. */
import { isDeepStrictEqual } from 'node:util'
import { skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { note } from '../../lib/conformance/check-scope.ts'
import {
  displayHeader,
  displayText,
  isFailedExpectation,
} from '../../lib/conformance/deviations.ts'
import { each } from '../../lib/conformance/judge.ts'
import { type EveryResponse, type Levels, statusOf } from '../../lib/conformance/requirements.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { CodeHostingClient, PageQuery, RepositoryPage } from './client.ts'
import type {
  CodeHostingContext,
  CodeHostingObservation,
  CodeHostingRequirements,
  RequirementParts,
} from './context.ts'
import {
  belowOne,
  type Case,
  caseOf,
  cross,
  existing,
  honoured,
  isGrantedList,
  isOpen,
  isOtherFirst,
  isPlainSender,
  isStatedLimit,
  type LimitKind,
  limitKind,
  lowered,
  notPositive,
  otherLists,
  type PageKind,
  pageKind,
  pastTheEnd,
  sentPages,
} from './levels.ts'
import {
  areItemsOf,
  type ComparedPage,
  failTruncated,
  isListPage,
  isRepositoryPage,
  type Lists,
  movingData,
  namesOf,
  numberIn,
  ownerOf,
  ownPlace,
  PAGINATION_HEADERS,
  type PageSizes,
  type Reading,
  requestedPage,
  requireDistinctItems,
  sameNames,
} from './lists.ts'
import { expect, originOf } from './matchers.ts'
import { skipUnmetNeed } from './variables.ts'

const NO_REPOSITORIES = 'needs an account with repositories, and the main account has none'

const beyondBits = (parameter: string, bits: number) => ({
  [`beyond-${bits}-bits`]: `The server may return any response other than a server error for a ${parameter} of more than ${bits} bits.`,
})
const defaultSizes = {
  ...movingData,
  'default-above-maximum':
    'If the default page size is above the maximum page size, the server may use either.',
}
const anyOrder = { 'any-order': 'The server may return the items in any order.' }
/** A header field of every page. */
const onEveryPage = {
  because: 'the table of response headers has it on every page, like Link and X-Total-Count',
  needs: ['main account', 'one repository'],
  tolerances: movingData,
} as const

function expectNoServerError(page: Exchange): void {
  const actual = `status ${page.status}`
  expect(page).toShow(page.status < 500, 'no server error', actual, { status: true })
}

/** Cases of pages that show items of the right list, and what they show. */
const ofPages = (
  judge: (page: ComparedPage, lists: Lists) => unknown,
  { ofEmptyLists = false, ofRepeatingLists = false } = {},
): RequirementParts => ({
  under: isStatedLimit,
  given: [{ limit: 'maximum', page: '1' }],
  async shows(response, { lists }, one) {
    if (isOpen(one)) return expectNoServerError(response)
    const list = await lists.list(ownerOf(one))
    if (list.length === 0 && ownerOf(one) === 'main' && !ofEmptyLists) skip(NO_REPOSITORIES)
    if (!ofRepeatingLists) requireDistinctItems(list)
    return judge(await lists.compare(one), lists)
  },
})

/** Returns pages of the list. */
const inList = (...rows: Levels<Case>[]) =>
  cross(...rows.map((levels): Levels<Case> => ({ ...levels, resource: 'repositories' })))

/** Judges pages of all requirements, whose header fields are compared with the items of the page. */
const alsoPages = (
  judge: (page: ComparedPage, lists: Lists) => unknown,
  also: (one: Case) => boolean = () => true,
): RequirementParts => ({
  ...ofPages(async (compared, lists) => {
    const { one, page, list } = compared
    const isUnclear = isOtherFirst(one) && (await lists.isUnclear(compared))
    const isLast = isPastTheEnd(one) && isRepositoryPage(page) && isOfLastPage(compared, lists)
    if (isUnclear || !(compared.isMatching || isLast)) skipUnobserved('the page has other items')
    const totals = [page, list.shownBy[0]].map((at) => at?.headers.get('x-total-count'))
    if (!isPlainSender(one) && totals[0] && totals[1] && totals[0] !== totals[1])
      skipUnobserved('the page has another total than the list')
    try {
      await judge(compared, lists)
    } catch (error) {
      // Past the end, only the first page shows the size.
      if (isPastTheEnd(one)) await firstPage(one, lists)
      throw error
    }
  }),
  // Past the end, the items do not show the page size.
  also: (one) =>
    isGrantedList(one) &&
    one.after === undefined &&
    !isOpen(one) &&
    (!isPastTheEnd(one) || limitKind(one) === 'honoured') &&
    also(one),
})

/** Returns page 1 of the same list, if it is known. @throws Skip if it has other items */
async function firstPage(one: Case, lists: Lists): Promise<ComparedPage | undefined> {
  const first = await lists.compare({ ...one, page: '1' }).catch(() => undefined)
  if (first?.isMatching === false) skipUnobserved('page 1 itself has other items')
  return first
}

const isPastTheEnd = (one: Case) => pageKind(one) === 'past the end'

const isOfLastPage = (
  { page, query, expected: { count = 1 }, list }: ComparedPage,
  lists: Lists,
) => {
  const last = lists.expected(list, { ...query, page: count })
  return last === undefined || areItemsOf(list, last, namesOf(page))
}

type Every = EveryResponse<CodeHostingContext, Case>

/** The pages of every list that the run sees, whatever they were requested for. */
const everyPage = (shows: Every['shows'], isAbout: Every['is'] = () => true): Every => ({
  is: (page, context) => isListPage(page, context) && isAbout(page, context),
  canJudge: isGrantedList,
  absence: 'no page of a list',
  shows,
})

/** The parts of a page about further pages, by the requirement that judges each. */
const outlying = {
  'total-count': 'X-Total-Count',
  'link-when-several-pages': 'Link',
  'link-relations': 'Link',
  'has-more-header': 'X-HasMore',
} as const

type Outlying = keyof typeof outlying

/**
 * Returns the part of a page that contradicts the two others about further pages. Undefined if it may be any of
 * them, for a page past the end, and if the number, size or items of the page may be wrong.
 */
export function outlierOf(page: Exchange, settings: PageSizes): Outlying | undefined {
  const { number = 0, size = 0 } = requestedPage(page, settings) ?? {}
  const parameters = [...page.request.url.searchParams.keys()]
  const isKnown = parameters.every((name) => ['page', 'limit', 'sudo'].includes(name))
  const items = Array.isArray(page.json) ? page.json.length : 0
  const isShown = numberIn(page, 'x-page') === number && numberIn(page, 'x-perpage') === size
  if (!isKnown || !isShown || items === 0 || items > size) return undefined
  const total = numberIn(page, 'x-total-count')
  const hasMore = { true: true, false: false }[page.headers.get('x-hasmore')?.trim() ?? '']
  if (total === undefined || hasMore === undefined) return undefined
  const before = (number - 1) * size
  if (number > 1 && total <= before) return undefined
  const isCounted = total > number * size
  const isLinked = page.links.targets.has('next')
  // A wrong last page makes X-HasMore and Link promise a page alike: then the total may be right.
  if (total < before + items || (isCounted && !hasMore && !isLinked)) return 'total-count'
  if (isLinked === hasMore) return undefined
  if (!page.headers.has('link')) return isCounted ? 'link-when-several-pages' : undefined
  return isCounted === hasMore ? 'link-relations' : 'has-more-header'
}

/** Expects no outlier that a second page has too: the list may have changed while the first was made. */
function expectConsistent(
  requirement: Outlying,
  page: Exchange,
  { run, settings }: CodeHostingContext,
): void {
  // Other lists have too few pages in a run.
  if (!isRepositoryPage(page)) return
  const isOutlier = (one: Exchange) =>
    isRepositoryPage(one) && outlierOf(one, settings) === requirement
  if (!isOutlier(page) || !run.exchanges.some((one) => one !== page && isOutlier(one))) return
  const header = outlying[requirement]
  const expected = `${header} to agree with the other two of X-HasMore, X-Total-Count and Link`
  expect(page).toShow(false, expected, displayHeader(page, header), { header })
}

type Suffices = RequirementParts['suffices']

/** Skips unless a judged page has what a pass needs. */
const requires =
  (
    has: (page: ComparedPage) => boolean,
    otherwise: (pages: readonly ComparedPage[]) => void,
  ): Suffices =>
  async (judged, { lists }) => {
    const compared = await Promise.all(
      judged.map((one) => lists.compare(one).catch(() => undefined)),
    )
    const pages = compared.flatMap((page) => page ?? [])
    if (!pages.some(has)) otherwise(pages)
  }

/** A sentence about the page size. The same page at the maximum limit shows that other sentences hold. */
const ofLimit = (kind: LimitKind, ...rows: Levels<Case>[]): RequirementParts => ({
  cases: [...inList(...rows), ...sentPages.filter((one) => limitKind(one) === kind)],
  ...ofPages(
    ({ one, page, expected, isMatching, list }) => {
      const { items, offset, size } = expected
      expect(page).toHaveStatus(200)
      expect(page).toHoldPage(items, offset, isMatching)
      // The items do not show the size.
      const isShown = kind === 'honoured' ? list.names.size > 1 : one.page !== '1'
      if (isPlainSender(one) && !isShown) expect(page).toHaveHeaderWherePresent('X-PerPage', size)
    },
    { ofEmptyLists: true },
  ),
  // Other sentences judge the first pages and the end of the list of each sender; of further pages, only those of the plain one.
  given: (one) => [
    { limit: 'maximum', page: '1' },
    ...(isPlainSender(one) || pageKind(one) !== 'regular' ? [{ limit: 'maximum' } as const] : []),
  ],
  suffices: requires(
    ({ one, page, expected: { count } }) =>
      !isOpen(one) && (count !== 1 || page.headers.has('x-perpage')),
    (pages) => {
      const [first] = pages.filter(({ one }) => !isOpen(one))
      if (first === undefined) return skipUnobserved('no page could be compared with the list')
      const { size, items } = first.expected
      skip(`needs more than ${size} repositories, and the main account has ${items.length}`)
    },
  ),
  // Even of a list that cannot be read, a page may be too long.
  every: {
    ...everyPage(
      (page, { settings }) => {
        const { size = 0 } = requestedPage(page, settings) ?? {}
        expect(page).toHaveItemsUpTo(size)
        // pagination/per-page-header judges X-PerPage below the maximum.
        const isBeyond = (numberIn(page, 'x-perpage') ?? 0) > settings.maxResponseItems
        if (isBeyond && !isRepositoryPage(page)) expect(page).toHaveHeader('X-PerPage', size)
      },
      (page, { settings }) => requestedPage(page, settings)?.kind === kind,
    ),
    canJudge: (one) => isGrantedList(one) && limitKind(one) === kind,
  },
})

/** A sentence about another page number, or none, for the first page. */
const ofFirstPage = (kind: PageKind, ...rows: Levels<Case>[]): RequirementParts => ({
  cases: [...inList(...rows), ...sentPages.filter((one) => pageKind(one) === kind)],
  ...ofPages(async (compared, lists) => {
    const { one, page, expected, isMatching, list } = compared
    const isUnclear = await lists.isUnclear(compared)
    const first = isMatching && !isUnclear ? undefined : await firstPage(one, lists)
    expect(page).toHaveStatus(200)
    expect(page).toHoldPage(expected.items, expected.offset, isMatching)
    const [listed] = list.shownBy
    if (listed) expect(page).toReportTheSamePageAs(listed)
    // Without a known order, only the first page itself shows its items.
    if (first && isUnclear) {
      const names = namesOf(first.page)
      expect(page).toHoldPage(names, 0, isRepositoryPage(page) && sameNames(namesOf(page), names))
    }
  }),
  suffices: showsItems(),
})

/** Expects the relation types that apply. A list that does not count its items cannot know its last page. */
function expectRelations({ page, expected: { number, hasMore } }: ComparedPage): void {
  const isCounted = page.headers.has('X-Total-Count')
  if (number === 1) expect(page).toLackLinkTo('prev')
  else for (const relation of ['first', 'prev']) expect(page).toLinkTo(relation)
  if (!hasMore) expect(page).toLackLinkTo('next')
  else
    for (const relation of isCounted ? ['next', 'last'] : ['next']) expect(page).toLinkTo(relation)
}

/** Query parameters that carry a token, which a link need not repeat. */
const TOKEN_PARAMETERS = ['token', 'access_token']

/**
 * Returns true if a target differs from the request of its page only in the documented parameters, and these name
 * the page. Other targets are right if following them shows the page.
 */
function namesPage(from: RepositoryPage, target: string, number: number, size: number): boolean {
  const { url } = from.request
  if (!URL.canParse(target, url.href)) return false
  const to = new URL(target, url)
  const without = (names: readonly string[], { searchParams }: URL) =>
    [...searchParams].filter(([name]) => !names.includes(name)).map((pair) => pair.join('='))
  const others = without(['page', 'limit', ...TOKEN_PARAMETERS], url)
  const expected = [...others, `page=${number}`, `limit=${size}`]
  const isSame = isDeepStrictEqual(without(TOKEN_PARAMETERS, to).sort(), expected.sort())
  return to.pathname === url.pathname && isSame
}

/** Expects each link of a page to lead to the page of its relation type. */
async function expectTargets(compared: ComparedPage, lists: Lists): Promise<void> {
  const { one, page, query, expected, list, options } = compared
  const { number, hasMore, count, size } = expected
  const promised = {
    next: hasMore ? number + 1 : undefined,
    // On the last page and past the end, the server may name these too.
    last: count,
    first: 1,
    prev: number > 1 && !isPastTheEnd(one) ? number - 1 : undefined,
  }
  for (const [relation, number] of Object.entries(promised)) {
    const target = page.links.targets.get(relation)
    const linked = number && lists.expected(list, { ...query, page: number })
    if (target === undefined || !linked || namesPage(page, target, number, size)) continue
    const followed = await list.reading.follow(page, target, options)
    const { items, offset } = linked
    expect(followed).toReportTheSamePageAs(await list.reading.page({ ...query, page: number }))
    expect(followed).toHoldPage(items, offset, areItemsOf(list, linked, namesOf(followed)))
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

function expectExposed(page: Exchange): void {
  for (const name of PAGINATION_HEADERS.filter((name) => page.headers.has(name))) {
    expect(page).toListInHeader('Access-Control-Expose-Headers', name)
  }
}

/** Skips if each judged page is of an empty list, where pages do not differ. */
function showsItems(): Suffices {
  return requires(
    ({ list }) => list.length !== 0,
    () => skip(NO_REPOSITORIES),
  )
}

const hasSeveralPages = ({ expected: { count } }: ComparedPage) => count !== 1
const requireLinks = requires(
  ({ page }) => page.links.targets.size > 0,
  (pages) => {
    const reason = 'no page has a Link; see code-hosting/pagination/link-when-several-pages'
    if (pages.some(hasSeveralPages)) skipUnobserved(reason)
    skip(reason)
  },
)

/** Reads pages of the list of tokens, which is long after a few runs. */
const readTokens = ({ suppliedReads }: CodeHostingContext) => suppliedReads.readTokenPages()

export const requirements = {
  'pagination/default-limit': {
    statement: 'If the request has no limit parameter, the server uses the default page size.',
    needs: ['main account', 'default within maximum'],
    tolerances: defaultSizes,
    ...ofLimit('absent', { limit: 'absent', page: ['1', '2', 'last'] }),
  },
  'pagination/limit-not-positive': {
    statement: 'If limit is 0 or less, the server uses the default page size.',
    needs: ['main account', 'default within maximum'],
    tolerances: { ...defaultSizes, ...beyondBits('limit', 63) },
    ...ofLimit('not positive', { limit: notPositive, page: '1' }, { limit: '0', page: '2' }),
  },
  'pagination/limit-honoured': {
    statement:
      'If limit is between 1 and the maximum page size, inclusive, the server uses it as the page size.',
    needs: ['main account'],
    tolerances: movingData,
    ...ofLimit(
      'honoured',
      { limit: honoured, page: '1' },
      { limit: ['2', 'full pages'], page: ['2', 'last'] },
      { limit: ['default + 1', 'maximum - 1'], page: '2' },
      { limit: '1', page: existing },
      { limit: 'maximum', page: ['2', 'last'] },
      { limit: 'full pages', page: ['1', 'last'], by: otherLists },
    ),
  },
  'pagination/limit-lowered': {
    statement:
      'If limit is above the maximum page size, the server uses the maximum page size and returns no error.',
    because: 'the table of query parameters lowers a larger limit without an error',
    needs: ['main account'],
    tolerances: { ...movingData, ...beyondBits('limit', 63) },
    ...ofLimit(
      'lowered',
      { limit: lowered, page: '1' },
      { limit: 'maximum + 1', page: ['2', 'last'] },
    ),
    steps: readTokens,
  },
  'pagination/short-page-is-not-the-end': {
    statement:
      'A page with fewer items than the requested limit is still followed by further pages if items remain.',
    needs: ['main account', 'multi-page list'],
    tolerances: movingData,
    cases: inList(
      { limit: 'maximum + 1', page: ['absent', '1'] },
      { limit: 'a thousand', page: '1' },
    ),
    ...ofPages(({ page, expected }) => {
      const { hasMore, size } = expected
      // A limit that is not lowered is judged by pagination/limit-lowered.
      if (!hasMore || !isRepositoryPage(page) || namesOf(page).length > size) return
      expect(page).toHaveHeaderWherePresent('X-HasMore', 'true')
      expect(page).toLinkTo('next')
    }),
    suffices: requires(
      ({ page, expected: { hasMore, size } }) =>
        hasMore && page.minLength === undefined && namesOf(page).length <= size,
      (pages) => {
        if (pages.some(({ expected: { hasMore } }) => hasMore))
          skipUnobserved('no limit was lowered; see code-hosting/pagination/limit-lowered')
        skip('needs an account with more repositories than the maximum page size')
      },
    ),
  },
  'pagination/first-page-default': {
    statement: 'If the request has no page parameter, the server returns the first page.',
    needs: ['main account', 'one repository'],
    tolerances: { ...movingData, ...anyOrder },
    ...ofFirstPage('absent', { page: 'absent', limit: ['absent', '2', 'maximum', 'maximum + 1'] }),
  },
  'pagination/page-below-one': {
    statement: 'If page is less than 1, the server returns the first page.',
    needs: ['main account', 'own repository'],
    tolerances: { ...movingData, ...anyOrder, ...beyondBits('page number', 53) },
    ...ofFirstPage(
      'below one',
      { page: belowOne, limit: '2' },
      { page: '0', limit: 'absent' },
      { page: '-1', limit: '1' },
    ),
  },
  'pagination/past-the-end': {
    statement:
      'A response for a page number past the end announces no further pages, as follows from X-HasMore and next.',
    needs: ['main account', 'one repository'],
    tolerances: {
      ...movingData,
      'any-rejection': 'The server may reject the request, for example with 404.',
      'last-page': 'The server may return the last page, with its page number.',
      ...beyondBits('page number', 53),
    },
    cases: [
      ...inList(
        { page: pastTheEnd, limit: 'maximum' },
        { page: 'last + 1', limit: ['absent', '1', 'full pages'] },
      ),
      ...sentPages.filter(isPastTheEnd),
      ...inList({ page: 'last + 1', limit: 'full pages', by: otherLists }),
    ],
    ...ofPages((compared, lists) => {
      const { page, query, expected, list } = compared
      expectNoServerError(page)
      if (!isRepositoryPage(page)) return
      expect(page).toHaveHeaderWherePresent('X-HasMore', 'false')
      expect(page).toLackLinkTo('next')
      // A server may return the last page again, with its page number.
      if (page.names?.length === 0) return
      const { count = 1 } = expected
      expect(page).toHaveHeaderWherePresent('X-Page', count)
      const { items = [], offset = 0 } = lists.expected(list, { ...query, page: count }) ?? {}
      expect(page).toHoldPage(items, offset, isOfLastPage(compared, lists))
    }),
    given: [
      { limit: 'maximum', page: '1' },
      { limit: 'maximum', page: '2' },
    ],
    suffices: showsItems(),
  },
  'pagination/page-header': {
    impact: 'format',
    statement: 'Every paginated response includes X-Page with the 1-based page number.',
    ...onEveryPage,
    ...alsoPages(
      ({ page, expected }) => expect(page).toHaveHeaderWherePresent('X-Page', expected.number),
      (one) => pageKind(one) === 'regular',
    ),
    steps: readTokens,
    every: everyPage((page, context) => {
      expect(page).toHaveHeaderLike('X-Page', /^[1-9]\d*$/, 'a number from 1')
      const place = ownPlace(page, context.settings)
      if (place) expect(page).toHaveHeader('X-Page', place.number)
    }),
  },
  'pagination/per-page-header': {
    impact: 'format',
    statement: 'Every paginated response includes X-PerPage with the page size used.',
    ...onEveryPage,
    ...alsoPages(({ page, expected }) => {
      // A page with all items does not depend on the size.
      if (expected.count !== 1) expect(page).toHaveHeaderWherePresent('X-PerPage', expected.size)
    }),
    every: everyPage((page, context) => {
      expect(page).toHaveHeaderLike('X-PerPage', /^[1-9]\d*$/, 'a number from 1')
      expect(page).toHaveItemsUpTo(Number(page.headers.get('x-perpage')))
      const { size, hasMore, kind } = ownPlace(page, context.settings) ?? {}
      // A page before the last one shows the size that was used.
      const isFull = hasMore && Array.isArray(page.json) && page.json.length === size
      if (isFull && kind !== 'lowered') expect(page).toHaveHeader('X-PerPage', size)
    }),
  },
  'pagination/has-more-header': {
    impact: 'format',
    statement:
      'Every paginated response includes X-HasMore, which is true if further pages follow and false otherwise.',
    ...onEveryPage,
    ...alsoPages(({ page, expected }) =>
      expect(page).toHaveHeaderWherePresent('X-HasMore', String(expected.hasMore)),
    ),
    every: everyPage((page, context) => {
      expect(page).toHaveHeaderLike('X-HasMore', /^(true|false)$/, 'true or false')
      const { hasMore } = ownPlace(page, context.settings) ?? {}
      // Otherwise the total may be wrong.
      if (hasMore === page.links.targets.has('next'))
        expect(page).toHaveHeader('X-HasMore', String(hasMore))
      expectConsistent('has-more-header', page, context)
    }),
  },
  'pagination/total-count': {
    impact: 'format',
    statement: 'X-Total-Count is the number of items on all pages combined.',
    needs: ['main account', 'one repository', 'counted list', 'complete list'],
    tolerances: {
      ...movingData,
      'not-counted': 'The server may omit X-Total-Count for a list whose items it does not count.',
    },
    ...ofPages(
      async ({ one, page, list, isOfList }, lists) => {
        // A server may leave a list uncounted that a token restricts.
        const isOwn = ownerOf(one) === 'public-only'
        const counting = isOwn ? list : await lists.list('main').catch(() => undefined)
        if (!isOfList) return
        const { names, length, reading } = list
        const isRead = length !== undefined
        const reported = counting?.shownBy[0]?.headers.get('x-total-count') ?? null
        const total = isRead || reported === null ? names.size : Number(reported)
        // An endpoint counts its items on all pages and for all accounts, or on none.
        if (reported !== null && !isPastTheEnd(one))
          expect(page).toHaveHeader('X-Total-Count', total)
        else if (isRead) expect(page).toHaveHeaderWherePresent('X-Total-Count', total)
        const expected = `X-Total-Count: ${names.size} or more`
        expect(page).toShow(total >= names.size, expected, `${total}`, { header: 'X-Total-Count' })
        await reading.requireComplete()
      },
      { ofRepeatingLists: true },
    ),
    also: (one) => isGrantedList(one) && one.after === undefined && !isOpen(one),
    suffices: requires(
      ({ page }) => page.headers.has('x-total-count'),
      () => skipUnmetNeed('counted list'),
    ),
    every: everyPage((page, context) => {
      expectConsistent('total-count', page, context)
      // A list that counts, counts on every page.
      const isCounted = (other: Exchange) =>
        other.headers.has('X-Total-Count') &&
        isDeepStrictEqual(other.request.credentials, page.request.credentials) &&
        isRepositoryPage(other)
      if (page.headers.has('X-Total-Count') || !isRepositoryPage(page)) return
      const isEmpty = Array.isArray(page.json) && page.json.length === 0
      if (!isEmpty && context.run.exchanges.some(isCounted))
        expect(page).toHaveHeader('X-Total-Count')
    }),
  },
  'pagination/link-when-several-pages': {
    impact: 'format',
    statement:
      'A paginated response includes Link only if the list has more than one page, and then on every page, so that a client can follow next.',
    needs: ['main account', 'one repository', 'single-page list'],
    tolerances: movingData,
    ...alsoPages(({ one, page, expected }) => {
      if (expected.count === 1) expect(page).toHaveNoHeader('Link')
      else if (!isPastTheEnd(one)) expect(page).toHaveHeader('Link')
    }),
    suffices: requires(
      ({ expected: { count } }) => count === 1,
      () => skip('needs a list of one page: CODE_HOSTING_OTHER_USERNAME may name a small account'),
    ),
    every: everyPage((page, context) => {
      expectConsistent('link-when-several-pages', page, context)
      const { number = 1, hasMore = false } = ownPlace(page, context.settings) ?? {}
      // The total may be wrong instead.
      const isContradicted = hasMore && page.headers.get('x-hasmore') === 'false'
      if ((number > 1 || hasMore) && !isContradicted) expect(page).toHaveHeader('Link')
    }),
  },
  'pagination/link-form': {
    impact: 'format',
    statement:
      'Link lists targets in angle brackets, each with the relation type next, last, first, or prev.',
    needs: ['main account', 'two repositories'],
    tolerances: {
      ...movingData,
      'quotes-and-spaces': 'The server may use or omit quotes and spaces as RFC 8288 allows.',
      'further-parameters': 'A link may have additional parameters.',
      'relations-in-any-case': 'The relation types may be in any letter case.',
      'shared-targets': 'One rel parameter may hold several relation types.',
      'several-lines': 'The server may send several Link header fields instead of one.',
      'relative-targets': 'The targets may be relative references.',
      'other-origin': 'The targets may have another origin.',
    },
    ...alsoPages(({ page }) => {
      if (page.headers.has('link'))
        expect(page).toHaveLinkOfRelations('next', 'last', 'first', 'prev')
    }),
    suffices: requireLinks,
  },
  'pagination/link-relations': {
    impact: 'format',
    statement:
      'Link includes the relation types that apply to the page and omits the others; last is required only if the list reports its total.',
    needs: ['main account', 'two repositories'],
    tolerances: {
      ...movingData,
      'relations-to-itself':
        'The first page may include the relation type first, and the last page the relation type last.',
      'not-counted': 'A list that does not report its total may omit the relation type last.',
    },
    ...alsoPages(expectRelations, (one) => !isPastTheEnd(one)),
    suffices: requires(hasSeveralPages, () =>
      skip('needs an account with 2 or more repositories, and the main account has fewer'),
    ),
    every: everyPage((page, context) => expectConsistent('link-relations', page, context)),
  },
  'pagination/link-targets': {
    impact: 'format',
    statement: 'Each target in Link leads to the page that its relation type names.',
    needs: ['main account', 'two repositories'],
    tolerances: {
      ...movingData,
      'relative-targets': 'The targets may be relative references.',
      'other-origin':
        'The targets may have another origin; they are then followed at the base URL.',
      'any-query': 'A target may use any query that leads to the page.',
    },
    ...alsoPages(expectTargets),
    suffices: requireLinks,
  },
  'pagination/walk': {
    statement: 'A client that follows next links until there are none visits every page once.',
    needs: ['main account', 'own repository', 'complete list'],
    tolerances: movingData,
    steps: ({ lists, settings }) =>
      lists.stable('main', async () => {
        const { reading, length } = await lists.list('main')
        const { maxResponseItems: maximum } = settings
        const above = { limit: maximum + 1 }
        // A limit that is not lowered is judged by pagination/limit-lowered.
        const page = await reading.page({ page: 1, ...above })
        const isAccepted = isRepositoryPage(page) && page.minLength === undefined
        const half = (count: number) => Math.max(1, Math.min(maximum, Math.floor((count - 1) / 2)))
        const queries = [
          ...[{}, { limit: maximum }, ...(isAccepted ? [above] : [])],
          // With few repositories, only a smaller limit makes several pages.
          ...(length === undefined ? [] : [{ limit: half(length) }]),
        ]
        await each(queries, (query) => expectWalk(reading, query))
      }),
  },
  'pagination/exposed-headers': {
    impact: 'format',
    statement:
      'Access-Control-Expose-Headers lists the pagination header fields that the response includes: Link, X-Total-Count, X-Page, X-PerPage, and X-HasMore.',
    needs: ['main account', 'one repository'],
    tolerances: {
      ...movingData,
      'only-with-origin': 'The server may send the header field only if the request has Origin.',
      'any-case-and-order': 'The names may be in any letter case and in any order.',
      'further-names': 'Access-Control-Expose-Headers may list additional names.',
    },
    also: (one) => isGrantedList(one) && one.after === undefined && !isOpen(one),
    async shows(response, { codeHosting }) {
      if (!isRepositoryPage(response)) skipUnobserved('the response is not a page of a list')
      const origins = ['https://client.example', response.request.url.origin]
      await expectExposedTo(origins, response as RepositoryPage, codeHosting)
    },
    // If no page has the field without Origin, the check sends Origin.
    every: everyPage(expectExposed, (_, context) =>
      context.run.exchanges.some(
        (page) =>
          page.headers.has('Access-Control-Expose-Headers') &&
          page.request.headers?.Origin === undefined &&
          isListPage(page, context),
      ),
    ),
  },
} satisfies CodeHostingRequirements

/** Maximum number of pages of a walk with another limit than the maximum. */
const WALKED_PAGES = 30

/**
 * Follows `next` from page 1 and expects every item once, as many as X-Total-Count says, and an end. With other limits
 * than the maximum, only the first pages of a long list are visited.
 */
export async function expectWalk(list: Reading, { limit }: PageQuery): Promise<void> {
  const { maximum, maxPages } = list.limits
  const isComplete = Number(limit) === maximum
  const { pages, end, names, isEndless, isCut } = await list.walk(
    { page: 1, ...(limit && { limit }) },
    isComplete ? maxPages : Math.min(maxPages, WALKED_PAGES),
  )
  for (const page of pages) {
    expect(page).toHaveStatus(200)
    expect(page).toShow(page.names !== undefined, 'a list of repositories', 'none')
  }
  expect(end).toShow(!isEndless, 'a walk that ends', 'a next link to a page without new items')
  const seen = new Set<string>()
  const shown = pages.flatMap((page) => page.names ?? [])
  const repeated = shown.find((name) => seen.size === seen.add(name).size)
  const twice = `${displayText(end, String(repeated))} twice`
  expect(end).toShow(repeated === undefined, 'every item once', twice)
  if (isCut && !isComplete) {
    const query = limit ? `With limit=${limit}` : 'Without limit'
    return note(`${query} the first ${pages.length} pages were walked.`)
  }
  if (isCut) failTruncated(pages.length)
  const all = await list.all()
  if (all.names.size === 0) skip(NO_REPOSITORIES)
  const missing = [...all.names].filter((name) => !names.has(name))
  const expected = `all ${all.names.size} items on the way`
  const actual = `${names.size} items, without ${displayText(end, String(missing[0]))}`
  expect(end).toShow(missing.length === 0, expected, actual)
  // The walk ended, but the reading by page numbers did not.
  await list.requireComplete()
  expect(pages[0]).toHaveHeaderWherePresent('X-Total-Count', names.size)
}

const firstOfSeveral = caseOf({ resource: 'repositories', limit: '1' })

export const observations = {
  'pagination/limit-not-a-number/status': {
    of: ['pagination/limit-not-positive'],
    description: 'Status code of a list request with limit=abc.',
    value: async ({ codeHosting }) => (await codeHosting.repositories({ limit: 'abc' })).status,
  },
  'pagination/page-not-a-number/status': {
    of: ['pagination/page-below-one'],
    description: 'Status code of a list request with page=abc.',
    value: async ({ codeHosting }) => (await codeHosting.repositories({ page: 'abc' })).status,
  },
  'pagination/limit-beyond-63-bits/status': {
    of: ['pagination/limit-lowered'],
    description: 'Status code of a list request with limit=10^30.',
    value: statusOf(caseOf({ resource: 'repositories', limit: '10^30' })),
  },
  'pagination/page-beyond-53-bits/status': {
    of: ['pagination/past-the-end'],
    description: 'Status code of a list request with page=2^63.',
    value: statusOf(caseOf({ resource: 'repositories', page: '2^63' })),
  },
  'pagination/link/origin': {
    of: ['pagination/link-form', 'pagination/link-targets'],
    description: 'Origin of the targets in Link.',
    async value({ lists }) {
      const { page } = await lists.compare(firstOfSeveral)
      return originOf(page.links.targets.get('next'))
    },
  },
  'pagination/link/first-page-names-first': {
    of: ['pagination/link-relations'],
    description: 'Whether Link on the first page includes the relation type first.',
    async value({ lists }) {
      const { page, expected } = await lists.compare(firstOfSeveral)
      return expected.count === 1 ? undefined : page.links.targets.has('first')
    },
  },
  'pagination/link/last-page-names-last': {
    of: ['pagination/link-relations'],
    description: 'Whether Link on the last page includes the relation type last.',
    async value({ lists }) {
      const { page, expected } = await lists.compare({ ...firstOfSeveral, page: 'last' })
      const { count = 1 } = expected
      return count > 1 ? page.links.targets.has('last') : undefined
    },
  },
} satisfies Record<string, CodeHostingObservation>
