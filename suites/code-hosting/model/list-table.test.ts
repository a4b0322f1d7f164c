import { describe, expect, it } from 'vitest'
import type { Case } from './case.ts'
import {
  isOpen,
  type Limit,
  type ListCase,
  limits,
  listCases,
  type Page,
  pages,
} from './list-table.ts'

const seeds = Array.from({ length: 60 }, (_, index) => index)
const bounds = { maxResponseItems: 25, defaultPagingNum: 20, length: 60, seed: 1 }

const limitKinds: Readonly<Record<string, readonly Limit[]>> = {
  absent: ['absent'],
  'not positive': ['0', '-1', '-2^31 - 1', '1 - 2^32', '-2^53', '1 - 2^63'],
  one: ['1'],
  between: ['2', 'any', 'default', 'maximum - 1'],
  'full pages': ['full pages'],
  maximum: ['maximum'],
  above: ['maximum + 1', '1000', '2^31 - 1', '2^31', '2^32 + 1', '2^53', '2^63 - 1'],
}

const pageKinds: Readonly<Record<string, readonly Page[]>> = {
  absent: ['absent'],
  'below one': ['0', '-1', '-2^31 - 1', '2 - 2^32', '1 - 2^53'],
  first: ['1'],
  second: ['2', 'any'],
  'next to last': ['next to last'],
  last: ['last'],
  past: ['last + 1', '2^31 - 1', '2^31', '2^32 + 2', '2^53 - 1'],
}

const openLimits: readonly Limit[] = ['-10^30', '2^63', '10^30']
const openPages: readonly Page[] = ['-2^63 - 1', '2^53', '2^63']

const key = ({ actor, sentAs, scopes, sudo }: Case) =>
  `${actor} ${sentAs} ${scopes.join()}${sudo ? ` as ${sudo.as} in ${sudo.in}` : ''}`

const READ = 'read:user,read:repository'
const senderKinds: Readonly<Record<string, readonly string[]>> = {
  usual: ['main any valid all'],
  'token scheme': ['main token all', `main token ${READ}`],
  'token parameter': ['main ?token= all', 'main ?access_token= all'],
  password: ['main Basic all'],
  'sudo field': ['admin Basic all as main in header', 'admin Bearer all as main in header'],
  'sudo parameter': ['admin Basic all as main in query', 'admin Bearer all as main in query'],
  'public-only': [`main Bearer public-only,${READ}`],
  'another account': ['other Basic all', 'other Bearer all', 'admin Basic all'],
}

const kindIn = (kinds: Readonly<Record<string, readonly string[]>>, level: string) =>
  Object.keys(kinds).find((kind) => kinds[kind]?.includes(level))

const kindsOf = (one: ListCase) => [
  `sender ${kindIn(senderKinds, key(one))}`,
  `limit ${kindIn(limitKinds, one.limit)}`,
  `page ${kindIn(pageKinds, one.page)}`,
]

const factors = [
  Object.keys(senderKinds).map((kind) => `sender ${kind}`),
  Object.keys(limitKinds).map((kind) => `limit ${kind}`),
  Object.keys(pageKinds).map((kind) => `page ${kind}`),
]

const pairsOf = (levels: readonly (readonly string[])[]) =>
  levels.flatMap((some, index) =>
    levels
      .slice(index + 1)
      .flatMap((others) => some.flatMap((one) => others.map((other) => `${one}, ${other}`))),
  )

const tables = seeds.map((seed) => ({ seed, cases: listCases(seed) }))
const sorted = (levels: Iterable<string>) => [...new Set(levels)].sort()

