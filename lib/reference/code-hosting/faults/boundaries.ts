import { HttpError, refuse } from '../../http.ts'
import {
  altered,
  asking,
  behindTheFirst,
  faultsOf,
  pages,
  pastTheEnd,
  type RuleChange,
  where,
} from '../changes.ts'
import type { RequestContext, Settings } from '../deployment.ts'

/** Requests with such an integer in the query. */
const integerIn =
  (name: string, isSuch: (value: bigint, settings: Settings) => boolean) =>
  ({ url, deployment }: RequestContext): boolean => {
    const value = url.searchParams.get(name) ?? ''
    return /^-?\d+$/.test(value) && isSuch(BigInt(value), deployment.settings)
  }

const limitIs = (isSuch: (value: bigint, settings: Settings) => boolean) =>
  integerIn('limit', isSuch)
const pageIs = (isSuch: (value: bigint) => boolean) => integerIn('page', isSuch)

const isAbove = limitIs((limit, { maxResponseItems }) => limit > maxResponseItems)
const isNotPositive = limitIs((limit) => limit <= 0n)

const sizeOf = (size: (settings: Settings) => number): RuleChange =>
  altered('effectiveLimit', (_limit, _requested, settings) => size(settings))

const maximum = sizeOf(({ maxResponseItems }) => maxResponseItems)
const usual = sizeOf(({ defaultPagingNum }) => defaultPagingNum)

const onLaterPages = (isSuch: (context: RequestContext) => boolean) => (context: RequestContext) =>
  isSuch(context) && pageIs((page) => page > 1n)(context)

const refusedWith = (status: number) => () => refuse(new HttpError(status, 'out of range'))
const failing = () => {
  throw new Error('strconv.Atoi: value out of range')
}

/** What is left of an integer in so many bits. */
const wrapped = (value: string | null, bits: number) =>
  /^-?\d+$/.test(value ?? '') ? String(BigInt.asIntN(bits, BigInt(value ?? 0))) : value

const limitsOf =
  (bits: number): RuleChange =>
  (rules) => ({
    effectiveLimit: (requested, settings, context) =>
      rules.effectiveLimit(wrapped(requested, bits), settings, context),
  })

const pageNumber =
  (change: (requested: string | null) => string | null): RuleChange =>
  (rules) => ({
    effectivePage: (requested, context) => rules.effectivePage(change(requested), context),
  })

/** Pages begin after as many items as the limit that was requested makes. */
const countedFromTheRequest = where(
  isAbove,
  altered('pageItems', (_shown, items, { page, limit }, { url }) => {
    const start = (page - 1) * Number(url.searchParams.get('limit'))
    return items.slice(start, start + limit)
  }),
)

const limitRepeated = where(
  isAbove,
  altered('linkTarget', (target, _page, _paging, _address, { url }) =>
    target.replace(/limit=\d+/, `limit=${url.searchParams.get('limit')}`),
  ),
)

/** Pages that no check names: only a sample has them. */
const ofSmallLimits = pages(({ limit }) => limit > 2 && limit < 20)

const inSamples = (change: Parameters<typeof where>[1]) => where(ofSmallLimits, change)

