import { coveringArray, pseudoRandomNumbers } from '../../../lib/conformance/covering-array.ts'
import { publicOnlyReader } from '../tokens/scopes.ts'
import type { CodeHostingSettings } from '../variables.ts'
import type { Case } from './case.ts'

/** The documented rule that determines the page size. */
export type LimitKind = 'absent' | 'not positive' | 'honoured' | 'lowered'

/** The documented rule that determines the page; `regular` is the number of an existing page. */
export type PageKind = 'absent' | 'below one' | 'regular' | 'past the end'

/** The sizes of a list and of the pages of its server. */
interface Bounds extends Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'> {
  /** Number of items of the list. */
  length: number
}

interface Level<Kind, Value> {
  kind: Kind
  /** Name for pairs, which levels of the same effect share; absent for a level that is in no pair. */
  pair?: string
  value: Value
  /** True for a boundary of 31, 32, 53 or 63 bits, which is combined with common levels only. */
  isFar?: true
  /** True for a number beyond the documented range, for which only a server error deviates. */
  isOpen?: true
}

type Numeric = bigint | number | undefined
type LimitLevel = Level<LimitKind, (bounds: Bounds) => Numeric>
type PageLevel = Level<PageKind, (pages: number) => Numeric>

const level = <Kind, Value>(kind: Kind, pair: string, value: Value) => ({ kind, pair, value })

const fixed = <Kind>(kind: Kind, pair: string, value: Numeric) => level(kind, pair, () => value)

const far = <Kind>(kind: Kind, pair: string, value: bigint) =>
  ({ ...fixed(kind, pair, value), isFar: true }) as const

const open = <Kind>(kind: Kind, value: bigint) =>
  ({ ...fixed(kind, 'open', value), isOpen: true }) as const

/** Returns the largest limit that divides the list into full pages. */
function maxDivisor({ length, maxResponseItems }: Bounds): number {
  for (let limit = Math.min(maxResponseItems, length); limit > 1; limit -= 1) {
    if (length % limit === 0) return limit
  }
  return 1
}

/** Returns an integer between two numbers that is no boundary of a usual page size. */
const between = (from: number, to: number) =>
  from + Math.floor(pseudoRandomNumbers()() * Math.max(1, to - from + 1))

const honoured = (value: LimitLevel['value']) => level('honoured' as const, 'honoured', value)
const lowered = (value: LimitLevel['value']) => level('lowered' as const, 'above', value)

/** Limits by name. Some large ones overflow into the valid range on a server that reads too few bits. */
export const limits = {
  absent: fixed('absent', 'absent', undefined),
  '0': fixed('not positive', '0', 0),
  '-1': fixed('not positive', 'below 0', -1),
  '-2^31 - 1': far('not positive', 'below 0', -(2n ** 31n) - 1n),
  '1 - 2^32': far('not positive', 'below 0', 1n - 2n ** 32n),
  '-2^53': far('not positive', 'below 0', -(2n ** 53n)),
  '1 - 2^63': far('not positive', 'below 0', 1n - 2n ** 63n),
  '1': fixed('honoured', '1', 1),
  '2': fixed('honoured', 'honoured', 2),
  any: {
    kind: 'honoured',
    value: ({ maxResponseItems }) => between(1, maxResponseItems),
  },
  'full pages': honoured(maxDivisor),
  default: honoured(({ defaultPagingNum }) => defaultPagingNum),
  'default + 1': honoured(({ defaultPagingNum }) => defaultPagingNum + 1),
  'maximum - 1': honoured(({ maxResponseItems }) => maxResponseItems - 1),
  maximum: honoured(({ maxResponseItems }) => maxResponseItems),
  'maximum + 1': lowered(({ maxResponseItems }) => maxResponseItems + 1),
  'twice the maximum': lowered(({ maxResponseItems }) => maxResponseItems * 2),
  'a thousand': lowered(({ maxResponseItems }) => Math.max(1000, maxResponseItems * 2)),
  '2^31 - 1': far('lowered', 'above', 2n ** 31n - 1n),
  '2^31': far('lowered', 'above', 2n ** 31n),
  '2^32 + 1': far('lowered', 'above', 2n ** 32n + 1n),
  '2^53': far('lowered', 'above', 2n ** 53n),
  '2^63 - 1': far('lowered', 'above', 2n ** 63n - 1n),
  '-10^30': open('not positive', -(10n ** 30n)),
  '2^63': open('lowered', 2n ** 63n),
  '10^30': open('lowered', 10n ** 30n),
} satisfies Record<string, LimitLevel>

