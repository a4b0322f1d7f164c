import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** Faults in the `Link` header. */
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
    name: 'next-link-missing',
    requirements: [
      `${section}/link-relations`,
      `${section}/short-page-is-not-the-end`,
      `${section}/walk`,
    ],
    change: replaceRule(
      'linkRelations',
      (documented) => (paging, context) =>
        documented(paging, context).filter(({ relation }) => relation !== 'next'),
    ),
  },
  {
    name: 'next-link-stuck',
    requirements: [`${section}/link-targets`, `${section}/walk`],
    change: replaceRule(
      'linkRelations',
      (documented) => (paging, context) =>
        documented(paging, context).map((entry) =>
          entry.relation === 'next' ? { ...entry, page: paging.page } : entry,
        ),
    ),
  },
  {
    name: 'next-link-on-last-page',
    requirements: [`${section}/link-relations`],
    change: replaceRule('linkRelations', (documented) => (paging, context) => {
      const entries = documented(paging, context)
      if (paging.page !== paging.lastPage) return entries
      return [{ relation: 'next', page: paging.page + 1 }, ...entries]
    }),
  },
  {
    name: 'previous-link-on-first-page',
    requirements: [`${section}/link-relations`],
    change: replaceRule('linkRelations', (documented) => (paging, context) => {
      const entries = documented(paging, context)
      return paging.page > 1 ? entries : [...entries, { relation: 'prev', page: 1 }]
    }),
  },
  {
    name: 'last-link-one-page-early',
    requirements: [`${section}/link-targets`],
    change: replaceRule(
      'linkRelations',
      (documented) => (paging, context) =>
        documented(paging, context).map((entry) =>
          entry.relation === 'last' ? { ...entry, page: Math.max(1, entry.page - 1) } : entry,
        ),
    ),
  },
  {
    name: 'link-without-limit',
    requirements: [`${section}/link-targets`, `${section}/walk`],
    change: replaceRule('linkTarget', (documented) => (page, paging, address, context) => {
      const target = documented(page, paging, address, context)
      return target.replace(/limit=\d+&/, '')
    }),
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
]
