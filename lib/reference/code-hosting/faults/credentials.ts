// Documented features that are wrong only for one way of sending credentials.

import type { Change } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  faultsOf,
  hasQuery,
  isLaterPage,
  on,
  onlyIf,
  type Rules,
  usesScheme,
} from '../changes.ts'
import type { RequestContext } from '../server.ts'
import { defaultSize, maximum, type Size } from './pages.ts'

const list = 'user-repositories'

const places = {
  'with-a-password': usesScheme('basic'),
  'with-a-query-token': usesScheme('query'),
  'with-the-legacy-prefix': usesScheme('legacy'),
  'with-sudo': ({ headers }: RequestContext) => headers.has('Sudo'),
  'with-sudo-in-the-query': hasQuery('sudo'),
  'for-public-only': ({ caller }: RequestContext) =>
    caller?.scopes?.includes('public-only') === true,
}

type Place = keyof typeof places

/** Adds the names of the places to the name of the fault. */
const at = (name: string, change: Change<Rules>, ...names: readonly Place[]) =>
  Object.fromEntries(
    names.map((place) => [`${name}-${place}`, onlyIf(places[place], change)] as const),
  )

const onList = (name: string, change: Change<Rules>, ...names: readonly Place[]) =>
  at(name, on(list, change), ...names)

const withoutField = (name: string) => alterParts(({ headers }) => void headers.delete(name))

const sizedIf = (isMatch: (requested: number, most: number) => boolean, size: Size) =>
  alter('effectiveLimit', (limit, requested, settings) =>
    requested !== null && isMatch(Number(requested), maximum(settings)) ? size(settings) : limit,
  )

const limitNotLowered = alter('effectiveLimit', (limit, requested) =>
  Math.max(limit, Math.min(Number(requested), Number.MAX_SAFE_INTEGER)),
)

const withoutLimit = onlyIf(hasQuery('limit', null), {
  effectiveLimit: (_requested, settings) => maximum(settings),
})

const firstPageAgain = onlyIf(
  hasQuery('limit'),
  alter('pageItems', (shown, items, { page, limit }) =>
    page === 2 ? items.slice(0, limit) : shown,
  ),
)

const ofTheActor = alter('totalCount', (total, _paging, _shown, { caller, server }) =>
  caller ? String(server.store.repositoriesOf(caller.actor.login).length) : total,
)

const moreHidden = alter('hasMore', (more, { page, limit }, _shown, { caller, server }) => {
  const { length } = server.store.repositoriesOf(caller?.account.login ?? '')
  return more === 'false' ? String(page < Math.ceil(length / limit)) : more
})

const linkWithoutLimit = alter('linkTarget', (target) => target.replace(/limit=\d+&/, ''))

const nameOnly = alter('repositoryRecord', (record, { name }) => ({ ...record, full_name: name }))

const otherBlobSize = alter('settingsRecord', (record) => ({
  ...Object(record),
  default_max_blob_size: 1024,
}))

const authentication = faultsOf('authentication')
const pagination = faultsOf('pagination')