describe.each(tables)('listCases with seed $seed', ({ seed, cases }) => {
  const judged = cases.filter((one) => !isOpen(one))

  it('has every pair of kinds of sender, limit and page, and no other', () => {
    const covered = judged.flatMap((one) => pairsOf(kindsOf(one).map((kind) => [kind])))
    expect(sorted(covered)).toEqual(sorted(pairsOf(factors)))
  })

  it('has every level', () => {
    const allLimits = [...Object.values(limitKinds).flat(), ...openLimits]
    expect(sorted(cases.map(({ limit }) => limit))).toEqual(sorted(allLimits))
    const allPages = [...Object.values(pageKinds).flat(), ...openPages]
    expect(sorted(cases.map(({ page }) => page))).toEqual(sorted(allPages))
    expect(sorted(cases.map(key))).toEqual(sorted(Object.values(senderKinds).flat()))
    for (const { resource } of cases) expect(resource).toBe('repositories')
  })

  it('has every page of a list with many pages, by a small limit', () => {
    const small = judged.filter(({ limit }) => limit === '1' || limit === '2')
    expect(sorted(small.map(({ page }) => page))).toEqual(sorted(Object.values(pageKinds).flat()))
  })

  it('has a number beyond the documented range, or of 31 bits and more, beside a usual one only', () => {
    const usual = (value: bigint | undefined, most: number) =>
      value !== undefined && value >= 1n && value <= BigInt(most)
    for (const one of cases) {
      const limit = limits[one.limit].value(bounds)
      const page = pages[one.page].value(3, seed)
      const isFar = (value = 0n) => value ** 2n >= 2n ** 60n
      if (isFar(limit)) expect(usual(page, 3), JSON.stringify(one)).toBe(true)
      if (isFar(page)) expect(usual(limit, 25), JSON.stringify(one)).toBe(true)
      expect(isOpen(one)).toBe(openLimits.includes(one.limit) || openPages.includes(one.page))
    }
  })

  it('begins with cases that differ in one factor from the first, one for each kind', () => {
    const [first] = cases as [ListCase]
    expect(kindsOf(first)).toEqual(['sender usual', 'limit maximum', 'page first'])
    const levels = (one: ListCase) => [key(one), one.limit, one.page]
    const difference = (one: ListCase) =>
      levels(one).filter((level, index) => level !== levels(first)[index]).length
    const count = cases.findIndex((one) => difference(one) > 1)
    const simple = cases.slice(0, count)
    expect(simple.slice(1).map(difference)).toEqual(Array(count - 1).fill(1))
    expect(sorted(simple.filter((one) => !isOpen(one)).flatMap(kindsOf))).toEqual(
      sorted(factors.flat()),
    )
    expect(simple.filter(isOpen)).toHaveLength(openLimits.length + openPages.length)
  })

  it('has at most 75 cases, all different', () => {
    expect(cases.length).toBeLessThanOrEqual(75)
    expect(new Set(cases.map((one) => JSON.stringify([key(one), one.limit, one.page]))).size).toBe(
      cases.length,
    )
  })

  it('is the same for the same seed, and another one for another', () => {
    expect(listCases(seed)).toEqual(cases)
    expect(listCases(seed + 1)).not.toEqual(cases)
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
    '0': 0n,
    '-1': -1n,
    '-2^31 - 1': -2147483649n,
    '1 - 2^32': -4294967295n,
    '-2^53': -9007199254740992n,
    '1 - 2^63': -9223372036854775807n,
    '1': 1n,
    '2': 2n,
    'full pages': 20n,
    default: 20n,
    'maximum - 1': 24n,
    maximum: 25n,
    'maximum + 1': 26n,
    '1000': 1000n,
    '2^31 - 1': 2147483647n,
    '2^32 + 1': 4294967297n,
    '2^63 - 1': 9223372036854775807n,
    '-10^30': -(10n ** 30n),
    '10^30': 10n ** 30n,
  })
})

it('pages have the values of their names', () => {
  const values = (count: number) =>
    Object.fromEntries(Object.entries(pages).map(([name, { value }]) => [name, value(count, 1)]))
  const { any, ...named } = values(7)
  expect(named).toEqual({
    ...far,
    absent: undefined,
    '0': 0n,
    '-1': -1n,
    '-2^31 - 1': -2147483649n,
    '2 - 2^32': -4294967294n,
    '1 - 2^53': -9007199254740991n,
    '1': 1n,
    '2': 2n,
    'next to last': 6n,
    last: 7n,
    'last + 1': 8n,
    '2^31 - 1': 2147483647n,
    '2^32 + 2': 4294967298n,
    '2^53 - 1': 9007199254740991n,
    '-2^63 - 1': -9223372036854775809n,
  })
  const single = { any: 1n, '2': 1n, 'next to last': 1n, last: 1n, 'last + 1': 2n }
  expect(values(1)).toMatchObject(single)
})

it.each([
  [60, 25, 20n],
  [60, 200, 60n],
  [59, 25, 1n],
  [1, 25, 1n],
  [0, 25, 1n],
  [4, 2, 2n],
])('"full pages" of %i items with a maximum of %i is %i', (length, maxResponseItems, expected) => {
  expect(limits['full pages'].value({ ...bounds, length, maxResponseItems })).toBe(expected)
})

it('the largest limit stays above a maximum beyond 1000', () => {
  expect(limits['1000'].value({ ...bounds, maxResponseItems: 4000 })).toBe(8000n)
})

it.each([1, 2, 25])('"any" is a number from 1 to %i that the seed decides', (count) => {
  const drawn = Array.from({ length: 500 }, (_, seed) => [
    limits.any.value({ ...bounds, maxResponseItems: count, seed }),
    pages.any.value(count, seed),
  ]).flat()
  const expected = Array.from({ length: count }, (_, index) => BigInt(index + 1))
  expect([...new Set(drawn)].sort((one, other) => Number(one - other))).toEqual(expected)
})
