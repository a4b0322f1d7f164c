/** Returns a function that keeps its results by the JSON of its arguments, for all runs of a thread. */
export function memoized<Arguments extends readonly unknown[], Result>(
  compute: (...all: Arguments) => Result,
): (...all: Arguments) => Result {
  const results = new Map<string, Result>()
  return (...all) => {
    const key = JSON.stringify(all)
    const kept = results.get(key)
    if (kept !== undefined) return kept
    const result = compute(...all)
    results.set(key, result)
    return result
  }
}
