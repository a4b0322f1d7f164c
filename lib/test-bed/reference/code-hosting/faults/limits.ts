// Page sizes and page numbers: wrong for some limits, pages, or ways of sending credentials.

import { fail, HttpError } from '../../http.ts'
import { alter, at, on, onlyIf, pagination, type RuleChange, type Rules } from '../changes.ts'
import { hasQuery } from '../requests.ts'
import type { Paging, RequestContext, ServerSettings } from '../server.ts'

const maximum: Size = ({ maxResponseItems }) => maxResponseItems
const defaultSize: Size = ({ defaultPagingNum }) => defaultPagingNum
const plus =
  (size: Size, more: number): Size =>
  (settings) =>
    size(settings) + more

export const two: Size = () => 2
export const belowMaximum = plus(maximum, -1)
export const aboveDefault = plus(defaultSize, 1)
const twiceMaximum: Size = (settings) => maximum(settings) * 2
/** Exceeds the number of repositories of any account. */
const all: Size = () => 1000

/** A number of items or of a page, or the error about it. */
export type Size = (settings: ServerSettings) => number

const reject =
  (status: number): Size =>
  () =>
    fail(new HttpError(status, 'out of range'))
const crash: Size = () => {
  throw new Error('strconv.Atoi: value out of range')
}

type Predicate = (value: bigint, settings: ServerSettings) => boolean

const equals =
  (size: Size): Predicate =>
  (value, settings) =>
    Number(value) === size(settings)
const isZero: Predicate = (value) => value === 0n
const isNegative: Predicate = (value) => value < 0n
const isAbove: Predicate = (value, { maxResponseItems }) => value > maxResponseItems
const atLeast = (bits: bigint) => (value: bigint) => value >= 2n ** bits
const above = (bits: bigint) => (value: bigint) => value > 2n ** bits
const below = (bits: bigint) => (value: bigint) => value < -(2n ** bits)

const isInteger = (text: string | null): text is string => /^-?\d+$/.test(text ?? '')

/** Gives matching limits another page size. */
const limits = (isMatch: Predicate, size: Size) =>
  alter('effectiveLimit', (limit, text, settings) =>
    isInteger(text) && isMatch(BigInt(text), settings) ? size(settings) : limit,
  )

const pages = (isMatch: Predicate, page: Size) =>
  alter('effectivePage', (number, text, { server: { settings } }) =>
    isInteger(text) && isMatch(BigInt(text), settings) ? page(settings) : number,
  )

/** Gives every page this size. */
const sized = (size: Size): Partial<Rules> => ({
  effectiveLimit: (_requested, settings) => size(settings),
})
const defaultIs = (size: Size) => onlyIf(hasQuery('limit', null), sized(size))

const notLowered = alter('effectiveLimit', (limit, requested, { maxResponseItems }) =>
  Number(requested) > maxResponseItems
    ? Math.min(Number(requested), Number.MAX_SAFE_INTEGER)
    : limit,
)

const wrap = (text: string | null, bits: number) =>
  isInteger(text) ? String(BigInt.asIntN(bits, BigInt(text))) : text

const itemsOf =
  (other: (paging: Paging, context: RequestContext) => Partial<Paging>): RuleChange =>
  (rules) => ({
    pageItems: (items, paging, context) =>
      rules.pageItems(items, { ...paging, ...other(paging, context) }, context),
  })

const countingFromTheEnd = itemsOf(({ page, lastPage }, { url }) => {
  const value = Number(url.searchParams.get('page'))
  return { page: value < 0 ? Math.max(1, lastPage + 1 + value) : page }
})

const hasLimitAbove = ({ url, server }: RequestContext) =>
  Number(url.searchParams.get('limit')) > maximum(server.settings)

const countedFromTheRequest = onlyIf(
  hasLimitAbove,
  alter('pageItems', (_shown, items, { page, limit }, { url }) => {
    const start = (page - 1) * Number(url.searchParams.get('limit'))
    return items.slice(start, start + limit)
  }),
)

const limitRepeated = onlyIf(
  hasLimitAbove,
  alter('linkTarget', (target, _page, _paging, _address, { url }) =>
    target.replace(/limit=\d+/, `limit=${url.searchParams.get('limit')}`),
  ),
)

