import { refuse } from '../../http/refusal.ts'
import type { Fault } from '../fault.ts'
import type { Paging } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** An error in place of the page where its number is one of these. */
function refused(status: number, isRefused: (asked: number) => boolean): RuleChange {
  return replaceRule('effectivePage', (documented) => (requested, context) => {
    if (requested !== null && isRefused(Number(requested))) {
      refuse({ status, message: `page: ${requested} is out of range` })
    }
    return documented(requested, context)
  })
}

/** Other items on the pages of a list than those at their place. */
function holding(
  other: <Item>(items: readonly Item[], paging: Paging) => readonly Item[] | undefined,
): RuleChange {
  return replaceRule(
    'pageItems',
    (documented) => (items, paging, context) =>
      other(items, paging) ?? documented(items, paging, context),
  )
}

const losing = holding((items, { page, limit }) => {
  const start = (page - 1) * (limit + 1)
  return items.slice(start, start + limit)
})

const countingFromTheEnd: RuleChange = (rules) => ({
  ...rules,
  pageItems: (items, paging, context) => {
    const asked = Number(context.url.searchParams.get('page'))
    if (asked >= 0) return rules.pageItems(items, paging, context)
    const page = Math.max(1, paging.lastPage + 1 + asked)
    return rules.pageItems(items, { ...paging, page }, context)
  },
})

/** Faults in which page is given and in what is on it. */
export const pageNumberFaults: readonly Fault[] = [
  {
    name: 'second-page-by-default',
    requirements: [`${section}/first-page-default`],
    change: replaceRule(
      'effectivePage',
      (documented) => (requested, context) => documented(requested ?? '2', context),
    ),
  },
  {
    name: 'first-item-left-out-without-page',
    requirements: [`${section}/first-page-default`],
    change: replaceRule('pageItems', (documented) => (items, paging, context) => {
      if (context.url.searchParams.has('page')) return documented(items, paging, context)
      return items.slice(1, paging.limit + 1)
    }),
  },
  {
    name: 'page-zero-is-empty',
    requirements: [`${section}/page-below-one`, `${section}/page-header`],
    change: replaceRule('effectivePage', (documented) => (requested, context) => {
      return requested === '0' ? 0 : documented(requested, context)
    }),
  },
  {
    name: 'page-zero-refused',
    requirements: [`${section}/page-below-one`],
    change: refused(400, (asked) => asked === 0),
  },
  {
    name: 'negative-page-missing',
    requirements: [`${section}/page-below-one`],
    change: refused(404, (asked) => asked < 0),
  },
  {
    name: 'negative-page-counts-from-the-end',
    requirements: [`${section}/page-below-one`],
    change: countingFromTheEnd,
  },
  {
    name: 'negative-page-counts-from-the-end-of-few',
    requirements: [`${section}/page-below-one`],
    variant: 'small-account',
    change: countingFromTheEnd,
  },
  {
    name: 'first-item-of-a-page-twice',
    requirements: [`${section}/walk`, `${section}/total-count`],
    change: replaceRule('pageItems', (documented) => (items, paging, context) => {
      const shown = documented(items, paging, context)
      const last = items[(paging.page - 1) * paging.limit - 1]
      return paging.page > 1 && last !== undefined && shown.length > 0
        ? [last, ...shown.slice(1)]
        : shown
    }),
  },
  {
    name: 'item-lost-between-pages',
    requirements: [`${section}/walk`, `${section}/total-count`],
    change: losing,
  },
  {
    name: 'item-lost-between-pages-of-few',
    requirements: [`${section}/walk`],
    variant: 'small-account',
    change: losing,
  },
  {
    name: 'order-turned-after-first-page',
    requirements: [`${section}/walk`, `${section}/total-count`],
    change: holding((items, { page, limit }) =>
      page === 1 ? undefined : [...items].reverse().slice((page - 1) * limit, page * limit),
    ),
  },
  {
    name: 'last-page-again-past-the-end',
    requirements: [`${section}/past-the-end`],
    change: holding((items, { page, limit, lastPage }) =>
      page > lastPage ? items.slice((lastPage - 1) * limit) : undefined,
    ),
  },
  {
    name: 'page-past-the-end-missing',
    requirements: [`${section}/past-the-end`],
    change: holding((_items, { page, lastPage }) => {
      if (page > lastPage) refuse({ status: 404, message: `page ${page} does not exist` })
      return undefined
    }),
  },
]
