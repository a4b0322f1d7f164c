import leven from 'leven'

/** The candidate that a name most likely was to be, when one is near enough; in any case. */
export function nearestOf(name: string, candidates: Iterable<string>): string | undefined {
  const [first] = [...new Set(candidates)]
    .map((candidate) => ({ candidate, distance: leven(name.toLowerCase(), candidate) }))
    .toSorted((one, other) => one.distance - other.distance)
  return first !== undefined && first.distance <= name.length / 2 ? first.candidate : undefined
}
