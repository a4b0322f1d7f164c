import { refuse } from '../../http/refusal.ts'
import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'code-hosting/pagination'
const listing = 'code-hosting/resources/repositories'
const json = 'code-hosting/resources/json'

/** The items of a page come in another order each time. */
const itemsInTurns: RuleChange = (rules) => {
  let turns = 0
  return {
    ...rules,
    pageItems: (items, paging, context) => {
      const shown = rules.pageItems(items, paging, context)
      turns += 1
      const first = turns % Math.max(1, shown.length)
      return [...shown.slice(first), ...shown.slice(0, first)]
    },
  }
}

function isNoNumber(value: string | null): boolean {
  return value !== null && !/^[+-]?\d+$/.test(value)
}

/** A page or limit that is no number leads to the list without it. */
const wrongNumbersRedirected = replaceRule('begin', (documented) => (context) => {
  const { searchParams, pathname } = context.url
  const wrong = ['page', 'limit'].find((name) => isNoNumber(searchParams.get(name)))
  if (context.endpoint !== 'user-repositories' || wrong === undefined) return documented(context)
  const headers = new Headers({ Location: pathname })
  if (wrong === 'limit') return { status: 302, headers }
  headers.set('Content-Type', 'text/html')
  return { status: 301, headers, body: `<a href="${pathname}">Moved</a>` }
})

const wrongNumbersRefused: RuleChange = (rules) => {
  const refuseUnlessNumber = (name: string, value: string | null) => {
    if (isNoNumber(value)) refuse({ status: 400, message: `${name} must be a number` })
  }
  return {
    ...rules,
    effectivePage: (requested, context) => {
      refuseUnlessNumber('page', requested)
      return rules.effectivePage(requested, context)
    },
    effectiveLimit: (requested, settings, context) => {
      refuseUnlessNumber('limit', requested)
      return rules.effectiveLimit(requested, settings, context)
    },
  }
}

/** Other lists, and other headers with them. */
export const paginationVariants: readonly Variant[] = [
  {
    name: 'no-total-count',
    tolerances: [`${section}/total-count/not-counted`],
    unjudged: [`${section}/total-count`],
    becoming: { [`${section}/exposed-headers`]: 'skipped' },
    change: replaceRule('totalCount', () => () => undefined),
  },
  {
    name: 'more-exposed-headers',
    tolerances: tolerance('further-names', [`${section}/exposed-headers`]),
    change: replaceRule('exposedHeaders', (documented) => (context) => [
      'ETag',
      ...documented(context).map((name) => name.toLowerCase()),
    ]),
  },
  {
    name: 'exposed-headers-in-another-order',
    tolerances: [`${section}/exposed-headers/any-case-and-order`],
    change: replaceRule('exposedHeaders', (documented) => (context) => {
      return documented(context)
        .map((name) => name.toUpperCase())
        .toReversed()
    }),
  },
  {
    name: 'repositories-in-another-order',
    tolerances: [`${listing}/any-order`],
    change: replaceRule('pageItems', (documented) => (items, paging, context) => {
      return documented(items.toReversed(), paging, context)
    }),
  },
  {
    name: 'items-of-a-page-in-turns',
    tolerances: tolerance('any-order', [
      listing,
      `${section}/first-page-default`,
      `${section}/page-below-one`,
    ]),
    change: itemsInTurns,
  },
  {
    name: 'wrong-numbers-redirected',
    tolerances: [`${json}/redirects`, `${json}/no-body`],
    change: wrongNumbersRedirected,
  },
  { name: 'wrong-numbers-refused', change: wrongNumbersRefused },
]
