import { runOptionalPart, skip } from '../../lib/conformance/check-errors.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import type { RepositoryPage } from './client.ts'
import { expect, observe, verifyList } from './dsl.ts'
import type { CodeHostingContext } from './support/context.ts'
import { isListPage, originOf } from './support/exchange-filters.ts'
import { sameNames } from './support/page-cache.ts'
import { expectWalk, pagesOf, pagesWithLink, promisedPages } from './support/page-checks.ts'
import type { RepositoryList } from './support/repository-list.ts'

verifyList(
  'code-hosting/pagination/link-when-several-pages',
  async (list, { listCases, singlePages }) => {
    const boundary = await list.boundaryPages()
    if (boundary.count > 1) {
      for (const { page } of pagesOf(boundary)) expect(page).toHaveHeader('Link')
    }
    await listCases.forEach(list, ({ page, expected: { number, hasMore } }) => {
      if (number > 1 || hasMore) expect(page).toHaveHeader('Link')
      else expect(page).toHaveNoHeader('Link')
    })
    for (const page of await singlePages(list)) expect(page).toHaveNoHeader('Link')
  },
)

verifyList('code-hosting/pagination/link-form', async (list) => {
  for (const { page } of pagesWithLink(await list.boundaryPages())) {
    expect(page).toHaveLinkOfRelations('next', 'last', 'first', 'prev')
  }
})

/** Expects the relation types that apply. A list that does not count its items cannot know its last page. */
function expectRelations(
  page: RepositoryPage,
  { isFirst, isLast }: Record<'isFirst' | 'isLast', boolean>,
) {
  const isCounted = page.headers.has('X-Total-Count')
  if (isFirst) expect(page).toLackLinkTo('prev')
  else for (const relation of ['first', 'prev']) expect(page).toLinkTo(relation)
  if (isLast) return expect(page).toLackLinkTo('next')
  for (const relation of isCounted ? ['next', 'last'] : ['next']) expect(page).toLinkTo(relation)
}

verifyList('code-hosting/pagination/link-relations', async (list, { listCases }) => {
  const boundary = await list.boundaryPages()
  if (boundary.count < 2) {
    skip(`needs an account with 2 or more repositories, and the main account has ${boundary.count}`)
  }
  for (const { page, number } of pagesOf(boundary)) {
    expectRelations(page, { isFirst: number === 1, isLast: number === boundary.count })
  }
  expect((await list.fullLastPage()) ?? boundary.last).toLackLinkTo('next')
  await listCases.forEach(list, ({ page, expected: { number, hasMore } }) =>
    expectRelations(page, { isFirst: number === 1, isLast: !hasMore }),
  )
})

/** Expects the next link of a list that is read with sudo to keep the other user. */
async function expectSudoKept(
  { accounts, codeHosting }: Pick<CodeHostingContext, 'accounts' | 'codeHosting'>,
  list: RepositoryList,
): Promise<void> {
  const [{ credentials, as }, { first, limit }] = await allOrWorst([
    accounts.sudo(),
    list.boundaryPages(),
  ])
  const options = { credentials, sudo: { as, in: 'query' as const } }
  const page = await codeHosting.repositories({ page: 1, limit }, options)
  const [next, expectedNext] = [page, first].map(({ links }) => links.targets.get('next'))
  // The user is checked by code-hosting/authentication/sudo-query.
  if (!next || !expectedNext || !sameNames(page.names, first.names)) return
  // Other lists show links that are outside the API.
  if (!codeHosting.leadsBelow(next)) return
  const [followed, promised] = await allOrWorst([
    codeHosting.linkedRepositories(next, { credentials }),
    list.follow(first, expectedNext),
  ])
  expect(followed).toHoldTheSameAs(promised)
}

verifyList('code-hosting/pagination/link-targets', async (list, context) => {
  const { listCases } = context
  const boundary = await list.boundaryPages()
  await allOrWorst([
    each(promisedPages(boundary), async ({ from, target, number }) => {
      const [followed, promised] = await allOrWorst([
        list.follow(from, target),
        list.page({ page: number, limit: boundary.limit }),
      ])
      expect(followed).toReportTheSamePageAs(promised)
      expect(followed).toHoldTheSameAs(promised)
    }),
    listCases.forEach(list, (compared) => listCases.expectLinked(list, compared)),
    runOptionalPart('A list that a site administrator reads as another user', () =>
      expectSudoKept(context, list),
    ),
  ])
})

verifyList('code-hosting/pagination/walk', async (list, { settings }) => {
  const lowered = { limit: settings.maxResponseItems + 1 }
  // A limit that is not lowered is reported by code-hosting/pagination/limit-lowered.
  const page = await list.page(lowered)
  const isAccepted = isListPage(page) && page.leastElements === undefined
  const queries = [
    async () => ({}),
    async () => ({ limit: settings.maxResponseItems }),
    ...(isAccepted ? [async () => lowered] : []),
    // With few repositories, only a smaller limit makes several pages.
    async () => ({ limit: (await list.boundaryPages()).limit }),
  ]
  await each(queries, async (query) => expectWalk(list, await query()))
})

observe('code-hosting/pagination/link/origin', ({ repositories }) =>
  repositories.observe(async (list) => {
    const { first } = await list.boundaryPages()
    return originOf(first.links.targets.get('next'))
  }),
)

observe('code-hosting/pagination/link/first-page-names-first', ({ repositories }) =>
  repositories.observe(async (list) => {
    const { first, count } = await list.boundaryPages()
    return count > 1 ? first.links.targets.has('first') : undefined
  }),
)

observe('code-hosting/pagination/link/last-page-names-last', ({ repositories }) =>
  repositories.observe(async (list) => {
    const { last, count } = await list.boundaryPages()
    return count > 1 ? last.links.targets.has('last') : undefined
  }),
)
