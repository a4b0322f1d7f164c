import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { observe, verify, verifyList } from './dsl.ts'
import { isListPage, originOf } from './model/exchange-filters.ts'
import { exposedHeaders, listRules } from './model/list-rules.ts'
import { expectWalk } from './model/walk.ts'
import type { RequirementId } from './requirements.ts'

for (const [id, rule] of Object.entries(listRules)) {
  verify(id as RequirementId, async ({ lists, suppliedReads }) => {
    await suppliedReads.readTokenPages()
    await lists.judge(rule)
  })
}

verify('code-hosting/pagination/exposed-headers', async (context) => {
  await context.suppliedReads.readTokenPages()
  await context.lists.judge(exposedHeaders(context.codeHosting))
})

verifyList('code-hosting/pagination/walk', async (list, { settings }) => {
  const { maxResponseItems: maximum } = settings
  const lowered = { limit: maximum + 1 }
  // A limit that is not lowered is reported by code-hosting/pagination/limit-lowered.
  const page = await list.page(lowered)
  const isAccepted = isListPage(page) && page.minLength === undefined
  // With few repositories, only a smaller limit makes several pages.
  const smaller = (length: number) => Math.max(1, Math.min(maximum, Math.floor((length - 1) / 2)))
  const queries = [
    async () => ({}),
    async () => ({ limit: maximum }),
    ...(isAccepted ? [async () => lowered] : []),
    async () => ({ limit: smaller(await list.exactLength()) }),
  ]
  await each(queries, async (query) => expectWalk(list, await query()))
})

observe('code-hosting/pagination/link/origin', ({ repositories }) =>
  repositories.observe(async (list) =>
    originOf((await list.page({ limit: 1, page: 1 })).links.targets.get('next')),
  ),
)

observe('code-hosting/pagination/link/first-page-names-first', ({ repositories }) =>
  repositories.observe(async (list) => {
    const { links } = await list.page({ limit: 1, page: 1 })
    return (await list.length()) > 1 ? links.targets.has('first') : undefined
  }),
)

observe('code-hosting/pagination/link/last-page-names-last', ({ repositories }) =>
  repositories.observe(async (list) => {
    const page = await list.exactLength()
    const { links } = await list.page({ limit: 1, page })
    return page > 1 ? links.targets.has('last') : undefined
  }),
)

observe('code-hosting/pagination/limit-beyond-63-bits/status', ({ repositories }) =>
  repositories.observe(async (list) => {
    const pages = [2n ** 63n, 10n ** 30n].map((limit) => list.page({ limit: String(limit) }))
    return (await allOrWorst(pages)).map(({ status }) => status)
  }),
)

observe('code-hosting/pagination/page-beyond-53-bits/status', ({ repositories, settings }) =>
  repositories.observe(async (list) => {
    const limit = settings.maxResponseItems
    const pages = [2n ** 53n, 2n ** 63n].map((page) => list.page({ page: String(page), limit }))
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
