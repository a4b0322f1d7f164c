import type { Change } from '../../service.ts'
import type { Paging } from '../deployment.ts'
import type { LinkEntry, PageRelation } from '../rules/pagination.ts'
import {
  altered,
  asking,
  atTheEnd,
  behindTheFirst,
  faultsOf,
  pages,
  type RuleChange,
  type Rules,
  where,
  within,
} from '../rules.ts'

function related(
  change: (entries: readonly PageRelation[], paging: Paging) => readonly PageRelation[],
): RuleChange {
  return altered('linkRelations', change)
}

/** Leaves the relation out, everywhere or on such pages. */
function missing(
  relation: string,
  isMissing: (paging: Paging) => boolean = () => true,
): RuleChange {
  return where(
    pages(isMissing),
    related((entries) => entries.filter((entry) => entry.relation !== relation)),
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
  const names: Readonly<Record<string, string>> = { [one]: other, [other]: one }
  return related((entries) =>
    entries.map(({ relation, page }) => ({ relation: names[relation] ?? relation, page })),
  )
}

function formatted(format: (entry: LinkEntry) => string, separator = ', '): Partial<Rules> {
  return { formatLink: (entries) => entries.map(format).join(separator) }
}

function targeted(change: (target: string) => string): RuleChange {
  return altered('linkTarget', (target) => change(target))
}

/** Sends `Link` with a single page too, where its list is long enough. */
function onSinglePages(linkNeeded: (paging: Paging) => boolean): Change<Rules> {
  return [
    { linkNeeded },
    related((entries, { lastPage }) => (lastPage > 1 ? entries : [{ relation: 'first', page: 1 }])),
  ]
}

const noLink: Partial<Rules> = { linkNeeded: () => false }

/** Faults in where `Link` is sent, in its form, its relations and their targets. */
export const linkFaults = faultsOf('pagination', {
  'link-when-several-pages': {
    'link-on-single-page': onSinglePages(() => true),
    'link-on-full-single-page': onSinglePages(({ total, limit }) => total >= limit),
  },
  'link-when-several-pages + link-relations + walk': {
    'link-on-first-page-alone': where(behindTheFirst, noLink),
  },
  'link-when-several-pages + link-relations': {
    'link-missing-on-last-page': where(atTheEnd, noLink),
  },
  'link-when-several-pages + link-relations + short-page-is-not-the-end + walk': {
    'link-missing-with-limit': where(asking('limit'), noLink),
  },
  'link-form': {
    'link-relation-undocumented': related((entries, { page }) => [
      ...entries,
      { relation: 'self', page },
    ]),
  },
  'link-form + link-relations + walk': {
    'link-malformed-on-second-page': where(
      pages(({ page }) => page === 2),
      altered('formatLink', (field) => field.replaceAll(/[<>]/g, '')),
    ),
  },
  // Nobody can read it, or it has not the names that are documented.
  'link-form + link-relations + short-page-is-not-the-end + walk': {
    'link-separated-by-semicolons': formatted(
      ({ relation, target }) => `<${target}>; rel="${relation}"`,
      '; ',
    ),
    'link-without-relations': formatted(({ target }) => `<${target}>`),
  },
  'link-form + link-relations': {
    'link-relation-previous': formatted(
      ({ relation, target }) => `<${target}>; rel="${relation === 'prev' ? 'previous' : relation}"`,
    ),
  },
  'link-relations + short-page-is-not-the-end + walk': {
    'next-link-missing': missing('next'),
    'next-link-missing-on-first-page': missing('next', ({ page }) => page === 1),
  },
  'link-relations + walk': {
    'next-link-missing-with-few-repositories': within('small-account', missing('next')),
    'next-link-missing-before-last-page': missing(
      'next',
      ({ page, lastPage }) => page === lastPage - 1,
    ),
  },
  'link-relations': {
    'previous-link-missing-on-last-page': missing(
      'prev',
      ({ page, lastPage }) => page === lastPage,
    ),
    'first-link-missing-on-middle-pages': missing('first', ({ page, lastPage }) => page < lastPage),
    'last-link-missing': missing('last'),
    'next-link-on-last-page': related((entries, { page, lastPage }) =>
      page === lastPage ? [{ relation: 'next', page: page + 1 }, ...entries] : entries,
    ),
    'next-link-on-last-page-that-is-not-full': related(
      (entries, { page, lastPage, total, limit }) =>
        page === lastPage && total % limit !== 0
          ? [{ relation: 'next', page: page + 1 }, ...entries]
          : entries,
    ),
    'previous-link-on-first-page': related((entries, { page }) =>
      page > 1 ? entries : [...entries, { relation: 'prev', page: 1 }],
    ),
  },
  'past-the-end': {
    'next-link-past-the-end': related((entries, { page, lastPage }) =>
      page > lastPage ? [{ relation: 'next', page: page + 1 }, ...entries] : entries,
    ),
  },
  walk: {
    'next-link-missing-far-from-the-ends': within(
      'account-of-many-repositories',
      missing('next', ({ page, limit }) => limit === 25 && page === 15),
    ),
    'next-link-missing-near-the-end-without-limit': within(
      'account-of-many-repositories',
      missing('next', ({ page, limit, lastPage }) => limit === 20 && page === lastPage - 3),
    ),
  },
  'link-targets': {
    'previous-link-to-first-page': leading('prev', () => 1),
    'first-link-to-second-page': leading('first', () => 2),
    'last-link-one-page-early': leading('last', (page) => Math.max(1, page - 1)),
    'last-link-one-page-late': leading('last', (page) => page + 1),
    'first-and-last-link-swapped': swapped('first', 'last'),
  },
  'link-targets + walk': {
    'next-link-stuck': leading('next', (_page, paging) => paging.page),
    'next-link-skips-a-page': leading('next', (page, { lastPage }) => Math.min(page + 1, lastPage)),
    'link-without-limit': targeted((target) => target.replace(/limit=\d+&/, '')),
    'link-outside-the-api': targeted((target) =>
      target.replace('/api/v1/user/repos', '/explore/repos'),
    ),
    'link-escaped-for-html': targeted((target) => target.replaceAll('&', '&amp;')),
    'link-repeats-page-parameter': altered(
      'linkTarget',
      (target, _page, _paging, _address, { url }) => {
        const page = url.searchParams.get('page')
        return page === null ? target : target.replace('?', `?page=${page}&`)
      },
    ),
    'link-counts-pages-from-zero': targeted((target) =>
      target.replace(/([?&]page=)(\d+)/, (_, name, page) => `${name}${Number(page) - 1}`),
    ),
  },
  'link-relations + link-targets + past-the-end + short-page-is-not-the-end + walk': {
    'next-and-previous-link-swapped': swapped('next', 'prev'),
  },
})
