import leven from 'leven'

const suggestions = 3

/** Finds an entry by its name.
 *
 * @param kind what an entry is called in the message
 * @throws Error that names the nearest entries
 */
export function entryNamed<Entry extends { readonly name: string }>(
  kind: string,
  entries: readonly Entry[],
  name: string,
): Entry {
  const found = entries.find((entry) => entry.name === name)
  if (found !== undefined) return found
  const nearest = entries
    .map((entry) => ({ name: entry.name, distance: leven(name, entry.name) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, suggestions)
    .map((entry) => entry.name)
  throw new Error(`There is no ${kind} named '${name}'. The nearest are: ${nearest.join(', ')}.`)
}
