import { inVariant } from '../../rule-tables.ts'
import { alter, at, onlyIf, pagination } from '../changes.ts'
import { isPage, isPastEnd } from '../requests.ts'
import type { LinkEntry, PageRelation } from '../rules.ts'
import type { Paging } from '../server.ts'

const related = (
  change: (entries: readonly PageRelation[], paging: Paging) => readonly PageRelation[],
) => alter('linkRelations', change)

const missing = (relation: string) =>
  related((entries) => entries.filter((entry) => entry.relation !== relation))

/** Adds a relation with a target `by` pages ahead. */
const further = (relation: string, by: number) =>
  related((entries, { page }) => [...entries, { relation, page: page + by }])

const leading = (relation: string, to: (page: number, paging: Paging) => number) =>
  related((entries, paging) =>
    entries.map((entry) =>
      entry.relation === relation ? { relation, page: to(entry.page, paging) } : entry,
    ),
  )

function swapped(one: string, other: string) {
  const names: Readonly<Record<string, string>> = { [one]: other, [other]: one }
  return related((entries) =>
    entries.map(({ relation, page }) => ({ relation: names[relation] ?? relation, page })),
  )
}

const formatted = (format: (entry: LinkEntry) => string, separator = ', ') => ({
  formatLink: (entries: readonly LinkEntry[]) => entries.map(format).join(separator),
})

const withoutBasePath = (origin: (address: string) => string) =>
  alter('linkTarget', (target, _page, _paging, address, { server: { basePath } }) =>
    target.replace(address, origin(address.slice(0, -basePath.length))),
  )

const targeted = (change: (target: string) => string) =>
  alter('linkTarget', (target) => change(target))

const noLink = { linkNeeded: () => false }

const withoutLimit = targeted((target) => target.replace(/limit=\d+&/, ''))

const ofWholeList = ['short-page-is-not-the-end', 'walk']

export const linkFaults = [
  pagination(['link-when-several-pages', 'link-relations'], {
    ...at('link-missing', ['on-last-page', 'at-small-limits', 'with-basic'], noLink),
    // A layer that compresses responses drops the field.
    'link-missing-with-gzip': onlyIf(
      ({ headers }) => headers.get('Accept-Encoding')?.includes('gzip') === true,
      noLink,
    ),
    'link-missing-with-write-scopes': onlyIf(
      ({ caller }) => caller?.scopes?.every((scope) => scope.startsWith('write:')) === true,
      noLink,
    ),
  }),
  pagination(['link-form', 'link-relations', 'walk'], {
    'link-malformed-on-second-page': alter('formatLink', (field, _entries, { paging }) =>
      paging?.page === 2 ? field.replaceAll(/[<>]/g, '') : field,
    ),
  }),
  // The field is unreadable or lacks the documented relation types.
  pagination(['link-form', 'link-relations', ...ofWholeList], {
    'link-without-relations': formatted(({ target }) => `<${target}>`),
  }),
  pagination(['link-relations', ...ofWholeList], {
    'next-link-missing-from-lists-without-a-total in no-total-count': missing('next'),
  }),
  pagination(['link-relations', 'walk'], {
    ...inVariant('account-of-many-repositories', {
      'next-link-missing-near-the-end-without-limit': onlyIf(
        isPage(({ page, limit, lastPage }) => limit === 20 && page === lastPage - 3),
        missing('next'),
      ),
    }),
  }),
  pagination('link-relations', {
    ...at('previous-link-missing', ['at-small-limits'], missing('prev')),
    ...at('previous-link-missing', ['from-the-fourth-page'], missing('prev')),
    ...at('next-link', ['on-a-full-last-page'], further('next', 1)),
  }),
  pagination('link-targets', {
    ...at(
      'previous-link-to-the-first-page',
      ['without-limit'],
      leading('prev', () => 1),
    ),
    'last-link-one-page-late-if-full': leading('last', (page, { total, limit }) =>
      total % limit === 0 ? page + 1 : page,
    ),
    'previous-link-to-the-second-page': leading('prev', (page) => Math.min(page, 2)),
    ...at('link-without-limit', ['at-small-limits'], withoutLimit),
    'link-drops-sudo': targeted((target) => target.replace(/sudo=\w+&/, '')),
    'last-link-past-the-end-leads-nowhere': onlyIf(isPastEnd, further('last', 1)),
  }),
  pagination(['link-targets', 'walk'], {
    'next-link-stuck': leading('next', (_page, paging) => paging.page),
    'link-without-the-base-path in base-path': withoutBasePath((origin) => origin),
  }),
  pagination(['link-relations', 'link-targets', 'past-the-end', ...ofWholeList], {
    'next-and-previous-link-swapped': swapped('next', 'prev'),
  }),
].flat()
