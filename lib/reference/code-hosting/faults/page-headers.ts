import type { Fault } from '../fault.ts'
import { sentOn } from '../page-headers.ts'
import type { RequestContext } from '../request-context.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** A page that is asked for as nobody does who walks through a list. */
function isPageZero({ url }: RequestContext): boolean {
  return url.searchParams.get('page') === '0'
}

/** Faults in the headers that tell where a page stands. */
export const pageHeaderFaults: readonly Fault[] = [
  {
    name: 'page-header-missing',
    requirements: [`${section}/page-header`],
    change: replaceRule('currentPage', () => () => undefined),
  },
  {
    name: 'page-header-counts-from-zero',
    requirements: [`${section}/page-header`],
    change: replaceRule('currentPage', () => (paging) => String(paging.page - 1)),
  },
  {
    name: 'page-header-always-one',
    requirements: [`${section}/page-header`],
    change: replaceRule('currentPage', () => () => '1'),
  },
  {
    name: 'page-header-names-the-second-page-without-page',
    requirements: [`${section}/first-page-default`],
    change: replaceRule('currentPage', (documented) => (paging, context) => {
      return context.url.searchParams.has('page') ? documented(paging, context) : '2'
    }),
  },
  {
    name: 'page-header-always-one-behind-links',
    requirements: [`${section}/link-targets`],
    variant: 'link-by-cursor',
    change: replaceRule('currentPage', (documented) => (paging, context) => {
      return context.url.searchParams.has('after') ? '1' : documented(paging, context)
    }),
  },
  {
    name: 'page-header-repeats-request',
    requirements: [`${section}/page-header`, `${section}/page-below-one`],
    change: replaceRule(
      'currentPage',
      (documented) => (paging, context) =>
        context.url.searchParams.get('page') ?? documented(paging, context),
    ),
  },
  {
    name: 'page-header-missing-past-the-end',
    requirements: [`${section}/page-header`],
    change: sentOn(['X-Page'], ({ page, lastPage }) => page <= lastPage),
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
    name: 'per-page-header-repeats-request',
    requirements: [
      `${section}/per-page-header`,
      `${section}/limit-lowered`,
      `${section}/limit-not-positive`,
    ],
    change: replaceRule(
      'perPage',
      (documented) => (paging, context) =>
        context.url.searchParams.get('limit') ?? documented(paging, context),
    ),
  },
  {
    name: 'per-page-header-repeats-a-limit-that-is-lowered',
    requirements: [`${section}/per-page-header`, `${section}/limit-lowered`],
    change: replaceRule('perPage', () => ({ limit }, { url }) => {
      return String(Math.max(limit, Number(url.searchParams.get('limit')) || limit))
    }),
  },
  {
    name: 'per-page-header-of-another-size-behind-the-first-page',
    requirements: [`${section}/per-page-header`],
    change: replaceRule(
      'perPage',
      () =>
        ({ page, limit }) =>
          String(page > 1 ? limit + 1 : limit),
    ),
  },
  {
    name: 'per-page-header-missing-without-limit',
    requirements: [`${section}/per-page-header`],
    change: sentOn(['X-PerPage'], (_paging, { url }) => url.searchParams.has('limit')),
  },
  {
    name: 'per-page-header-missing-past-the-end',
    requirements: [`${section}/per-page-header`],
    change: sentOn(['X-PerPage'], ({ page, lastPage }) => page <= lastPage),
  },
  {
    name: 'per-page-header-below-its-items-on-page-zero',
    requirements: [`${section}/per-page-header`],
    change: replaceRule('perPage', (documented) => (paging, context) => {
      return isPageZero(context) ? '1' : documented(paging, context)
    }),
  },
  {
    name: 'has-more-as-digit-on-page-zero',
    requirements: [`${section}/has-more-header`],
    change: replaceRule('hasMore', (documented) => (paging, shown, context) => {
      return isPageZero(context) ? '1' : documented(paging, shown, context)
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
    name: 'has-more-capitalised',
    requirements: [
      `${section}/has-more-header`,
      `${section}/past-the-end`,
      `${section}/short-page-is-not-the-end`,
    ],
    change: replaceRule('hasMore', (documented) => (paging, shown, context) => {
      const text = documented(paging, shown, context) ?? ''
      return text.charAt(0).toUpperCase() + text.slice(1)
    }),
  },
  {
    name: 'has-more-ends-one-page-early',
    requirements: [`${section}/has-more-header`],
    change: replaceRule('hasMore', () => (paging) => String(paging.page < paging.lastPage - 1)),
  },
  {
    name: 'has-more-on-every-full-page',
    requirements: [`${section}/has-more-header`],
    change: replaceRule('hasMore', () => (paging, shown) => String(shown === paging.limit)),
  },
  {
    name: 'has-more-true-past-the-end',
    requirements: [`${section}/has-more-header`, `${section}/past-the-end`],
    change: replaceRule('hasMore', () => (paging) => String(paging.page !== paging.lastPage)),
  },
  {
    name: 'has-more-missing-past-the-end',
    requirements: [`${section}/has-more-header`],
    change: sentOn(['X-HasMore'], ({ page, lastPage }) => page <= lastPage),
  },
  {
    name: 'headers-on-first-page-alone',
    requirements: [
      `${section}/page-header`,
      `${section}/per-page-header`,
      `${section}/has-more-header`,
      `${section}/total-count`,
    ],
    change: sentOn(['X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore'], ({ page }) => page === 1),
  },
  {
    name: 'exposed-headers-incomplete',
    requirements: [`${section}/exposed-headers`],
    change: replaceRule(
      'exposedHeaders',
      (documented) => (context) => documented(context).filter((name) => name !== 'X-HasMore'),
    ),
  },
  {
    name: 'exposed-headers-missing',
    requirements: [`${section}/exposed-headers`],
    change: sentOn(['Access-Control-Expose-Headers'], () => false),
  },
  {
    name: 'exposed-headers-on-first-page-alone',
    requirements: [`${section}/exposed-headers`],
    change: sentOn(['Access-Control-Expose-Headers'], ({ page }) => page === 1),
  },
  {
    name: 'exposed-headers-missing-on-last-page',
    requirements: [`${section}/exposed-headers`],
    change: sentOn(['Access-Control-Expose-Headers'], ({ page, lastPage }) => page !== lastPage),
  },
  {
    name: 'exposed-header-misspelled',
    requirements: [`${section}/exposed-headers`],
    change: replaceRule(
      'exposedHeaders',
      (documented) => (context) =>
        documented(context).map((name) => (name === 'X-PerPage' ? 'X-Per-Page' : name)),
    ),
  },
]
