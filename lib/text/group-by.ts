interface Store<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** Returns the value of a key, which is created when it is needed first. */
export function getOrCreate<Key, Value>(
  store: Store<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const known = store.get(key)
  if (known !== undefined) return known
  const created = create()
  store.set(key, created)
  return created
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const groups = new Map<string, Item[]>()
  for (const item of items) getOrCreate(groups, keyOf(item), () => []).push(item)
  return groups as Map<string, [Item, ...Item[]]>
}
