import { each } from '../../lib/conformance/each.ts'
import { note } from '../../lib/conformance/scope.ts'
import { originOf } from './support/exchanges.ts'
import { expectWalk, needsPages, pagesOf, pagesWithLink, promisedPages } from './support/pages.ts'
import { expect, observe, verify } from './words.ts'

verify('code-hosting/pagination/link-when-several-pages', ({ repositories, singlePages }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    if (tour.count > 1) {
      for (const { page } of pagesOf(tour)) expect(page).toHaveHeader('Link')
    }
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

verify('code-hosting/pagination/link-relations', ({ repositories }) =>
  repositories.settled(async (list) => {
    const { first, middle, last, count } = await list.tour()
    needsPages(count, 2)
    expect(first).toLinkTo('next')
    expect(first).toLackLinkTo('prev')
    expect(last).toLinkTo('prev')
    expect(last).toLackLinkTo('next')
    expect((await list.fullLastPage()) ?? last).toLackLinkTo('next')
    if (middle === undefined) return note('A middle page, of which there is none, is left out.')
    for (const relation of ['next', 'prev', 'first', 'last']) expect(middle).toLinkTo(relation)
  }),
)

verify('code-hosting/pagination/link-targets', ({ repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    await each(promisedPages(tour), async ({ from, target, number }) => {
      const [followed, promised] = await Promise.all([
        list.follow(from, target),
        list.page({ page: number, limit: tour.limit }),
      ])
      expect(followed).toTellTheSamePageAs(promised)
      expect(followed).toHoldTheSameAs(promised)
    })
  }),
)

verify('code-hosting/pagination/walk', ({ repositories, settings }) =>
  repositories.settled((list) => {
    const queries = [
      async () => ({}),
      async () => ({ limit: settings.maxResponseItems }),
      // With few repositories there is no way to go but with a smaller limit.
      async () => ({ limit: (await list.tour()).limit }),
    ]
    return each(queries, async (query) => expectWalk(list, await query()))
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