const agreement = 'settings/agree-with-pagination'

export const limitFaults = [
  pagination('default-limit', {
    'default-limit-is-maximum-of-a-list-that-never-settles in list-that-never-settles-inconclusive':
      defaultIs(maximum),
    ...at('default-limit-is-maximum', ['with-sudo'], defaultIs(maximum)),
  }),
  pagination(['default-limit', 'first-page-default'], {
    'everything-without-page-and-limit': onlyIf(hasQuery('page', null), defaultIs(all)),
  }),
  pagination('limit-not-positive', {
    ...at('limit-zero-gives-maximum', ['', 'with-sudo'], limits(isZero, maximum)),
    'limit-zero-rejected': limits(isZero, reject(400)),
    ...at(
      'negative-limit-gives-one',
      ['with-public-only'],
      limits(isNegative, () => 1),
    ),
    'limit-far-below-zero-rejected': limits(below(53n), reject(422)),
    'limit-beyond-63-bits-below-zero-fails': limits(below(63n), crash),
  }),
  pagination('limit-honoured', {
    'limit-of-one-gives-default': limits(
      equals(() => 1),
      defaultSize,
    ),
    ...at(
      'limit-ignored',
      ['with-sudo-query'],
      limits((limit, { maxResponseItems }) => limit > 0n && limit <= maxResponseItems, defaultSize),
    ),
  }),
  pagination(['limit-honoured', 'limit-lowered', agreement], {
    'limit-ignored': sized(defaultSize),
  }),
  pagination(
    ['limit-honoured', 'limit-lowered'],
    at('limit-ignored', ['with-the-legacy-prefix'], sized(defaultSize)),
  ),
  pagination(
    ['first-page-default', 'limit-honoured'],
    at('limit-ignored', ['without-page'], on('user-repositories', sized(defaultSize))),
  ),
  pagination(['limit-lowered', agreement], {
    'limit-not-lowered': {
      expectedVerdicts: { 'pagination/short-page-is-not-the-end': 'skipped' },
      change: notLowered,
    },
    'limit-lowered-to-one-less': limits(isAbove, belowMaximum),
  }),
  pagination('limit-lowered', {
    ...at('limit-not-lowered', ['with-sudo', 'with-public-only'], notLowered),
    'limit-twice-the-maximum-honoured': limits(equals(twiceMaximum), twiceMaximum),
    'limit-of-63-bits-gives-default': limits(above(53n), defaultSize),
    'limit-beyond-63-bits-fails': limits(atLeast(63n), crash),
  }),
  pagination(['limit-lowered', 'link-targets', 'walk'], {
    'next-link-from-a-lowered-limit-loses-items': [countedFromTheRequest, limitRepeated],
  }),
  pagination(['limit-lowered', 'limit-not-positive'], {
    'limit-wrapped-in-32-bits': ({ effectiveLimit }) => ({
      effectiveLimit: (text, ...all) => effectiveLimit(wrap(text, 32), ...all),
    }),
  }),
  pagination(['limit-lowered', 'per-page-header', 'walk', agreement], {
    'limit-lowered-only-in-headers': itemsOf(({ limit }, { url, server }) => {
      const value = Number(url.searchParams.get('limit'))
      return { limit: value > maximum(server.settings) ? value : limit }
    }),
  }),
  pagination('page-below-one', {
    ...at(
      'page-zero-is-empty',
      ['with-query'],
      onlyIf(hasQuery('page', '0'), { pageItems: () => [] }),
    ),
    'negative-page-counts-from-the-end-of-few in small-account': countingFromTheEnd,
    'page-far-below-one-rejected': pages(below(32n), reject(400)),
    'page-beyond-53-bits-below-one-fails': pages(below(53n), crash),
  }),
  pagination(['page-below-one', 'past-the-end'], {
    'page-number-wrapped-in-32-bits': ({ effectivePage }) => ({
      effectivePage: (text, context) => effectivePage(wrap(text, 32), context),
    }),
  }),
  pagination('past-the-end', {
    'page-beyond-53-bits-fails': pages(atLeast(53n), crash),
  }),
].flat()