export const credentialFaults = [
  pagination('limit-lowered', {
    ...onList(
      'limit-not-lowered',
      limitNotLowered,
      ...(['with-a-password', 'with-a-query-token', 'with-the-legacy-prefix'] as const),
      ...(['with-sudo', 'with-sudo-in-the-query', 'for-public-only'] as const),
    ),
  }),
  pagination('limit-not-positive', {
    ...onList(
      'limit-zero-gives-maximum',
      sizedIf((limit) => limit === 0, maximum),
      'with-a-password',
      'with-sudo',
    ),
    ...onList(
      'negative-limit-gives-one',
      sizedIf(
        (limit) => limit < 0,
        () => 1,
      ),
      'with-a-password',
      'with-a-query-token',
      'for-public-only',
    ),
  }),
  pagination('limit-honoured', {
    ...onList(
      'limit-ignored',
      sizedIf((limit, most) => limit > 0 && limit <= most, defaultSize),
      ...(['with-a-password', 'with-sudo-in-the-query', 'for-public-only'] as const),
    ),
  }),
  pagination('default-limit', {
    ...onList('default-limit-is-maximum', withoutLimit, 'with-a-password', 'with-sudo'),
    'default-limit-is-maximum-after-the-first-page': on(list, (rules) => ({
      effectiveLimit: (requested, settings, context) =>
        requested === null && Number(context.url.searchParams.get('page')) > 1
          ? maximum(settings)
          : rules.effectiveLimit(requested, settings, context),
    })),
  }),
  pagination(['limit-honoured', 'link-targets'], {
    ...onList('second-page-is-the-first', firstPageAgain, 'with-a-password', 'with-sudo'),
  }),
  pagination('page-below-one', {
    ...onList(
      'page-zero-is-empty',
      alter('pageItems', (shown, ...all) => (hasQuery('page', '0')(all[2]) ? [] : shown)),
      'with-a-password',
      'with-a-query-token',
    ),
  }),
  pagination('page-header', {
    ...onList('page-header-missing', withoutField('X-Page'), 'with-sudo'),
    ...onList(
      'page-header-always-one',
      { currentPage: () => '1' },
      ...(['with-a-password', 'with-sudo', 'for-public-only'] as const),
    ),
  }),
  pagination('per-page-header', {
    ...onList('per-page-header-missing', withoutField('X-PerPage'), 'with-a-query-token'),
    ...onList(
      'per-page-header-of-the-default',
      { perPage: (_paging, { server }) => String(defaultSize(server.settings)) },
      ...(['with-a-password', 'with-a-query-token', 'for-public-only'] as const),
    ),
  }),
  pagination('has-more-header', {
    ...onList('has-more-missing', withoutField('X-HasMore'), 'for-public-only'),
    ...onList(
      'has-more-always-false',
      { hasMore: () => 'false' },
      ...(['with-a-password', 'with-sudo', 'with-the-legacy-prefix'] as const),
    ),
    ...onList('has-more-of-the-full-list', moreHidden, 'for-public-only'),
  }),
  pagination('total-count', {
    ...onList(
      'total-count-missing',
      withoutField('X-Total-Count'),
      ...(['with-a-password', 'with-a-query-token', 'with-sudo', 'for-public-only'] as const),
    ),
    ...onList('total-count-of-the-actor', ofTheActor, 'with-sudo', 'with-sudo-in-the-query'),
  }),
  pagination(['link-when-several-pages', 'link-relations'], {
    ...onList(
      'link-missing',
      { linkNeeded: () => false },
      ...(['with-a-password', 'with-a-query-token', 'with-sudo', 'for-public-only'] as const),
    ),
  }),
  pagination('exposed-headers', {
    ...onList(
      'exposed-headers-missing',
      withoutField('Access-Control-Expose-Headers'),
      'with-a-password',
      'with-sudo',
    ),
  }),
  pagination('link-targets', {
    ...onList('link-without-limit', linkWithoutLimit, 'with-sudo', 'with-a-query-token'),
  }),
  faultsOf('resources')('repositories', {
    ...onList(
      'listing-full-name-without-owner',
      nameOnly,
      'with-a-query-token',
      'with-the-legacy-prefix',
    ),
  }),
  faultsOf('settings')('values', {
    ...at('settings-of-another-size', otherBlobSize, 'with-a-password', 'with-the-legacy-prefix'),
  }),
  ...['Deprecation', 'Sunset', 'Warning'].map((name) => {
    const header = `${name.toLowerCase()}-header`
    const legacy = onlyIf(usesScheme('legacy'), withoutField(name))
    return authentication(`legacy-${header}`, {
      ...at(`${header}-missing`, legacy, 'with-sudo', 'with-sudo-in-the-query', 'for-public-only'),
      [`${header}-missing-after-the-first-page`]: onlyIf(isLaterPage, legacy),
    })
  }),
].flat()
