import { describe, expect, it } from 'vitest'
import { coveringArray, randomNumbers } from './covering-array.ts'

type Row = readonly number[]

const seeds = Array.from({ length: 40 }, (_, index) => index * 7919)

/** Returns all combinations of levels that the constraint allows. */
function combinations(factors: readonly number[], isAllowed = (_: Row) => true): Row[] {
  const add = (rows: readonly Row[], count: number) =>
    rows.flatMap((row) => Array.from({ length: count }, (_, level) => [...row, level]))
  return factors.reduce(add, [[]] as readonly Row[]).filter(isAllowed)
}

const pairs = (row: Row) =>
  row.flatMap((one, index) =>
    row.slice(index + 1).map((other, next) => `${index}=${one} ${index + next + 1}=${other}`),
  )

const itemsOf = (rows: readonly Row[]) => new Set(rows.flatMap(pairs))

describe.each<[string, readonly Row[], number]>([
  ['four factors', combinations([5, 4, 3, 3]), 24],
  ['factors of two levels', combinations(Array(8).fill(2)), 9],
  [
    'a constraint',
    combinations([6, 6, 4], ([a = 0, b = 0, c]) => (c === 3 ? a === b : a !== 5 || b < 2)),
    40,
  ],
  ['one factor', combinations([9]).map(([level = 0]) => [level, level]), 9],
])('coveringArray with %s', (_, candidates, most) => {
  it.each(seeds)('covers with seed %i what the candidates cover, in few rows', (seed) => {
    const rows = coveringArray(candidates, pairs, seed)
    expect(itemsOf(rows)).toEqual(itemsOf(candidates))
    expect(rows.length).toBeLessThanOrEqual(most)
    for (const row of rows) expect(candidates).toContain(row)
    expect(new Set(rows).size).toBe(rows.length)
  })
})

describe('coveringArray', () => {
  const candidates = combinations([4, 4, 4])

  it('returns the same rows for the same seed, and others for others', () => {
    const tables = seeds.map((seed) => coveringArray(candidates, pairs, seed))
    expect(seeds.map((seed) => coveringArray(candidates, pairs, seed))).toEqual(tables)
    expect(new Set(tables.map((rows) => JSON.stringify(rows))).size).toBe(seeds.length)
  })

  it.each(seeds)('begins with the required rows, which count: seed %i', (seed) => {
    const required = [[3, 3, 3], [9, 9, 9], ...coveringArray(candidates, pairs, seed + 1)]
    expect(coveringArray(candidates, pairs, seed, required)).toEqual(required)
    const [first, second] = required as [Row, Row]
    const rows = coveringArray(candidates, pairs, seed, [first, second])
    expect(rows.slice(0, 2)).toEqual([first, second])
    expect(itemsOf(rows)).toEqual(itemsOf([...candidates, second]))
    expect(rows.slice(2)).not.toContainEqual(first)
  })

  it('returns only the required rows without candidates', () => {
    expect(coveringArray([], pairs, 1, [[1, 2]])).toEqual([[1, 2]])
  })
})

it('randomNumbers returns numbers below 1 that the seed decides', () => {
  const drawn = seeds.map((seed) => {
    const random = randomNumbers(seed)
    return Array.from({ length: 100 }, random)
  })
  for (const numbers of drawn) {
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    expect(new Set(numbers.map((number) => Math.floor(number * 4))).size).toBe(4)
  }
  expect(new Set(drawn.map(([first]) => first)).size).toBe(seeds.length)
})