export const boundaryFaults = faultsOf('pagination', {
  'limit-lowered': {
    'page-two-counted-from-the-requested-limit': countedFromTheRequest,
    'limit-above-maximum-gives-default-behind-the-first-page': where(onLaterPages(isAbove), usual),
    'limit-of-32-bits-refused': where(
      limitIs((limit) => limit >= 2n ** 31n),
      {
        effectiveLimit: refusedWith(400),
      },
    ),
    'limit-of-32-bits-gives-default': where(
      limitIs((limit) => limit >= 2n ** 31n),
      usual,
    ),
    'limit-of-63-bits-gives-default': where(
      limitIs((limit) => limit > 2n ** 53n),
      usual,
    ),
    'limit-beyond-63-bits-fails': where(
      limitIs((limit) => limit >= 2n ** 63n),
      {
        effectiveLimit: failing,
      },
    ),
  },
  'limit-lowered + link-targets + walk': {
    'next-link-from-a-lowered-limit-loses-items': [countedFromTheRequest, limitRepeated],
  },
  'limit-lowered + limit-not-positive': { 'limit-wrapped-in-32-bits': limitsOf(32) },
  'limit-not-positive': {
    'limit-zero-gives-maximum-behind-the-first-page': where(onLaterPages(isNotPositive), maximum),
    'limit-far-below-zero-gives-maximum': where(
      limitIs((limit) => limit < -(2n ** 31n)),
      maximum,
    ),
    'limit-far-below-zero-refused': where(
      limitIs((limit) => limit < -(2n ** 53n)),
      {
        effectiveLimit: refusedWith(422),
      },
    ),
    'limit-beyond-63-bits-below-zero-fails': where(
      limitIs((limit) => limit < -(2n ** 63n)),
      {
        effectiveLimit: failing,
      },
    ),
  },
  'limit-honoured': {
    'limit-one-below-maximum-gives-maximum': where(
      limitIs((limit, { maxResponseItems }) => limit === BigInt(maxResponseItems) - 1n),
      maximum,
    ),
    'limit-ignored-with-the-legacy-prefix': where(
      ({ credentials }) => credentials?.scheme === 'legacy',
      usual,
    ),
    'items-of-small-limits-in-another-order': inSamples(
      altered('pageItems', (shown) => shown.toReversed()),
    ),
  },
  'limit-honoured + link-targets': {
    'item-lost-behind-the-first-page-of-small-limits': inSamples(
      where(
        behindTheFirst,
        altered('pageItems', (_shown, items, { page, limit }) =>
          items.slice((page - 1) * limit + 1, page * limit + 1),
        ),
      ),
    ),
  },
  'page-below-one': {
    'page-far-below-one-is-empty': where(
      pageIs((page) => page < -(2n ** 31n)),
      pageNumber(() => '1000'),
    ),
    'page-far-below-one-refused': where(
      pageIs((page) => page < -(2n ** 32n)),
      {
        effectivePage: refusedWith(400),
      },
    ),
    'page-beyond-53-bits-below-one-fails': where(
      pageIs((page) => page < -(2n ** 53n)),
      {
        effectivePage: failing,
      },
    ),
  },
  'page-below-one + past-the-end': {
    'page-number-wrapped-in-32-bits': pageNumber((requested) => wrapped(requested, 32)),
  },
  'past-the-end': {
    'page-of-32-bits-gives-the-first': where(
      pageIs((page) => page >= 2n ** 31n),
      pageNumber(() => '1'),
    ),
    'page-of-53-bits-fails': where(
      pageIs((page) => page > 2n ** 52n),
      { effectivePage: failing },
    ),
    'page-beyond-53-bits-fails': where(
      pageIs((page) => page >= 2n ** 53n),
      {
        effectivePage: failing,
      },
    ),
  },
  'page-header': {
    'page-header-always-one-at-small-limits': inSamples({ currentPage: () => '1' }),
  },
  'per-page-header': {
    'per-page-header-of-the-default-at-small-limits': inSamples({ perPage: () => '20' }),
    'per-page-header-of-another-size-past-the-end': where(pastTheEnd, { perPage: () => '7' }),
  },
  'has-more-header': {
    'has-more-always-false-at-small-limits': inSamples({ hasMore: () => 'false' }),
  },
  'total-count': {
    'total-count-of-the-page-at-small-limits': inSamples({
      totalCount: (_paging, shown) => String(shown),
    }),
    'total-count-of-one-with-limit-one': where(asking('limit', '1'), { totalCount: () => '1' }),
    'total-count-zero-past-the-end': where(pastTheEnd, { totalCount: () => '0' }),
  },
  'link-relations': {
    'previous-link-missing-at-small-limits': inSamples(
      altered('linkRelations', (entries) => entries.filter(({ relation }) => relation !== 'prev')),
    ),
  },
  'link-relations + link-when-several-pages': {
    'link-missing-at-small-limits': inSamples({ linkNeeded: () => false }),
  },
  'link-targets': {
    'link-without-limit-at-small-limits': inSamples(
      altered('linkTarget', (target) => target.replace(/limit=\d+&/, '')),
    ),
    'link-drops-sudo': altered('linkTarget', (target) => target.replace(/sudo=\w+&/, '')),
    'last-link-past-the-end-leads-nowhere': where(
      pastTheEnd,
      altered('linkRelations', (entries, { page }) => [
        ...entries,
        { relation: 'last', page: page + 1 },
      ]),
    ),
  },
})
