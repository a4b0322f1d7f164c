/** Returns pseudo-random numbers below 1, always the same (mulberry32). */
export function pseudoRandomNumbers(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Number of arrays that are made; the shortest is returned. */
const ATTEMPTS = 3

/** Something that rows must cover, such as a pair of levels. */
interface Item<Row> {
  /** The candidates that cover it. */
  able: Candidate<Row>[]
  isMissing: boolean
  /** The items of the lowest rank are covered first. */
  rank: number
}

interface Candidate<Row> {
  row: Row
  items: readonly Item<Row>[]
}

/** Returns the candidate that covers the maxGain missing items; which of several, chance decides. */
function bestOf<Row>(able: readonly Candidate<Row>[], random: () => number): Candidate<Row> {
  const start = Math.floor(random() * able.length)
  let best = able[start] as Candidate<Row>
  let maxGain = 0
  for (const candidate of [...able.slice(start), ...able.slice(0, start)]) {
    let gain = 0
    for (const { isMissing } of candidate.items) if (isMissing) gain += 1
    if (gain > maxGain) [best, maxGain] = [candidate, gain]
  }
  return best
}

function coverAll<Row>(items: readonly Item<Row>[], random: () => number): Row[] {
  for (const item of items) {
    item.isMissing = true
    // The rarest item first, since few rows can cover it.
    item.rank = item.able.length + random()
  }
  const rows: Row[] = []
  for (const item of items.toSorted((one, other) => one.rank - other.rank)) {
    if (!item.isMissing) continue
    const best = bestOf(item.able, random)
    rows.push(best.row)
    for (const covered of best.items) covered.isMissing = false
  }
  return rows
}

/**
 * Returns rows that together cover all items of the candidates, such as each allowed pair of levels.
 *
 * @param required the first rows
 */
export function coveringArray<Row>(
  candidates: readonly Row[],
  itemsOf: (row: Row) => readonly string[],
  required: readonly Row[] = [],
): Row[] {
  const items = new Map<string, Item<Row>>()
  for (const row of candidates) {
    const candidate: Candidate<Row> = {
      row,
      items: itemsOf(row).map((name) => {
        const item = items.get(name) ?? { able: [], isMissing: false, rank: 0 }
        items.set(name, item)
        return item
      }),
    }
    for (const { able } of candidate.items) able.push(candidate)
  }
  for (const name of required.flatMap(itemsOf)) items.delete(name)
  const random = pseudoRandomNumbers()
  const missing = [...items.values()]
  const arrays = Array.from({ length: ATTEMPTS }, () => coverAll(missing, random))
  return [...required, ...arrays.reduce((best, rows) => (rows.length < best.length ? rows : best))]
}
