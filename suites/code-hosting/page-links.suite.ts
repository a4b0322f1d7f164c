import { each, together } from '../../lib/conformance/each.ts'
import { orNote } from '../../lib/conformance/outcome.ts'
import type { RepositoryPage } from './client.ts'
import { isListPage, originOf } from './support/exchanges.ts'
import { sameNames } from './support/listing.ts'
import { expectWalk, needsPages, pagesOf, pagesWithLink, promisedPages } from './support/pages.ts'
import { expect, observe, verify } from './words.ts'

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

verify('code-hosting/pagination/link-targets', ({ codeHosting, listCases, repositories, sudo }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    await each(promisedPages(tour), async ({ target, number }) => {
      const [followed, promised] = await together([
        list.follow(target),
        list.page({ page: number, limit: tour.limit }),
      ])
      expect(followed).toTellTheSamePageAs(promised)
      expect(followed).toHoldTheSameAs(promised)
    })
    await listCases.forEach(list, (compared) => listCases.expectLinked(list, compared))
    await orNote('Links of a list that a site administrator reads as another user', async () => {
      const { credentials, as } = await sudo()
      const options = { credentials, sudo: { as, in: 'query' as const } }
      const [page, own] = await together([
        codeHosting.repositories({ page: 1 }, options),
        list.page({ page: 1 }),
      ])
      const [next, ownNext] = [page, own].map(({ links }) => links.get('next'))
      // Whose list it is, is the business of code-hosting/authentication/sudo-query.
      if (!next || !ownNext || !sameNames(page.names, own.names)) return
      // The administrator's password is for the list only.
      const { url } = page.request
      if (!URL.canParse(next, url.href) || new URL(next, url).pathname !== url.pathname) return
      const [followed, promised] = await together([
        codeHosting.linkedRepositories(next, { credentials }),
        list.follow(ownNext),
      ])
      expect(followed).toHoldTheSameAs(promised)
    })
  }),
)

verify('code-hosting/pagination/walk', ({ repositories, settings }) =>
  repositories.settled(async (list) => {
    const lowered = { limit: settings.maxResponseItems + 1 }
    // Whether it is lowered at all is the business of code-hosting/pagination/limit-lowered.
    const isTaken = isListPage(await list.page(lowered))
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
    return originOf(first.links.get('next'))
  }),
)

observe('code-hosting/pagination/link/first-page-names-first', ({ repositories }) =>
  repositories.observed(async (list) => {
    const { first, count } = await list.tour()
    return count > 1 ? first.links.has('first') : undefined
  }),
)

observe('code-hosting/pagination/link/last-page-names-last', ({ repositories }) =>
  repositories.observed(async (list) => {
    const { last, count } = await list.tour()
    return count > 1 ? last.links.has('last') : undefined
  }),
)
