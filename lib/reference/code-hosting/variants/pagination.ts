import { replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

/** Other forms of the pagination headers. */
export const paginationVariants: readonly Variant[] = [
  {
    name: 'link-relative',
    change: replaceRule('linkTarget', (documented) => (page, paging, _address, context) => {
      return documented(page, paging, context.deployment.basePath, context)
    }),
  },
  {
    name: 'link-unquoted',
    change: replaceRule(
      'formatLink',
      () => (entries) =>
        entries.map(({ relation, target }) => `<${target}>;rel=${relation}`).join(','),
    ),
  },
  {
    name: 'link-from-other-origin',
    change: replaceRule('publicAddress', () => () => 'http://internal.example:3000'),
  },
  {
    name: 'first-on-first-page',
    change: replaceRule('linkRelations', (documented) => (paging, context) => {
      const entries = [...documented(paging, context)]
      if (paging.page === 1) entries.push({ relation: 'first', page: 1 })
      if (paging.page === paging.lastPage) {
        entries.push({ relation: 'last', page: paging.lastPage })
      }
      return entries
    }),
  },
  { name: 'no-total-count', change: replaceRule('totalCount', () => () => undefined) },
  {
    name: 'more-exposed-headers',
    change: replaceRule('exposedHeaders', (documented) => (context) => [
      'ETag',
      ...documented(context).map((name) => name.toLowerCase()),
    ]),
  },
]
