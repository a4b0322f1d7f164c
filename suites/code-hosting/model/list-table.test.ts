import { beforeAll, describe, expect, it } from 'vitest'
import { publicOnlyReader } from '../tokens/scopes.ts'
import type { Case } from './case.ts'
import {
  isOpen,
  isPastTheEnd,
  limitKind as kindOfLimit,
  pageKind as kindOfPage,
  type Limit,
  type ListCase,
  limits,
  listCases,
  type Page,
  pages,
} from './list-table.ts'

const bounds = { maxResponseItems: 25, defaultPagingNum: 20, length: 60 }

/** Limits by kind and by group: the kinds of limits and pages are paired, and so are senders and groups. */
const limitGroups = {
  absent: { absent: ['absent'] },
  'not positive': {
    '0': ['0'],
    'below 0': ['-1', '-2^31 - 1', '1 - 2^32', '-2^53', '1 - 2^63'],
  },
  honoured: {
    '1': ['1'],
    honoured: ['2', 'full pages', 'default', 'default + 1', 'maximum - 1', 'maximum'],
    '': ['any'],
  },
  lowered: {
    above: [
      ...['maximum + 1', 'twice the maximum', 'a thousand'],
      ...['2^31 - 1', '2^31', '2^32 + 1', '2^53', '2^63 - 1'],
    ],
  },
}

const pageGroups = {
  absent: { absent: ['absent'] },
  'below one': { '0': ['0'], 'below 0': ['-1', '-2^31 - 1', '2 - 2^32', '1 - 2^53'] },
  first: { '1': ['1'] },
  later: { '2': ['2'], 'next to last': ['next to last'], last: ['last'], '': ['any'] },
  'past the end': { 'past the end': ['last + 1', '2^31 - 1', '2^31', '2^32 + 2', '2^53 - 1'] },
}

type Groups = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const groupsOf = (kinds: Groups) => Object.values(kinds).flatMap((groups) => Object.entries(groups))
const levelsOf = (kinds: Groups) => groupsOf(kinds).flatMap(([, levels]) => levels)
const kindOf = (kinds: Groups, level: string) =>
  Object.keys(kinds).find((kind) =>
    Object.values(kinds[kind] ?? {}).some((some) => some.includes(level)),
  )
const groupOf = (kinds: Groups, level: string) =>
  groupsOf(kinds).find(([, levels]) => levels.includes(level))?.[0]

const openLimits: readonly string[] = ['-10^30', '2^63', '10^30']
const openPages: readonly string[] = ['-2^63 - 1', '2^53', '2^63']

const key = ({ actor, sentAs, scopes, sudo, isTokenFirst }: Case) => {
  const acting = sudo ? ` as ${sudo.as} in ${sudo.in}` : ''
  return `${actor} ${sentAs} ${scopes.join()}${acting}${isTokenFirst ? ' first' : ''}`
}

const READ = 'read:user,read:repository'
const RESTRICTED = publicOnlyReader.join()
const senderKinds: Readonly<Record<string, readonly string[]>> = {
  default: ['main any valid all'],
  'token scheme': ['main token all', `main token ${READ}`],
  'token parameter': ['?token=', '?access_token='].flatMap((name) => [
    `main ${name} all`,
    `main ${name} all first`,
  ]),
  password: ['main Basic all'],
  'sudo field': ['Basic all', 'Bearer all', `Bearer ${RESTRICTED}`, 'token all'].map(
    (sent) => `admin ${sent} as main in header`,
  ),
  'sudo parameter': ['Basic all', 'Bearer all', `Bearer ${RESTRICTED}`, 'token all'].map(
    (sent) => `admin ${sent} as main in query`,
  ),
  'public-only': ['Bearer', 'token', '?token=', '?access_token='].map(
    (scheme) => `main ${scheme} ${RESTRICTED}`,
  ),
  'another account': ['other Basic all', 'other Bearer all'],
  administrator: ['admin Basic all'],
  'other letters': [
    'bearer all',
    'TOKEN all',
    'BEARER write:user,write:repository',
    'Token all',
  ].map((sent) => `main ${sent}`),
}

/** Senders that are combined with few levels. */
const fewSenders = ['administrator', 'other letters']
const hasFew = (one: ListCase) => fewSenders.includes(senderOf(one) ?? '')

