import { fail, HttpError } from '../../http.ts'
import {
  alter,
  faultsOf,
  hasQuery,
  isLaterPage,
  isPage,
  isPastEnd,
  onlyIf,
  type RuleChange,
  usesScheme,
} from '../changes.ts'
import type { RequestContext, ServerSettings } from '../server.ts'
import { defaultSize, maximum, type Size } from './pages.ts'

const integerIn =
  (name: string, isMatch: (value: bigint, settings: ServerSettings) => boolean) =>
  ({ url, server }: RequestContext): boolean => {
    const value = url.searchParams.get(name) ?? ''
    return /^-?\d+$/.test(value) && isMatch(BigInt(value), server.settings)
  }

const isAbove = integerIn('limit', (limit, { maxResponseItems }) => limit > maxResponseItems)
const isNotPositive = integerIn('limit', (limit) => limit <= 0n)

type Limited = Parameters<typeof onlyIf>[1]

const forLimit = (isMatch: Parameters<typeof integerIn>[1], change: Limited) =>
  onlyIf(integerIn('limit', isMatch), change)
const forPage = (isMatch: (page: bigint) => boolean, change: Limited) =>
  onlyIf(integerIn('page', isMatch), change)

const atLeast = (bits: bigint) => (value: bigint) => value >= 2n ** bits
const above = (bits: bigint) => (value: bigint) => value > 2n ** bits
const below = (bits: bigint) => (value: bigint) => value < -(2n ** bits)

const sizeOf = (size: Size): RuleChange =>
  alter('effectiveLimit', (_limit, _requested, settings) => size(settings))

const giveMaximum = sizeOf(maximum)
const giveDefault = sizeOf(defaultSize)

const onLaterPages = (isMatch: (context: RequestContext) => boolean, change: Limited) =>
  onlyIf((context) => isMatch(context) && integerIn('page', (page) => page > 1n)(context), change)

const reject = (rule: 'effectiveLimit' | 'effectivePage', status: number) => ({
  [rule]: () => fail(new HttpError(status, 'out of range')),
})
const crash = (rule: 'effectiveLimit' | 'effectivePage') => ({
  [rule]: () => {
    throw new Error('strconv.Atoi: value out of range')
  },
})

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

const countedFromTheRequest = onlyIf(
  isAbove,
  alter('pageItems', (_shown, items, { page, limit }, { url }) => {
    const start = (page - 1) * Number(url.searchParams.get('limit'))
    return items.slice(start, start + limit)
  }),
)

const limitRepeated = onlyIf(
  isAbove,
  alter('linkTarget', (target, _page, _paging, _address, { url }) =>
    target.replace(/limit=\d+/, `limit=${url.searchParams.get('limit')}`),
  ),
)

const hasSmallLimit = isPage(({ limit }) => limit > 2 && limit < 20)

const atSmallLimits = (change: Limited) => onlyIf(hasSmallLimit, change)

const pagination = faultsOf('pagination')

