/** Finds an entry by its name; `kind` is what it is called where there is none. */
export function entryNamed<Entry extends { readonly name: string }>(
  kind: string,
  entries: readonly Entry[],
  name: string,
): Entry {
  const found = entries.find((entry) => entry.name === name)
  if (found === undefined) throw new Error(`There is no ${kind} named '${name}'.`)
  return found
}
