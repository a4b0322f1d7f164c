import { escapePattern } from '../../results/normalize.ts'

/** Returns the ids of cases that a glob matches: `*` is any text. */
export function matchesOf(glob: string, ids: readonly string[]): string[] {
  const pattern = new RegExp(`^${glob.split('*').map(escapePattern).join('.*')}$`, 's')
  return ids.filter((id) => pattern.test(id))
}

/** Returns the globs that have consecutive levels of a case id, and its first or last ones. */
function globsIn(id: string): string[] {
  const parts = id.split('/')
  return parts.flatMap((_, start) =>
    parts.slice(start).map((_, length) => {
      const end = start + length + 1
      const text = parts.slice(start, end).join('/')
      return `${start > 0 ? '*/' : ''}${text}${end < parts.length ? '/*' : ''}`
    }),
  )
}

/** Returns few globs that match these ids of cases, and none of the others. */
export function toCaseGlobs(ids: readonly string[], others: readonly string[]): string[] {
  const candidates = [...new Set(ids.flatMap(globsIn))].filter(
    (glob) => matchesOf(glob, others).length === 0,
  )
  const chosen: string[] = []
  let left = ids
  while (left.length > 0) {
    const found = candidates.map((glob) => ({ glob, matches: matchesOf(glob, left).length }))
    // Of equal ones, the most specific.
    found.sort((a, b) => b.matches - a.matches || b.glob.length - a.glob.length)
    const [{ glob, matches } = { glob: '', matches: 0 }] = found
    if (matches === 0) break
    chosen.push(glob)
    const covered = matchesOf(glob, left)
    left = left.filter((id) => !covered.includes(id))
  }
  return chosen
}