export const boundaryFaults = [
  pagination('limit-lowered', {
    'page-two-counted-from-the-requested-limit': countedFromTheRequest,
    'limit-above-maximum-gives-default-after-the-first-page': onLaterPages(isAbove, giveDefault),
    'limit-of-32-bits-rejected': forLimit(atLeast(31n), reject('effectiveLimit', 400)),
    'limit-of-32-bits-gives-default': forLimit(atLeast(31n), giveDefault),
    'limit-of-63-bits-gives-default': forLimit(above(53n), giveDefault),
    'limit-beyond-63-bits-fails': forLimit(atLeast(63n), crash('effectiveLimit')),
  }),
  pagination(['limit-lowered', 'link-targets', 'walk'], {
    'next-link-from-a-lowered-limit-loses-items': [countedFromTheRequest, limitRepeated],
  }),
  pagination(['limit-lowered', 'limit-not-positive'], { 'limit-wrapped-in-32-bits': limitsOf(32) }),
  pagination('limit-not-positive', {
    'limit-zero-gives-maximum-after-the-first-page': onLaterPages(isNotPositive, giveMaximum),
    'limit-far-below-zero-gives-maximum': forLimit(below(31n), giveMaximum),
    'limit-far-below-zero-rejected': forLimit(below(53n), reject('effectiveLimit', 422)),
    'limit-beyond-63-bits-below-zero-fails': forLimit(below(63n), crash('effectiveLimit')),
  }),
  pagination('limit-honoured', {
    'limit-one-below-maximum-gives-maximum': forLimit(
      (limit, { maxResponseItems }) => limit === BigInt(maxResponseItems) - 1n,
      giveMaximum,
    ),
    'items-of-small-limits-in-another-order': atSmallLimits(
      alter('pageItems', (shown) => shown.toReversed()),
    ),
  }),
  pagination(['limit-honoured', 'limit-lowered'], {
    'limit-ignored-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), giveDefault),
  }),
  pagination('limit-honoured', {
    'item-lost-after-the-first-page-of-small-limits': atSmallLimits(
      onlyIf(
        isLaterPage,
        alter('pageItems', (_shown, items, { page, limit }) =>
          items.slice((page - 1) * limit + 1, page * limit + 1),
        ),
      ),
    ),
  }),
  pagination('page-below-one', {
    'page-far-below-one-is-empty': forPage(
      below(31n),
      pageNumber(() => '1000'),
    ),
    'page-far-below-one-rejected': forPage(below(32n), reject('effectivePage', 400)),
    'page-beyond-53-bits-below-one-fails': forPage(below(53n), crash('effectivePage')),
  }),
  pagination(['page-below-one', 'past-the-end'], {
    'page-number-wrapped-in-32-bits': pageNumber((requested) => wrapped(requested, 32)),
  }),
  pagination('past-the-end', {
    'page-of-32-bits-gives-the-first': forPage(
      atLeast(31n),
      pageNumber(() => '1'),
    ),
    'page-of-53-bits-fails': forPage(above(52n), crash('effectivePage')),
    'page-beyond-53-bits-fails': forPage(atLeast(53n), crash('effectivePage')),
  }),
  pagination('page-header', {
    'page-header-always-one-at-small-limits': atSmallLimits({ currentPage: () => '1' }),
  }),
  pagination('per-page-header', {
    'per-page-header-of-the-default-at-small-limits': atSmallLimits({ perPage: () => '20' }),
    'per-page-header-of-another-size-past-the-end': onlyIf(isPastEnd, { perPage: () => '7' }),
  }),
  pagination('has-more-header', {
    'has-more-always-false-at-small-limits': atSmallLimits({ hasMore: () => 'false' }),
  }),
  pagination('total-count', {
    'total-count-of-the-page-at-small-limits': atSmallLimits({
      totalCount: (_paging, shown) => String(shown),
    }),
    'total-count-of-one-with-limit-one': onlyIf(hasQuery('limit', '1'), { totalCount: () => '1' }),
    'total-count-zero-past-the-end': onlyIf(isPastEnd, { totalCount: () => '0' }),
  }),
  pagination('link-relations', {
    'previous-link-missing-at-small-limits': atSmallLimits(
      alter('linkRelations', (entries) => entries.filter(({ relation }) => relation !== 'prev')),
    ),
  }),
  pagination(['link-relations', 'link-when-several-pages'], {
    'link-missing-at-small-limits': atSmallLimits({ linkNeeded: () => false }),
  }),
  pagination('link-targets', {
    'link-without-limit-at-small-limits': atSmallLimits(
      alter('linkTarget', (target) => target.replace(/limit=\d+&/, '')),
    ),
    'link-drops-sudo': alter('linkTarget', (target) => target.replace(/sudo=\w+&/, '')),
    'last-link-past-the-end-leads-nowhere': onlyIf(
      isPastEnd,
      alter('linkRelations', (entries, { page }) => [
        ...entries,
        { relation: 'last', page: page + 1 },
      ]),
    ),
  }),
].flat()
