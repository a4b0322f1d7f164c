import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'
const agreement = 'code-hosting/settings/agree-with-pagination'

/** Faults in the size and number of pages and in the headers that tell them. */
export const paginationFaults: readonly Fault[] = [
  {
    name: 'limit-not-lowered',
    requirements: [`${section}/limit-lowered`, agreement],
    change: replaceRule('effectiveLimit', (documented) => (requested, settings, context) => {
      const asked = Number(requested)
      return asked > settings.maxResponseItems ? asked : documented(requested, settings, context)
    }),
  },
  {
    name: 'limit-zero-gives-maximum',
    requirements: [`${section}/limit-not-positive`],
    change: replaceRule('effectiveLimit', (documented) => (requested, settings, context) => {
      if (requested === '0') return settings.maxResponseItems
      return documented(requested, settings, context)
    }),
  },
  {
    name: 'negative-limit-gives-one',
    requirements: [`${section}/limit-not-positive`],
    change: replaceRule('effectiveLimit', (documented) => (requested, settings, context) => {
      if (Number(requested) < 0) return 1
      return documented(requested, settings, context)
    }),
  },
  {
    name: 'default-limit-is-maximum',
    requirements: [`${section}/default-limit`, agreement],
    change: replaceRule('effectiveLimit', (documented) => (requested, settings, context) => {
      if (requested === null) return settings.maxResponseItems
      return documented(requested, settings, context)
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
    name: 'page-header-missing',
    requirements: [`${section}/page-header`],
    change: replaceRule('currentPage', () => () => undefined),
  },
  {
    name: 'per-page-header-counts-items',
    requirements: [`${section}/per-page-header`],
    change: replaceRule('perPage', () => (paging) => {
      const before = (paging.page - 1) * paging.limit
      return String(Math.max(0, Math.min(paging.limit, paging.total - before)))
    }),
  },
  {
    name: 'has-more-always-true',
    requirements: [`${section}/has-more-header`, `${section}/past-the-end`],
    change: replaceRule('hasMore', () => () => 'true'),
  },
  {
    name: 'has-more-as-digit',
    requirements: [
      `${section}/has-more-header`,
      `${section}/past-the-end`,
      `${section}/short-page-is-not-the-end`,
    ],
    change: replaceRule(
      'hasMore',
      (documented) => (paging, shown, context) =>
        documented(paging, shown, context) === 'true' ? '1' : '0',
    ),
  },
  {
    name: 'total-count-of-the-page',
    requirements: [`${section}/total-count`, `${section}/walk`],
    change: replaceRule('totalCount', () => (_paging, shown) => String(shown)),
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
    name: 'exposed-headers-incomplete',
    requirements: [`${section}/exposed-headers`],
    change: replaceRule(
      'exposedHeaders',
      (documented) => (context) => documented(context).filter((name) => name !== 'X-HasMore'),
    ),
  },
]
