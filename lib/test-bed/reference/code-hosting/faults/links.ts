import { alter, faultsOf, hasQuery, isLastPage, isLaterPage, onlyIf, within } from '../changes.ts'
import type { LinkEntry, PageRelation } from '../rules.ts'
import type { Paging } from '../server.ts'

type PagePredicate = (paging: Paging) => boolean

const related = (
  change: (entries: readonly PageRelation[], paging: Paging) => readonly PageRelation[],
) => alter('linkRelations', change)

export const missing = (relation: string, isMissing: PagePredicate = () => true) =>
  related((entries, paging) =>
    entries.filter((entry) => entry.relation !== relation || !isMissing(paging)),
  )

/** Adds the relation on matching pages, with a target `by` pages ahead. */
export const further = (relation: string, by: number, isMatch: PagePredicate) =>
  related((entries, paging) =>
    isMatch(paging) ? [...entries, { relation, page: paging.page + by }] : entries,
  )

export const leading = (relation: string, to: (page: number, paging: Paging) => number) =>
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

const documented = ({ relation, target }: LinkEntry) => `<${target}>; rel="${relation}"`

const withoutBasePath = (origin: (address: string) => string) =>
  within(
    'base-path',
    alter('linkTarget', (target, _page, _paging, address, { server: { basePath } }) =>
      target.replace(address, origin(address.slice(0, -basePath.length))),
    ),
  )

const targeted = (change: (target: string) => string) =>
  alter('linkTarget', (target) => change(target))

/** Sends `Link` on matching single pages too. */
const onSinglePages = (linkNeeded: PagePredicate) => [
  { linkNeeded },
  related((entries, { lastPage }) => (lastPage > 1 ? entries : [{ relation: 'first', page: 1 }])),
]

const noLink = { linkNeeded: () => false }

const missingInMany = (isMissing: PagePredicate) =>
  within('account-of-many-repositories', missing('next', isMissing))

const ofWholeList = ['short-page-is-not-the-end', 'walk']

const pagination = faultsOf('pagination')

export const linkFaults = [
  pagination('link-when-several-pages', {
    'link-on-single-page': onSinglePages(() => true),
    'link-past-the-end-of-a-single-page': {
      linkNeeded: ({ page, lastPage }) => page > 1 || lastPage > 1,
    },
    'link-on-full-single-page': onSinglePages(({ total, limit }) => total >= limit),
  }),
  pagination(['link-when-several-pages', 'link-relations', 'walk'], {
    'link-only-on-first-page': onlyIf(isLaterPage, noLink),
  }),
  pagination(['link-when-several-pages', 'link-relations'], {
    'link-missing-on-last-page': onlyIf(isLastPage, noLink),
  }),
  pagination(['link-when-several-pages', 'link-relations', ...ofWholeList], {
    'link-missing-with-limit': onlyIf(hasQuery('limit'), noLink),
  }),
  pagination('link-form', { 'link-relation-undocumented': further('self', 0, () => true) }),
  pagination(['link-form', 'link-relations', 'walk'], {
    'link-malformed-on-second-page': alter('formatLink', (field, _entries, { paging }) =>
      paging?.page === 2 ? field.replaceAll(/[<>]/g, '') : field,
    ),
  }),
  // The field is unreadable or lacks the documented relation types.
  pagination(['link-form', 'link-relations', ...ofWholeList], {
    'link-separated-by-semicolons': formatted(documented, '; '),
    'link-without-relations': formatted(({ target }) => `<${target}>`),
  }),
  pagination(['link-form', 'link-relations'], {
    'link-relation-previous': formatted((to) => documented(to).replace('prev', 'previous')),
  }),
  pagination(['link-relations', ...ofWholeList], {
    'next-link-missing': missing('next'),
    'next-link-missing-on-first-page': missing('next', ({ page }) => page === 1),
  }),
  pagination(['link-relations', 'walk'], {
    'next-link-missing-with-few-repositories': within('small-account', missing('next')),
    'next-link-missing-before-last-page': missing('next', (at) => at.page === at.lastPage - 1),
  }),
  pagination('link-relations', {
    'previous-link-missing-on-last-page': missing('prev', (at) => at.page === at.lastPage),
    'first-link-missing-on-middle-pages': missing('first', (at) => at.page < at.lastPage),
    'first-link-missing-on-last-page': missing('first', (at) => at.page === at.lastPage),
    'last-link-missing': missing('last'),
    'last-link-missing-on-first-page': missing('last', ({ page }) => page === 1),
    'next-link-on-last-page': further('next', 1, ({ page, lastPage }) => page === lastPage),
    'next-link-on-last-page-that-is-not-full': further(
      'next',
      1,
      ({ page, lastPage, total, limit }) => page === lastPage && total % limit !== 0,
    ),
    'previous-link-on-first-page': further('prev', 0, ({ page }) => page === 1),
  }),
  pagination('past-the-end', {
    'next-link-past-the-end': further('next', 1, ({ page, lastPage }) => page > lastPage),
  }),
  pagination(['walk', 'link-relations'], {
    'next-link-missing-far-from-the-ends': missingInMany((at) => at.limit === 25 && at.page === 15),
    'next-link-missing-near-the-end-without-limit': missingInMany(
      ({ page, limit, lastPage }) => limit === 20 && page === lastPage - 3,
    ),
  }),
  pagination('link-targets', {
    'previous-link-to-first-page': leading('prev', () => 1),
    'first-link-to-second-page': leading('first', () => 2),
    'last-link-one-page-early': leading('last', (page) => Math.max(1, page - 1)),
    'last-link-one-page-late': leading('last', (page) => page + 1),
  }),
  pagination(['link-relations', 'link-targets'], {
    'first-and-last-link-swapped': swapped('first', 'last'),
  }),
  pagination(['link-targets', 'walk'], {
    'next-link-stuck': leading('next', (_page, paging) => paging.page),
    'next-link-skips-a-page': leading('next', (page, { lastPage }) => Math.min(page + 1, lastPage)),
    'link-without-the-base-path': withoutBasePath((origin) => origin),
    'link-relative-without-the-base-path': withoutBasePath(() => ''),
    'link-without-limit': targeted((target) => target.replace(/limit=\d+&/, '')),
    'link-outside-the-api': targeted((target) => target.replace('/api/v1/user/', '/explore/')),
    'link-escaped-for-html': targeted((target) => target.replaceAll('&', '&amp;')),
    'link-repeats-page-parameter': alter(
      'linkTarget',
      (target, _page, _paging, _address, { url }) => {
        const page = url.searchParams.get('page')
        return page === null ? target : target.replace('?', `?page=${page}&`)
      },
    ),
    'link-counts-pages-from-zero': targeted((target) =>
      target.replace(/(?<=[?&]page=)\d+/, (page) => String(Number(page) - 1)),
    ),
  }),
  pagination(['link-relations', 'link-targets', 'past-the-end', ...ofWholeList], {
    'next-and-previous-link-swapped': swapped('next', 'prev'),
  }),
].flat()
