import { runOptionalPart } from '../../lib/conformance/check-errors.ts'
import { isFailedExpectation, sortByRequest } from '../../lib/conformance/deviations.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { type CodeHostingClient, codeHostingEndpoints, type RepositoryPage } from './client.ts'
import { expect, invariant, verify, verifyList } from './dsl.ts'
import { skipUnmetNeed } from './needs.ts'
import { isListPage, isStatedPage } from './support/exchange-filters.ts'
import { beyondBounds } from './support/list-cases.ts'
import { expectNoServerError, pagesOf, pagesPastTheEnd } from './support/page-checks.ts'
import { type RepositoryList, shownSize } from './support/repository-list.ts'

const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

const everyPage = { appliesTo: isStatedPage, absenceReason: 'no page of a list' }

verifyList('code-hosting/pagination/page-header', async (list, { listCases }) => {
  for (const { page, number } of pagesOf(await list.boundaryPages())) {
    expect(page).toHaveHeader('X-Page', number)
  }
  await listCases.forEach(list, ({ page, expected }) =>
    expect(page).toHaveHeader('X-Page', expected.number),
  )
})

invariant('code-hosting/pagination/page-header', {
  ...everyPage,
  assert: (page) => expect(page).toHaveHeaderLike('X-Page', /^[1-9]\d*$/, 'a number from 1'),
})

verifyList('code-hosting/pagination/per-page-header', async (list, { listCases, settings }) => {
  const boundary = await list.boundaryPages()
  const length = await list.length()
  const size = shownSize(boundary.first, length)
  for (const { page } of pagesOf(boundary)) expect(page).toHaveHeader('X-PerPage', size)
  for (const page of await pagesPastTheEnd(list)) {
    if (isListPage(page)) expect(page).toHaveHeader('X-PerPage', size)
  }
  await listCases.forEach(list, ({ page, expected: { number, hasMore, size } }) => {
    // A page with all items does not depend on the size.
    if (number > 1 || hasMore) expect(page).toHaveHeader('X-PerPage', size)
  })
  await each([{}, { limit: settings.maxResponseItems + 1 }], async (query) => {
    const first = await list.page({ page: 1, ...query })
    if (isListPage(first)) expect(first).toHaveHeader('X-PerPage', shownSize(first, length))
  })
})

invariant('code-hosting/pagination/per-page-header', {
  ...everyPage,
  assert(page) {
    expect(page).toHaveHeaderLike('X-PerPage', /^[1-9]\d*$/, 'a number from 1')
    expect(page).toHaveItemsUpTo(Number(page.headers.get('x-perpage')))
  },
})

verifyList('code-hosting/pagination/has-more-header', async (list, { listCases }) => {
  const boundary = await list.boundaryPages()
  for (const { page, number } of pagesOf(boundary)) {
    expect(page).toHaveHeader('X-HasMore', String(number < boundary.count))
  }
  const lastPages = [boundary.pastTheEnd, (await list.fullLastPage()) ?? boundary.last]
  for (const page of lastPages.filter(isListPage)) expect(page).toHaveHeader('X-HasMore', 'false')
  await listCases.forEach(list, ({ page, expected }) =>
    expect(page).toHaveHeader('X-HasMore', String(expected.hasMore)),
  )
})

invariant('code-hosting/pagination/has-more-header', {
  ...everyPage,
  assert: (page) => expect(page).toHaveHeaderLike('X-HasMore', /^(true|false)$/, 'true or false'),
})

async function expectTotal(list: RepositoryList): Promise<void> {
  const pages = pagesOf(await list.boundaryPages()).map(({ page }) => page)
  if (pages.every((page) => !page.headers.has('X-Total-Count'))) {
    skipUnmetNeed('counted list')
  }
  const { length, isWhole } = await list.readAll()
  if (!isWhole) {
    for (const page of pages) {
      expect(page).toHaveHeader('X-Total-Count', pages[0]?.headers.get('X-Total-Count') ?? '')
      const total = Number(page.headers.get('X-Total-Count'))
      expect(page).toShow(total >= length, `X-Total-Count: ${length} or more`, `${total}`, {
        header: 'X-Total-Count',
      })
    }
  }
  const names = await list.names()
  for (const page of pages) expect(page).toHaveHeader('X-Total-Count', names.length)
}

verify('code-hosting/pagination/total-count', async ({ listCases, repositories, run, tokens }) => {
  await repositories.retryWhileChanging(async (list) => {
    await expectTotal(list)
    const total = await list.length()
    await allOrWorst([
      list.page({ limit: 1 }),
      pagesPastTheEnd(list),
      listCases.forEach(list, () => {}),
    ])
    for (const page of sortByRequest(
      [...list.inspectedPages],
      ({ record }) => record,
      run.normalize,
    ).filter(isStatedPage)) {
      expect(page).toHaveHeaderWherePresent('X-Total-Count', total)
    }
  })
  await runOptionalPart('The list that a public-only token sees', async () => {
    const token = await tokens.with('public-only', 'read:user', 'read:repository')
    await repositories.retryWhileChanging(expectTotal, bearer(token))
  })
})

function expectExposed(page: Exchange): void {
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
    const { url, credentials } = page.request
    const options = { credentials, headers: { Origin: origin } }
    await expectExposedTo(others, await client.linkedRepositories(url.href, options), client)
  }
}

verifyList(
  'code-hosting/pagination/exposed-headers',
  async (list, { codeHosting, singlePages }) => {
    const { first, middle = first, last, pastTheEnd } = await list.boundaryPages()
    const single = await runOptionalPart('A list of one page', () => singlePages(list))
    const pages = new Set([first, middle, last, pastTheEnd, ...(single ?? [])])
    await each([...pages].filter(isListPage), (page) => {
      const origins = ['https://client.example', page.request.url.origin]
      return expectExposedTo(origins, page, codeHosting)
    })
  },
)

const exposes = ({ request, headers }: Exchange) =>
  request.endpoint === codeHostingEndpoints.repositories &&
  request.headers?.Origin === undefined &&
  headers.has('Access-Control-Expose-Headers')

invariant('code-hosting/pagination/exposed-headers', {
  // If no page has the field without Origin, the check above sends Origin.
  appliesTo: (page, { run }) => isStatedPage(page) && run.exchanges.some(exposes),
  absenceReason: 'no page of a list with Access-Control-Expose-Headers',
  assert: expectExposed,
})

verifyList('code-hosting/pagination/past-the-end', async (list) => {
  const { last, count, limit } = await list.boundaryPages()
  for (const page of await pagesPastTheEnd(list)) {
    expect(page).toShow(page.status < 500, 'no server error', `status ${page.status}`, {
      status: true,
    })
    if (!isListPage(page)) continue
    expect(page).toHaveHeaderWherePresent('X-HasMore', 'false')
    expect(page).toLackLinkTo('next')
    // A server may return the last page again, with its page number.
    if (page.names?.length === 0) continue
    expect(page).toHaveHeaderWherePresent('X-Page', count)
    expect(page).toHoldTheSameAs(last)
  }
  await expectNoServerError(list, beyondBounds.pages, 'page', { limit })
})
