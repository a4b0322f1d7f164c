export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Requirement ids: a few in full; of many, those of one section as `service/section (13)`. */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= 3) return ids.join(', ')
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  return [...sections]
    .map(([section, [id, ...more]]) => (more.length === 0 ? id : `${section} (${more.length + 1})`))
    .join(', ')
}
