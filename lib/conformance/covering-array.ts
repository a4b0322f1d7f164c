/** Returns numbers below 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Number of candidates that are compared for each row. */
const MAX_COMPARED = 24

/**
 * Returns rows that together cover everything that the candidates cover, such as each allowed pair of levels.
 * The seed decides which rows; what they cover is the same for each seed.
 *
 * @param required rows that come first
 */
export function coveringArray<Row>(
  candidates: readonly Row[],
  itemsOf: (row: Row) => readonly string[],
  seed: number,
  required: readonly Row[] = [],
): Row[] {
  const random = randomNumbers(seed)
  const rows = [...required]
  const items = new Map(candidates.map((row) => [row, itemsOf(row)]))
  const covering = new Map<string, Row[]>()
  for (const [row, covered] of items) {
    for (const item of covered) {
      const known = covering.get(item)
      if (known === undefined) covering.set(item, [row])
      else known.push(row)
    }
  }
  const missing = new Set(
    [...covering].sort(([, one], [, other]) => one.length - other.length).map(([item]) => item),
  )
  for (const row of rows) for (const item of itemsOf(row)) missing.delete(item)
  // The rarest item first, since few rows can cover it.
  for (const item of missing) {
    const able = covering.get(item) ?? []
    const compared = Array.from({ length: Math.min(able.length, MAX_COMPARED) }, () => {
      const row = able[Math.floor(random() * able.length)] as Row
      return { row, gain: (items.get(row) ?? []).filter((other) => missing.has(other)).length }
    })
    const { row } = compared.reduce((best, one) => (one.gain > best.gain ? one : best))
    rows.push(row)
    for (const other of items.get(row) ?? []) missing.delete(other)
  }
  return rows
}

/** Returns the pairs of the levels of different factors. A factor without a level is in no pair. */
export function pairsOf(levels: Readonly<Record<string, string | undefined>>): string[] {
  const named = Object.entries(levels).flatMap(([factor, level]) =>
    level ? [`${factor} ${level}`] : [],
  )
  return named.flatMap((one, index) => named.slice(index + 1).map((other) => `${one}, ${other}`))
}
