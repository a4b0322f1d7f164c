// Header fields of pages that have other values, everywhere or on some pages.

import { inVariant } from '../../rule-tables.ts'
import { alter, alterParts, at, on, onlyIf, pagination } from '../changes.ts'
import { hasQuery, isLaterPage } from '../requests.ts'
import type { Paging } from '../server.ts'

const none = () => undefined
const tokenList = 'list-tokens'
const withoutHeaders = { totalCount: none, currentPage: none, perPage: none, hasMore: none }
const more = { hasMore: () => 'true' }
const noneMore = { hasMore: () => 'false' }
const counted = (by: number) => alter('totalCount', (_total, { total }) => String(total + by))
const ofThePage = { totalCount: (_paging: Paging, shown: number) => String(shown) }
const ofOne = { totalCount: () => '1' }

const withoutExposed = alterParts(
  ({ headers }) => void headers.delete('Access-Control-Expose-Headers'),
)

const inTooMany = 'account-of-too-many-repositories-inconclusive'
const withoutOthers = 'other-accounts-without-repositories'

export const pageHeaderFaults = [
  pagination('page-header', {
    ...at('page-header-missing', ['past-the-end'], { currentPage: none }),
    ...at('page-header-always-one', ['at-small-limits', 'with-public-only'], {
      currentPage: () => '1',
    }),
  }),
  pagination('page-header', {
    'page-header-always-one-in-the-token-list': on(tokenList, { currentPage: () => '1' }),
  }),
  pagination('per-page-header', {
    'per-page-header-missing-in-the-token-list': on(tokenList, { perPage: none }),
  }),
  pagination('has-more-header', {
    'has-more-header-false-in-the-token-list': on(tokenList, noneMore),
  }),
  pagination('link-when-several-pages', {
    'link-missing-in-the-token-list': on(tokenList, { linkNeeded: () => false }),
  }),
  pagination('limit-lowered', {
    'limit-above-the-maximum-in-the-token-list': on(tokenList, {
      effectiveLimit: (requested) => Number(requested),
    }),
  }),
  pagination('exposed-headers', {
    'headers-of-the-token-list-not-exposed': on(tokenList, { exposedHeaders: () => [] }),
  }),
  pagination('total-count', {
    'total-count-missing-on-page-one': on(
      'user-repositories',
      onlyIf(hasQuery('page', '1'), { totalCount: none }),
    ),
  }),
  pagination(['page-header', 'page-below-one'], {
    'page-header-repeats-request': alter(
      'currentPage',
      (page, _paging, { url }) => url.searchParams.get('page') ?? page,
    ),
  }),
  pagination('per-page-header', {
    ...at('per-page-header-of-the-maximum', ['with-basic'], {
      perPage: () => '25',
    }),
    ...at('per-page-header-of-another-size', ['past-the-end'], {
      perPage: ({ limit }) => String(limit + 1),
    }),
    ...at('per-page-header-below-its-items', ['on-page-zero'], { perPage: () => '1' }),
    ...at('per-page-header-one-more', ['on-a-full-last-page'], {
      perPage: ({ limit }) => String(limit + 1),
    }),
  }),
  pagination('has-more-header', {
    ...at('has-more-as-digit', ['on-page-zero'], { hasMore: () => '1' }),
    ...at('has-more-always-false', ['at-small-limits', 'with-sudo'], noneMore),
    'has-more-ends-one-page-early': { hasMore: (at) => String(at.page < at.lastPage - 1) },
  }),
  pagination(['has-more-header', 'past-the-end'], {
    ...inVariant(withoutOthers, at('has-more-true', ['on-empty-lists'], more)),
  }),
  pagination(['has-more-header', 'past-the-end', 'short-page-is-not-the-end'], {
    'has-more-capitalised': { hasMore: (at) => (at.page < at.lastPage ? 'True' : 'False') },
  }),
  pagination(['page-header', 'per-page-header', 'has-more-header', 'total-count'], {
    ...at('page-headers-missing', ['on-empty-lists'], withoutHeaders),
  }),
  pagination('exposed-headers', {
    ...at('exposed-headers-missing', ['on-single-page'], withoutExposed),
    'exposed-headers-missing-without-total-count in no-total-count': withoutExposed,
    'exposed-headers-of-another-layer-with-origin': onlyIf(({ headers }) => headers.has('Origin'), {
      exposedHeaders: () => ['Link', 'X-Total-Count'],
    }),
  }),
  pagination('total-count', {
    ...at('total-count-of-the-page', ['at-small-limits'], ofThePage),
    ...at('total-count-missing', ['with-query'], { totalCount: none }),
    ...at('total-count-of-one', ['with-limit-one'], ofOne),
    ...at('total-count-one-more', ['on-a-full-last-page'], counted(1)),
    ...inVariant(inTooMany, {
      'total-count-that-differs-from-page-to-page': onlyIf(isLaterPage, counted(1)),
    }),
    'total-count-only-on-first-page': onlyIf(isLaterPage, { totalCount: none }),
    ...at(
      'total-count-of-the-actor',
      ['with-sudo-query'],
      alter('totalCount', (total, _paging, _shown, { caller, server }) =>
        caller ? String(server.store.repositoriesOf(caller.actor.login).length) : total,
      ),
    ),
  }),
  pagination(['has-more-header', 'link-relations', 'link-targets', 'link-when-several-pages'], {
    'page-after-a-full-last-one': { lastPage: (total, limit) => Math.floor(total / limit) + 1 },
  }),
].flat()