const senderOf = (one: ListCase) =>
  Object.keys(senderKinds).find((kind) => senderKinds[kind]?.includes(key(one)))

const sorted = (levels: Iterable<string>) => [...new Set(levels)].sort()

/** Returns all pairs of two lists of levels; those without a name are in no pair. */
const pairsOf = (some: readonly string[], others: readonly string[]) =>
  sorted(some.flatMap((one) => (one ? others.flatMap((other) => other && `${one}, ${other}`) : [])))

describe('listCases', () => {
  let cases: readonly ListCase[] = []
  let judged: readonly ListCase[] = []
  beforeAll(() => {
    cases = listCases()
    judged = cases.filter((one) => !isOpen(one))
  })
  /** Returns the different pairs of parts of the cases for which a condition holds. */
  const covered = (
    one: (one: ListCase) => string | undefined,
    other: (one: ListCase) => string | undefined,
    holds = (_: ListCase) => true,
  ) =>
    sorted(
      judged.filter(holds).flatMap((each) => pairsOf([one(each) ?? '?'], [other(each) ?? '?'])),
    )

  const limitKind = (one: ListCase) => kindOf(limitGroups, one.limit)
  const limitGroup = (one: ListCase) => groupOf(limitGroups, one.limit)
  const pageKind = (one: ListCase) => kindOf(pageGroups, one.page)
  const pageGroup = (one: ListCase) => groupOf(pageGroups, one.page)
  const limit = (one: ListCase) => one.limit
  const page = (one: ListCase) => one.page
  const isLong = (one: ListCase) =>
    !['another account', 'public-only', ...fewSenders].includes(senderOf(one) ?? '')
  const allSenders = Object.keys(senderKinds).filter((name) => !fewSenders.includes(name))

  it('has every pair of sender, limit and page, and no other', () => {
    const groups = (kinds: Groups) => groupsOf(kinds).map(([name]) => name)
    const isShown = (one: ListCase) => pageKind(one) !== 'past the end' && !hasFew(one)
    expect(covered(senderOf, limitGroup, isShown).filter(Boolean)).toEqual(
      pairsOf(allSenders, groups(limitGroups)).filter(Boolean),
    )
    expect(covered(senderOf, pageGroup, (one) => !hasFew(one)).filter(Boolean)).toEqual(
      pairsOf(allSenders, groups(pageGroups)).filter(Boolean),
    )
    expect(covered(limitKind, pageKind)).toEqual(
      pairsOf(Object.keys(limitGroups), Object.keys(pageGroups)),
    )
  })

  it('has second and later pages for every sender and limit', () => {
    const isSecond = (one: ListCase) =>
      one.page === '2' && limitKind(one) === 'honoured' && !hasFew(one)
    expect(covered(senderOf, page, isSecond)).toEqual(pairsOf(allSenders, ['2']))
    const honoured = Object.values(limitGroups.honoured).flat()
    expect(covered(limit, page, (one) => isSecond(one) && isLong(one))).toEqual(
      pairsOf(honoured, ['2']),
    )
    const isLater = (one: ListCase) => pageKind(one) === 'later' && isLong(one)
    expect(covered(limit, pageKind, isLater)).toEqual(pairsOf(levelsOf(limitGroups), ['later']))
    const isFull = (one: ListCase) => one.limit === 'full pages' && isLater(one)
    expect(covered(limit, page, isFull)).toEqual(
      expect.arrayContaining(pairsOf(['full pages'], ['next to last', 'last'])),
    )
  })

  it('has the last page for every kind of limit', () => {
    const isLast = (one: ListCase) => one.page === 'last' && isLong(one)
    expect(covered(limitKind, page, isLast)).toEqual(pairsOf(Object.keys(limitGroups), ['last']))
  })

  it('has tokens before and after a limit, and before and after a page', () => {
    const isShown = ({ limit, page }: ListCase) => limit !== 'absent' && page !== 'absent'
    const place = ({ isTokenFirst }: ListCase) => (isTokenFirst ? 'first' : 'last')
    const sent = judged.filter((one) => senderOf(one) === 'token parameter' && isShown(one))
    expect(sorted(sent.map(place))).toEqual(['first', 'last'])
  })

  it('has a full last page for every sender, and a browser for every other sender', () => {
    const isFullEnd = (one: ListCase) =>
      !hasFew(one) && one.page === 'last' && ['full pages', '1'].includes(one.limit)
    expect(sorted(judged.filter(isFullEnd).map((one) => String(senderOf(one))))).toEqual(
      sorted(allSenders),
    )
    for (const isOfBrowser of [true, undefined]) {
      const some = judged.filter((one) => one.isOfBrowser === isOfBrowser && !hasFew(one))
      expect(sorted(some.map((one) => String(senderOf(one))))).toEqual(
        sorted(allSenders.filter((sender) => !isOfBrowser || sender !== 'default')),
      )
    }
    const firstOf = (sender: string) => judged.find((one) => senderOf(one) === sender)
    for (const sender of allSenders) expect(firstOf(sender)?.isOfBrowser).toBeUndefined()
  })

  it('has the first pages of an administrator, and a lowered limit in other letters', () => {
    const few = cases.filter(hasFew)
    expect(sorted(few.map((one) => String(senderOf(one))))).toEqual(fewSenders)
    expect(covered(senderOf, limitKind, hasFew)).toEqual(
      expect.arrayContaining(['other letters, lowered', 'other letters, honoured']),
    )
    expect(covered(senderOf, pageKind, hasFew)).toEqual(
      expect.arrayContaining(['administrator, past the end', 'other letters, later']),
    )
  })

  it('has each case once, and first the one with which others are compared', () => {
    expect(new Set(cases.map((one) => JSON.stringify(one))).size).toBe(cases.length)
    expect(cases[0]).toMatchObject({ actor: 'main', limit: 'maximum', page: '1' })
  })

  it('has every level', () => {
    expect(sorted(cases.map(limit))).toEqual(sorted([...levelsOf(limitGroups), ...openLimits]))
    expect(sorted(cases.map(page))).toEqual(sorted([...levelsOf(pageGroups), ...openPages]))
    expect(sorted(cases.map(key))).toEqual(sorted(Object.values(senderKinds).flat()))
    for (const { resource } of cases) expect(resource).toBe('repositories')
  })

  it('has every page of a list with many pages, by a small limit', () => {
    const small = judged.filter(({ limit }) => limit === '1' || limit === '2').map(page)
    const isNear = (name: string) => !name.includes('^')
    expect(sorted(small.filter(isNear))).toEqual(sorted(levelsOf(pageGroups).filter(isNear)))
  })

  it('has a number beyond the documented range, or of 31 bits and more, only with a common one', () => {
    const isCommon = (value: bigint | number | undefined, most: number) =>
      value !== undefined && value >= 1 && value <= most
    for (const one of cases) {
      const limit = limits[one.limit].value(bounds)
      const page = pages[one.page].value(3)
      const isFar = (value: bigint | number = 0) => BigInt(value) ** 2n >= 2n ** 60n
      if (isFar(limit)) expect(isCommon(page, 3), JSON.stringify(one)).toBe(true)
      if (isFar(page)) expect(isCommon(limit, 25), JSON.stringify(one)).toBe(true)
      expect(isOpen(one)).toBe(openLimits.includes(one.limit) || openPages.includes(one.page))
    }
  })

  it('begins with cases that differ in one factor from the first, one for each group', () => {
    const [first] = cases as [ListCase]
    expect([senderOf(first), first.limit, first.page]).toEqual(['default', 'maximum', '1'])
    const levels = (one: ListCase) => [key(one), one.limit, one.page]
    const difference = (one: ListCase) =>
      levels(one).filter((level, index) => level !== levels(first)[index]).length
    const simple = cases.slice(
      0,
      cases.findIndex((one) => difference(one) > 1),
    )
    for (const one of simple.slice(1)) expect(difference(one)).toBe(1)
    const named = (kinds: Groups) => sorted(groupsOf(kinds).map(([name]) => name)).filter(Boolean)
    expect(sorted(simple.flatMap((one) => limitGroup(one) ?? []))).toEqual(named(limitGroups))
    expect(sorted(simple.flatMap((one) => pageGroup(one) ?? []))).toEqual(named(pageGroups))
    expect(sorted(simple.flatMap((one) => senderOf(one) ?? []))).toEqual(
      sorted(Object.keys(senderKinds)),
    )
    expect(simple.filter(isOpen)).toHaveLength(openLimits.length + openPages.length)
  })

  it('has at most 110 cases, all different', () => {
    expect(cases.length).toBeLessThanOrEqual(110)
    expect(new Set(cases.map((one) => JSON.stringify([key(one), one.limit, one.page]))).size).toBe(
      cases.length,
    )
  })
})

