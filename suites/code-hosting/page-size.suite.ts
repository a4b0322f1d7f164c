import { runOptionalPart, skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { expect, observe, verifyList } from './dsl.ts'
import type { CodeHostingContext } from './support/context.ts'
import { isListPage } from './support/exchange-filters.ts'
import { beyondBounds, farPages } from './support/list-cases.ts'
import { expectNoServerError, expectPageSize, firstPageQuery } from './support/page-checks.ts'
import type { RepositoryList } from './support/repository-list.ts'
import { legacyCredentials } from './support/token-schemes.ts'

verifyList('code-hosting/pagination/default-limit', (list, { settings }) =>
  expectPageSize(list, {}, settings.defaultPagingNum),
)

verifyList('code-hosting/pagination/limit-not-positive', async (list, { listCases, settings }) => {
  await allOrWorst([
    expectPageSize(list, { limit: 0 }, settings.defaultPagingNum),
    listCases.expectItems(list, 'not positive'),
    expectNoServerError(list, beyondBounds.negativeLimits, 'limit'),
  ])
})

async function expectHonouredByTheTokenScheme(
  list: RepositoryList,
  { codeHosting, settings, tokens }: CodeHostingContext,
): Promise<void> {
  if (!settings.allowLegacyTokenScheme) return
  const [token, length] = await allOrWorst([tokens.working(), list.length()])
  const credentials = legacyCredentials(token)
  const page = await codeHosting.repositories({ limit: 1 }, { credentials })
  if (isListPage(page)) expect(page).toHaveItems(Math.min(1, length))
}

verifyList('code-hosting/pagination/limit-honoured', async (list, context) => {
  const { listCases, settings } = context
  await allOrWorst([
    each(new Set([1, settings.maxResponseItems]), (limit) =>
      expectPageSize(list, { limit }, limit),
    ),
    listCases.expectItems(list, 'honoured'),
    runOptionalPart('The deprecated token scheme', () =>
      expectHonouredByTheTokenScheme(list, context),
    ),
  ])
})

verifyList('code-hosting/pagination/limit-lowered', async (list, { listCases, settings }) => {
  const maximum = settings.maxResponseItems
  await allOrWorst([
    each([maximum + 1, Math.max(1000, maximum * 2)], (limit) =>
      expectPageSize(list, { limit }, maximum),
    ),
    listCases.expectItems(list, 'lowered'),
    expectNoServerError(list, beyondBounds.limits, 'limit'),
  ])
})

verifyList('code-hosting/pagination/short-page-is-not-the-end', async (list, { settings }) => {
  const maximum = settings.maxResponseItems
  const page = await list.page(await firstPageQuery(list, { limit: maximum + 1 }))
  const length = await list.length()
  if (length <= maximum) {
    skip(`needs more than ${maximum} repositories, and the main account has ${length}`)
  }
  if ((page.leastElements ?? page.names?.length ?? Number.POSITIVE_INFINITY) > maximum) {
    skipUnobserved('no page was shorter than its limit; see code-hosting/pagination/limit-lowered')
  }
  expect(page).toHaveHeaderWherePresent('X-HasMore', 'true')
  expect(page).toLinkTo('next')
})

verifyList('code-hosting/pagination/first-page-default', async (list) => {
  const [unnamed, first] = await allOrWorst([list.page(), list.page({ page: 1 })])
  await list.boundaryPages()
  expect(unnamed).toReportTheSamePageAs(first)
  expect(unnamed).toHoldTheSameAs(first)
})

verifyList('code-hosting/pagination/page-below-one', async (list) => {
  // The limit makes several pages, since a server may ignore the page number of a single page.
  const { limit } = await list.boundaryPages()
  const first = await list.page({ page: 1, limit })
  await allOrWorst([
    each([0, -1, ...farPages.belowOne], async (number) => {
      const page = await list.page({ page: number, limit })
      expect(page).toReportTheSamePageAs(first)
      expect(page).toHoldTheSameAs(first)
    }),
    expectNoServerError(list, beyondBounds.negativePages, 'page', { limit }),
  ])
})

observe('code-hosting/pagination/limit-beyond-63-bits/status', ({ repositories }) =>
  repositories.observe(async (list) => {
    const pages = beyondBounds.limits.map((limit) => list.page({ limit }))
    return (await allOrWorst(pages)).map(({ status }) => status)
  }),
)

observe('code-hosting/pagination/page-beyond-53-bits/status', ({ repositories }) =>
  repositories.observe(async (list) => {
    const { limit } = await list.boundaryPages()
    const pages = beyondBounds.pages.map((page) => list.page({ page, limit }))
    return (await allOrWorst(pages)).map(({ status, names = [] }) => {
      return { status, hasItems: names.length > 0 }
    })
  }),
)

observe('code-hosting/pagination/limit-not-a-number/status', async ({ codeHosting }) => {
  const { status } = await codeHosting.repositories({ limit: 'abc' })
  return status
})

observe('code-hosting/pagination/page-not-a-number/status', async ({ codeHosting }) => {
  const { status } = await codeHosting.repositories({ page: 'abc' })
  return status
})
