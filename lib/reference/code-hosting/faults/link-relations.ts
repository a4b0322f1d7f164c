import type { Fault } from '../fault.ts'
import type { Paging } from '../request-context.ts'
import type { PageRelation } from '../rules/link.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

function related(
  change: (entries: readonly PageRelation[], paging: Paging) => readonly PageRelation[],
): RuleChange {
  return replaceRule(
    'linkRelations',
    (documented) => (paging, context) => change(documented(paging, context), paging),
  )
}

/** Leaves the relation out of the pages that are not among these. */
function missing(relation: string, isMissing: (paging: Paging) => boolean): RuleChange {
  return related((entries, paging) =>
    isMissing(paging) ? entries.filter((entry) => entry.relation !== relation) : entries,
  )
}

/** Lets the relation lead to another page than the documented one. */
function leading(relation: string, to: (page: number, paging: Paging) => number): RuleChange {
  return related((entries, paging) =>
    entries.map((entry) =>
      entry.relation === relation ? { ...entry, page: to(entry.page, paging) } : entry,
    ),
  )
}

function swapped(one: string, other: string): RuleChange {
  const names = new Map([
    [one, other],
    [other, one],
  ])
  return related((entries) =>
    entries.map(({ relation, page }) => ({ relation: names.get(relation) ?? relation, page })),
  )
}

/** Faults in which relations `Link` has and to which pages they lead. */
export const linkRelationFaults: readonly Fault[] = [
  {
    name: 'next-link-missing',
    requirements: [
      `${section}/link-relations`,
      `${section}/short-page-is-not-the-end`,
      `${section}/walk`,
    ],
    change: missing('next', () => true),
  },
  {
    name: 'next-link-missing-with-few-repositories',
    requirements: [`${section}/link-relations`, `${section}/walk`],
    variant: 'small-account',
    change: missing('next', () => true),
  },
  {
    name: 'next-link-missing-before-last-page',
    requirements: [`${section}/link-relations`, `${section}/walk`],
    change: missing('next', ({ page, lastPage }) => page === lastPage - 1),
  },
  {
    name: 'previous-link-missing-on-last-page',
    requirements: [`${section}/link-relations`],
    change: missing('prev', ({ page, lastPage }) => page === lastPage),
  },
  {
    name: 'first-link-missing-on-middle-pages',
    requirements: [`${section}/link-relations`],
    change: missing('first', ({ page, lastPage }) => page < lastPage),
  },
  {
    name: 'last-link-missing',
    requirements: [`${section}/link-relations`],
    change: missing('last', () => true),
  },
  {
    name: 'next-link-on-last-page',
    requirements: [`${section}/link-relations`],
    change: related((entries, { page, lastPage }) =>
      page === lastPage ? [{ relation: 'next', page: page + 1 }, ...entries] : entries,
    ),
  },
  {
    name: 'next-link-past-the-end',
    requirements: [`${section}/past-the-end`],
    change: related((entries, { page, lastPage }) =>
      page > lastPage ? [{ relation: 'next', page: page + 1 }, ...entries] : entries,
    ),
  },
  {
    name: 'previous-link-on-first-page',
    requirements: [`${section}/link-relations`],
    change: related((entries, { page }) =>
      page > 1 ? entries : [...entries, { relation: 'prev', page: 1 }],
    ),
  },
  {
    name: 'next-link-stuck',
    requirements: [`${section}/link-targets`, `${section}/walk`],
    change: leading('next', (_page, paging) => paging.page),
  },
  {
    name: 'next-link-skips-a-page',
    requirements: [`${section}/link-targets`, `${section}/walk`],
    change: leading('next', (page, { lastPage }) => Math.min(page + 1, lastPage)),
  },
  {
    name: 'previous-link-to-first-page',
    requirements: [`${section}/link-targets`],
    change: leading('prev', () => 1),
  },
  {
    name: 'first-link-to-second-page',
    requirements: [`${section}/link-targets`],
    change: leading('first', () => 2),
  },
  {
    name: 'last-link-one-page-early',
    requirements: [`${section}/link-targets`],
    change: leading('last', (page) => Math.max(1, page - 1)),
  },
  {
    name: 'last-link-one-page-late',
    requirements: [`${section}/link-targets`],
    change: leading('last', (page) => page + 1),
  },
  {
    name: 'first-and-last-link-swapped',
    requirements: [`${section}/link-targets`],
    change: swapped('first', 'last'),
  },
  {
    name: 'next-and-previous-link-swapped',
    requirements: [
      `${section}/link-relations`,
      `${section}/link-targets`,
      `${section}/past-the-end`,
      `${section}/short-page-is-not-the-end`,
      `${section}/walk`,
    ],
    change: swapped('next', 'prev'),
  },
]