const far = { '2^31': 2n ** 31n, '2^53': 2n ** 53n, '2^63': 2n ** 63n }

it('limits have the values of their names', () => {
  const values = Object.fromEntries(
    Object.entries(limits).map(([name, { value }]) => [name, value(bounds)]),
  )
  const { any, ...named } = values
  expect(named).toEqual({
    ...far,
    absent: undefined,
    '0': 0,
    '-1': -1,
    '-2^31 - 1': -2147483649n,
    '1 - 2^32': -4294967295n,
    '-2^53': -9007199254740992n,
    '1 - 2^63': -9223372036854775807n,
    '1': 1,
    '2': 2,
    'full pages': 20,
    default: 20,
    'default + 1': 21,
    'maximum - 1': 24,
    maximum: 25,
    'maximum + 1': 26,
    'twice the maximum': 50,
    'a thousand': 1000,
    '2^31 - 1': 2147483647n,
    '2^32 + 1': 4294967297n,
    '2^63 - 1': 9223372036854775807n,
    '-10^30': -(10n ** 30n),
    '10^30': 10n ** 30n,
  })
})

it('pages have the values of their names', () => {
  const values = (count: number) =>
    Object.fromEntries(Object.entries(pages).map(([name, { value }]) => [name, value(count)]))
  const { any, ...named } = values(7)
  expect(named).toEqual({
    ...far,
    absent: undefined,
    '0': 0,
    '-1': -1,
    '-2^31 - 1': -2147483649n,
    '2 - 2^32': -4294967294n,
    '1 - 2^53': -9007199254740991n,
    '1': 1,
    '2': 2,
    'next to last': 6,
    last: 7,
    'last + 1': 8,
    '2^31 - 1': 2147483647n,
    '2^32 + 2': 4294967298n,
    '2^53 - 1': 9007199254740991n,
    '-2^63 - 1': -9223372036854775809n,
  })
  const single = { any: 1, '2': 1, 'next to last': 1, last: 1, 'last + 1': 2 }
  expect(values(1)).toMatchObject(single)
})

