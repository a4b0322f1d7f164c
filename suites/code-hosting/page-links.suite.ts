import { runOptionalPart } from '../../lib/conformance/check-errors.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import type { RepositoryPage } from './client.ts'
import { expect, observe, verify } from './dsl.ts'
import type { CodeHostingContext } from './support/context.ts'
import { isListPage, originOf } from './support/exchange-filters.ts'
import {
  expectWalk,
  needsPages,
  pagesOf,
  pagesWithLink,
  promisedPages,
} from './support/page-checks.ts'
import { type RepositoryList, sameNames } from './support/repository-list.ts'

verify(
  'code-hosting/pagination/link-when-several-pages',
  ({ listCases, repositories, singlePages }) =>
    repositories.settled(async (list) => {
      const tour = await list.tour()
      if (tour.count > 1) {
        for (const { page } of pagesOf(tour)) expect(page).toHaveHeader('Link')
      }
      await listCases.forEach(list, ({ page, expected: { number, hasMore } }) => {
        if (number > 1 || hasMore) expect(page).toHaveHeader('Link')
        else expect(page).toHaveNoHeader('Link')
      })
      for (const page of await singlePages(list)) expect(page).toHaveNoHeader('Link')
    }),
)

verify('code-hosting/pagination/link-form', ({ repositories }) =>
  repositories.settled(async (list) => {
    for (const { page } of pagesWithLink(await list.tour())) {
      expect(page).toHaveLinkOfRelations('next', 'last', 'first', 'prev')
    }
  }),
)

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

verify('code-hosting/pagination/link-relations', ({ listCases, repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    needsPages(tour.count, 2)
    for (const { page, number } of pagesOf(tour)) {
      expectRelations(page, { isFirst: number === 1, isLast: number === tour.count })
    }
    expect((await list.fullLastPage()) ?? tour.last).toLackLinkTo('next')
    await listCases.forEach(list, ({ page, expected: { number, hasMore } }) =>
      expectRelations(page, { isFirst: number === 1, isLast: !hasMore }),
    )
  }),
)

/** Expects next of a list that a site administrator reads as another user to lead on in that list. */
async function expectSudoKept(
  { codeHosting, sudo }: Pick<CodeHostingContext, 'codeHosting' | 'sudo'>,
  list: RepositoryList,
): Promise<void> {
  const [{ credentials, as }, { first: own, limit }] = await allOrWorst([sudo(), list.tour()])
  const options = { credentials, sudo: { as, in: 'query' as const } }
  const page = await codeHosting.repositories({ page: 1, limit }, options)
  const [next, ownNext] = [page, own].map(({ links }) => links.targets.get('next'))
  // Whose list it is, is the business of code-hosting/authentication/sudo-query.
  if (!next || !ownNext || !sameNames(page.names, own.names)) return
  // That links lead away from the API shows in other lists too.
  if (!codeHosting.leadsBelow(next)) return
  const [followed, promised] = await allOrWorst([
    codeHosting.linkedRepositories(next, { credentials }),
    list.follow(own, ownNext),
  ])
  expect(followed).toHoldTheSameAs(promised)
}

verify('code-hosting/pagination/link-targets', (context) => {
  const { listCases, repositories } = context
  return repositories.settled(async (list) => {
    const tour = await list.tour()
    await allOrWorst([
      each(promisedPages(tour), async ({ from, target, number }) => {
        const [followed, promised] = await allOrWorst([
          list.follow(from, target),
          list.page({ page: number, limit: tour.limit }),
        ])
        expect(followed).toTellTheSamePageAs(promised)
        expect(followed).toHoldTheSameAs(promised)
      }),
      listCases.forEach(list, (compared) => listCases.expectLinked(list, compared)),
      runOptionalPart('A list that a site administrator reads as another user', () =>
        expectSudoKept(context, list),
      ),
    ])
  })
})

verify('code-hosting/pagination/walk', ({ repositories, settings }) =>
  repositories.settled(async (list) => {
    const lowered = { limit: settings.maxResponseItems + 1 }
    // Whether it is lowered at all is the business of code-hosting/pagination/limit-lowered.
    const page = await list.page(lowered)
    const isTaken = isListPage(page) && page.leastElements === undefined
    const queries = [
      async () => ({}),
      async () => ({ limit: settings.maxResponseItems }),
      ...(isTaken ? [async () => lowered] : []),
      // With few repositories there is no way to go but with a smaller limit.
      async () => ({ limit: (await list.tour()).limit }),
    ]
    await each(queries, async (query) => expectWalk(list, await query()))
  }),
)

observe('code-hosting/pagination/link/origin', ({ repositories }) =>
  repositories.observed(async (list) => {
    const { first } = await list.tour()
    return originOf(first.links.targets.get('next'))
  }),
)

observe('code-hosting/pagination/link/first-page-names-first', ({ repositories }) =>
  repositories.observed(async (list) => {
    const { first, count } = await list.tour()
    return count > 1 ? first.links.targets.has('first') : undefined
  }),
)

observe('code-hosting/pagination/link/last-page-names-last', ({ repositories }) =>
  repositories.observed(async (list) => {
    const { last, count } = await list.tour()
    return count > 1 ? last.links.targets.has('last') : undefined
  }),
)