export const pages = {
  absent: fixed('absent', 'absent', undefined),
  '0': fixed('below one', '0', 0),
  '-1': fixed('below one', 'below 0', -1),
  '-2^31 - 1': far('below one', 'below 0', -(2n ** 31n) - 1n),
  '2 - 2^32': far('below one', 'below 0', 2n - 2n ** 32n),
  '1 - 2^53': far('below one', 'below 0', 1n - 2n ** 53n),
  '1': fixed('regular', '1', 1),
  '2': level('regular', '2', (count) => Math.min(count, 2)),
  any: { kind: 'regular', value: (count) => between(1, count) },
  'next to last': level('regular', 'next to last', (count) => Math.max(1, count - 1)),
  last: level('regular', 'last', (count) => count),
  'last + 1': level('past the end', 'past the end', (count) => count + 1),
  '2^31 - 1': far('past the end', 'past the end', 2n ** 31n - 1n),
  '2^31': far('past the end', 'past the end', 2n ** 31n),
  '2^32 + 2': far('past the end', 'past the end', 2n ** 32n + 2n),
  '2^53 - 1': far('past the end', 'past the end', 2n ** 53n - 1n),
  '-2^63 - 1': open('below one', -(2n ** 63n) - 1n),
  '2^53': open('past the end', 2n ** 53n),
  '2^63': open('past the end', 2n ** 63n),
} satisfies Record<string, PageLevel>

export type Limit = keyof typeof limits
export type Page = keyof typeof pages

const READ = ['read:user', 'read:repository'] as const
const WRITE = ['write:user', 'write:repository'] as const
const SUDO = { actor: 'admin', scopes: ['all'] } as const
const RESTRICTED = { actor: 'admin', sentAs: 'Bearer', scopes: publicOnlyReader } as const

/** Senders of list requests, and the name for pairs. The first one reads the lists that the others are compared with. */
const senders = {
  default: [{}],
  'token scheme': [{ sentAs: 'token' }, { sentAs: 'token', scopes: READ }],
  'token parameter': [
    { sentAs: '?token=' },
    { sentAs: '?access_token=' },
    { sentAs: '?token=', isTokenFirst: true },
    { sentAs: '?access_token=', isTokenFirst: true },
  ],
  password: [{ sentAs: 'Basic' }],
  'sudo field': [
    { ...SUDO, sentAs: 'Basic', sudo: { as: 'main', in: 'header' } },
    { ...SUDO, sentAs: 'Bearer', sudo: { as: 'main', in: 'header' } },
    { ...RESTRICTED, sudo: { as: 'main', in: 'header' } },
    { ...SUDO, sentAs: 'token', sudo: { as: 'main', in: 'header' } },
  ],
  'sudo parameter': [
    { ...SUDO, sentAs: 'Bearer', sudo: { as: 'main', in: 'query' } },
    { ...SUDO, sentAs: 'Basic', sudo: { as: 'main', in: 'query' } },
    { ...RESTRICTED, sudo: { as: 'main', in: 'query' } },
    { ...SUDO, sentAs: 'token', sudo: { as: 'main', in: 'query' } },
  ],
  'public-only': [
    { sentAs: 'Bearer', scopes: publicOnlyReader },
    { sentAs: '?access_token=', scopes: publicOnlyReader },
    { sentAs: 'token', scopes: publicOnlyReader },
    { sentAs: '?token=', scopes: publicOnlyReader },
  ],
  'another account': [
    { actor: 'other', sentAs: 'Basic' },
    { actor: 'other', sentAs: 'Bearer' },
  ],
  // Their lists are often empty.
  administrator: [{ actor: 'admin', sentAs: 'Basic' }],
  'other letters': [
    { sentAs: 'bearer' },
    { sentAs: 'TOKEN' },
    { sentAs: 'BEARER', scopes: WRITE },
    { sentAs: 'Token' },
  ],
} satisfies Record<string, readonly Partial<Case>[]>

/** The request for a page of the list of repositories. */
export interface ListCase extends Case {
  limit: Limit
  page: Page
}

const defaultCase: ListCase = {
  resource: 'repositories',
  actor: 'main',
  sentAs: 'any valid',
  scopes: ['all'],
  limit: 'maximum',
  page: '1',
}

interface Row extends Pick<ListCase, 'limit' | 'page'> {
  sender: keyof typeof senders
}

const allSenders = Object.keys(senders) as Row['sender'][]

/** The levels of senders that have no pair with others: their lists or their credentials are judged elsewhere. */
const fewLevels: Readonly<Partial<Record<Row['sender'], readonly string[]>>> = {
  administrator: ['absent', '1', '2', 'maximum', 'last + 1'],
  'other letters': ['absent', '2', 'maximum', 'maximum + 1', '1', 'last'],
}

const levelsOf = ({ limit, page }: Pick<ListCase, 'limit' | 'page'>) =>
  [limits[limit], pages[page]] as [LimitLevel, PageLevel]