it('every level has the kind of the rule that it is judged by', () => {
  const [one] = listCases() as [ListCase]
  for (const limit of levelsOf(limitGroups) as ListCase['limit'][]) {
    expect(kindOfLimit({ ...one, limit }), limit).toBe(kindOf(limitGroups, limit))
  }
  for (const page of levelsOf(pageGroups) as ListCase['page'][]) {
    const kind = kindOf(pageGroups, page) as string
    const isRegular = kind === 'first' || kind === 'later'
    expect(kindOfPage({ ...one, page }), page).toBe(isRegular ? 'regular' : kind)
    expect(isPastTheEnd({ ...one, page }), page).toBe(kind === 'past the end')
  }
  const openKinds = {
    ...{ '-10^30': 'not positive', '2^63': 'lowered', '10^30': 'lowered' },
    ...{ 'page -2^63 - 1': 'below one', 'page 2^53': 'past the end', 'page 2^63': 'past the end' },
  }
  expect({
    ...Object.fromEntries(openLimits.map((limit) => [limit, limits[limit as Limit].kind])),
    ...Object.fromEntries(openPages.map((page) => [`page ${page}`, pages[page as Page].kind])),
  }).toEqual(openKinds)
})

it.each([
  [60, 25, 20],
  [60, 200, 60],
  [59, 25, 1],
  [1, 25, 1],
  [0, 25, 1],
  [4, 2, 2],
])('"full pages" of %i items with a maximum of %i is %i', (length, maxResponseItems, expected) => {
  expect(limits['full pages'].value({ ...bounds, length, maxResponseItems })).toBe(expected)
})

it('the largest limit stays above a maximum beyond 1000', () => {
  expect(limits['a thousand'].value({ ...bounds, maxResponseItems: 4000 })).toBe(8000)
})

it.each([1, 2, 25])('"any" is a number from 1 to %i', (count) => {
  const values = [limits.any.value({ ...bounds, maxResponseItems: count }), pages.any.value(count)]
  for (const value of values) {
    expect(value).toBeGreaterThanOrEqual(1)
    expect(value).toBeLessThanOrEqual(count)
  }
})
