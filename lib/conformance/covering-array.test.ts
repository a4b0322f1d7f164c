import { describe, expect, it } from 'vitest'
import { coveringArray } from './covering-array.ts'

type Row = readonly number[]

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
  it('covers what the candidates cover, in few rows, always the same', () => {
    const rows = coveringArray(candidates, pairs)
    expect(coveringArray(candidates, pairs)).toEqual(rows)
    expect(itemsOf(rows)).toEqual(itemsOf(candidates))
    expect(rows.length).toBeLessThanOrEqual(most)
    for (const row of rows) expect(candidates).toContain(row)
    expect(new Set(rows).size).toBe(rows.length)
  })
})

describe('coveringArray', () => {
  const candidates = combinations([4, 4, 4])

  it('begins with the required rows, which count', () => {
    const required = [[3, 3, 3], [9, 9, 9], ...coveringArray(candidates, pairs)]
    expect(coveringArray(candidates, pairs, required)).toEqual(required)
    const [first, second] = required as [Row, Row]
    const rows = coveringArray(candidates, pairs, [first, second])
    expect(rows.slice(0, 2)).toEqual([first, second])
    expect(itemsOf(rows)).toEqual(itemsOf([...candidates, second]))
    expect(rows.slice(2)).not.toContainEqual(first)
  })

  it('returns only the required rows without candidates', () => {
    expect(coveringArray([], pairs, [[1, 2]])).toEqual([[1, 2]])
  })
})
