import { each } from '../../lib/conformance/each.ts'
import { skip } from '../../lib/conformance/outcome.ts'
import { expectPageSize, firstPageQuery } from './support/pages.ts'
import { expect, observe, verify } from './words.ts'

verify('code-hosting/pagination/default-limit', ({ repositories, settings }) =>
  repositories.settled((list) => expectPageSize(list, {}, settings.defaultPagingNum)),
)

verify('code-hosting/pagination/limit-not-positive', ({ repositories, settings }) =>
  repositories.settled((list) =>
    each([0, -1], (limit) => expectPageSize(list, { limit }, settings.defaultPagingNum)),
  ),
)

verify('code-hosting/pagination/limit-honoured', ({ repositories, settings }) =>
  repositories.settled((list) =>
    each(new Set([1, Math.min(2, settings.maxResponseItems), settings.maxResponseItems]), (limit) =>
      expectPageSize(list, { limit }, limit),
    ),
  ),
)

verify('code-hosting/pagination/limit-lowered', ({ repositories, settings }) => {
  const maximum = settings.maxResponseItems
  return repositories.settled((list) =>
    each([maximum + 1, Math.max(1000, maximum * 2)], (limit) =>
      expectPageSize(list, { limit }, maximum),
    ),
  )
})

verify('code-hosting/pagination/short-page-is-not-the-end', ({ repositories, settings }) => {
  const maximum = settings.maxResponseItems
  return repositories.settled(async (list) => {
    const page = await list.page(await firstPageQuery(list, { limit: maximum + 1 }))
    const length = await list.length()
    if (length <= maximum) {
      skip(`needs more than ${maximum} repositories, and the main account has ${length}`)
    }
    if ((page.leastElements ?? page.names?.length ?? Number.POSITIVE_INFINITY) > maximum) {
      skip('no page shorter than its limit came; see code-hosting/pagination/limit-lowered')
    }
    expect(page).toHaveHeaderWherePresent('X-HasMore', 'true')
    expect(page).toLinkTo('next')
  })
})

verify('code-hosting/pagination/first-page-default', ({ repositories }) =>
  repositories.settled(async (list) => {
    const [unnamed, first] = await Promise.all([list.page(), list.page({ page: 1 })])
    await list.tour()
    expect(unnamed).toTellTheSamePageAs(first)
    expect(unnamed).toHoldTheSameAs(first)
  }),
)

verify('code-hosting/pagination/page-below-one', ({ repositories }) =>
  repositories.settled(async (list) => {
    // With a limit that makes several pages: a list that has one gives it for any page number.
    const { limit } = await list.tour()
    const first = await list.page({ page: 1, limit })
    await each([0, -1], async (number) => {
      const page = await list.page({ page: number, limit })
      expect(page).toTellTheSamePageAs(first)
      expect(page).toHoldTheSameAs(first)
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
