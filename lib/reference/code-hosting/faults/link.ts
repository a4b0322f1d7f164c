import type { Fault } from '../fault.ts'
import { sentOn } from '../page-headers.ts'
import type { LinkEntry } from '../rules/link.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** What a `Link` that nobody can read, or without the names that are documented, breaks. */
const unreadable = [
  `${section}/link-form`,
  `${section}/link-relations`,
  `${section}/short-page-is-not-the-end`,
  `${section}/walk`,
]

function formatted(format: (entry: LinkEntry) => string, separator = ', '): RuleChange {
  return replaceRule('formatLink', () => (entries) => entries.map(format).join(separator))
}

/** Faults in where `Link` is sent and in its form. */
export const linkFaults: readonly Fault[] = [
  {
    name: 'link-on-single-page',
    requirements: [`${section}/link-when-several-pages`],
    change: (rules) => ({
      ...rules,
      linkNeeded: () => true,
      linkRelations: (paging, context) =>
        paging.lastPage > 1
          ? rules.linkRelations(paging, context)
          : [{ relation: 'first', page: 1 }],
    }),
  },
  {
    name: 'link-on-full-single-page',
    requirements: [`${section}/link-when-several-pages`],
    change: (rules) => ({
      ...rules,
      linkNeeded: (paging) => paging.total >= paging.limit,
      linkRelations: (paging, context) =>
        paging.lastPage > 1
          ? rules.linkRelations(paging, context)
          : [{ relation: 'first', page: 1 }],
    }),
  },
  {
    name: 'link-on-first-page-alone',
    requirements: [
      `${section}/link-when-several-pages`,
      `${section}/link-relations`,
      `${section}/walk`,
    ],
    change: sentOn(['Link'], ({ page }) => page === 1),
  },
  {
    name: 'link-missing-on-last-page',
    requirements: [`${section}/link-when-several-pages`, `${section}/link-relations`],
    change: sentOn(['Link'], ({ page, lastPage }) => page !== lastPage),
  },
  {
    name: 'link-missing-with-limit',
    requirements: [
      `${section}/link-when-several-pages`,
      `${section}/link-relations`,
      `${section}/short-page-is-not-the-end`,
      `${section}/walk`,
    ],
    change: sentOn(['Link'], (_paging, { url }) => !url.searchParams.has('limit')),
  },
  {
    name: 'link-relation-undocumented',
    requirements: [`${section}/link-form`],
    change: replaceRule('linkRelations', (documented) => (paging, context) => [
      ...documented(paging, context),
      { relation: 'self', page: paging.page },
    ]),
  },
  {
    name: 'link-malformed-on-second-page',
    requirements: [`${section}/link-form`, `${section}/link-relations`, `${section}/walk`],
    change: replaceRule('formatLink', (documented) => (entries, context) => {
      const field = documented(entries, context)
      return context.paging?.page === 2 ? field.replaceAll(/[<>]/g, '') : field
    }),
  },
  {
    name: 'link-separated-by-semicolons',
    requirements: unreadable,
    change: formatted(({ relation, target }) => `<${target}>; rel="${relation}"`, '; '),
  },
  {
    name: 'link-without-relations',
    requirements: unreadable,
    change: formatted(({ target }) => `<${target}>`),
  },
  {
    name: 'link-relation-previous',
    requirements: [`${section}/link-form`, `${section}/link-relations`],
    change: formatted(
      ({ relation, target }) => `<${target}>; rel="${relation === 'prev' ? 'previous' : relation}"`,
    ),
  },
]