/** Returns what a table must have. Levels of the same effect share their pairs. */
function itemsOf(row: Row): string[] {
  const { sender, limit, page } = row
  const [size, place] = levelsOf(row)
  const isLater = place.kind === 'regular' && page !== '1'
  const isSecond = page === '2' && size.kind === 'honoured'
  // Lists of others may have too few items.
  const isOther = sender === 'another account' || sender === 'administrator'
  const isLong = !isOther && sender !== 'public-only' && !(sender in fewLevels)
  const isFullEnd = limit === 'full pages' && page.endsWith('last')
  const isSmall = limit === '1' || limit === '2'
  return [
    `limit ${limit}`,
    `page ${page}`,
    // Past the end, no item shows the page size.
    ...(size.pair && place.kind !== 'past the end' ? [`${sender}, limit ${size.pair}`] : []),
    ...(place.pair ? [`${sender}, page ${place.pair}`] : []),
    ...(isSecond ? [`${sender}, second page`] : []),
    // Servers read the two parameters separately.
    `${size.kind}, ${isLater ? 'later' : place.kind}`,
    ...(isSecond && isLong ? [`limit ${limit}, page 2`] : []),
    ...(isLater && isLong ? [`limit ${limit}, later page`] : []),
    ...(isLong && page === 'last' ? [`${size.kind}, last page`] : []),
    ...(isFullEnd && isLong ? [`full pages, ${page}`] : []),
    ...(page === 'last' && ['full pages', '1'].includes(limit)
      ? [`${sender}, full last page`]
      : []),
    ...(isOther && limit === 'full pages' && page === '1' ? ['one full page'] : []),
    ...(isOther && limit === 'maximum' && page === 'last + 1' ? ['after a single page'] : []),
    // With few items, only a small limit makes several pages.
    ...(isSmall && !place.isFar ? [`several pages, ${page}`] : []),
  ]
}

export const limitKind = ({ limit }: ListCase): LimitKind => limits[limit].kind
export const pageKind = ({ page }: ListCase): PageKind => pages[page].kind
export const isPastTheEnd = (one: ListCase) => pageKind(one) === 'past the end'

export const isOpen = (one: ListCase) => levelsOf(one).some((level) => level.isOpen)

const isUsual = (level: LimitLevel | PageLevel) =>
  !level.isFar && (level.kind === 'honoured' || level.kind === 'regular')

/** All combinations that can be judged. */
function candidates(): Row[] {
  const levels = Object.keys(limits).flatMap((limit) =>
    Object.keys(pages).flatMap((page) => {
      const level = { limit, page } as Pick<ListCase, 'limit' | 'page'>
      const [size, place] = levelsOf(level)
      const isAllowed = (!size.isFar || isUsual(place)) && (!place.isFar || isUsual(size))
      return isAllowed && !size.isOpen && !place.isOpen ? [level] : []
    }),
  )
  return allSenders.flatMap((sender) => {
    const few = fewLevels[sender]
    const has = ({ limit, page }: Pick<Row, 'limit' | 'page'>) =>
      few === undefined || (few.includes(limit) && few.includes(page))
    return levels.filter(has).map((level) => ({ sender, ...level }))
  })
}

/** Requests that differ in one factor from the default case; deviations of others are compared with them. */
function required(): Row[] {
  const firstOfPairs = <Name extends string>(
    levels: Readonly<Record<Name, Pick<Level<unknown, unknown>, 'kind' | 'pair'>>>,
  ) => {
    const names = Object.keys(levels) as Name[]
    const isFirst = (name: Name) => {
      const { pair } = levels[name]
      return (
        pair === 'open' || (pair && names.find((other) => levels[other].pair === pair) === name)
      )
    }
    return names.filter(isFirst)
  }
  const { limit, page } = defaultCase
  const first = { sender: 'default', limit, page } as const
  return [
    first,
    ...firstOfPairs(limits).map((limit) => ({ ...first, limit })),
    ...firstOfPairs(pages).map((page) => ({ ...first, page })),
    ...allSenders.map((sender) => ({ ...first, sender })),
  ].filter((row, index) => index === 0 || JSON.stringify(row) !== JSON.stringify(first))
}

/**
 * Returns the list requests of a run, simple ones first: every pair of sender, limit and page, each limit, each
 * page, and each sender, which take turns, as of a browser and not.
 */
export function listCases(): ListCase[] {
  const turns = new Map<string, number>()
  return coveringArray(candidates(), itemsOf, required()).map(({ sender, limit, page }) => {
    const turn = turns.get(sender) ?? 0
    turns.set(sender, turn + 1)
    const parts: readonly Partial<Case>[] = senders[sender]
    const isOfBrowser = sender !== 'default' && Math.floor(turn / parts.length) % 2 === 1
    return {
      ...defaultCase,
      ...parts[turn % parts.length],
      limit,
      page,
      ...(isOfBrowser && { isOfBrowser }),
    }
  })
}
