import type { Placeholder } from '../exchange.ts'
import type { SearchedSecret } from './secret-search.ts'

export interface Replacement {
  start: number
  end: number
  shown: string
  /** Name of the secret; undefined for a text that stays. */
  name?: string
  /** Undefined for an earlier placeholder. */
  secret?: SearchedSecret
  isPrefix?: boolean
}

export type RedactedText = { text: string; placeholders: Pick<Placeholder, 'at' | 'name'>[] }

/**
 * Applies replacements. If two overlap, the first wins and the rest of the second is removed too. At the same
 * start, a whole secret precedes a prefix, and the exact letter case precedes another one.
 */
export function applyReplacements(text: string, found: Replacement[]): RedactedText {
  if (found.length === 0) return { text, placeholders: [] }
  const order = ({ isPrefix }: Replacement) => Number(isPrefix ?? false)
  const isAsAdded = ({ start, end, secret }: Replacement) =>
    Number(text.slice(start, end) === secret?.text)
  found.sort(
    (a, b) =>
      a.start - b.start || order(a) - order(b) || b.end - a.end || isAsAdded(b) - isAsAdded(a),
  )
  const placeholders: RedactedText['placeholders'] = []
  let result = ''
  let end = 0
  let last: Replacement | undefined
  for (const place of found) {
    const { secret, name, shown } = place
    if (place.start < end) {
      // A match that overlaps a text that stays is not a secret.
      if (place.end <= end || last?.secret === undefined || secret === undefined) continue
    } else {
      result += text.slice(end, place.start)
      last = undefined
    }
    if (name === undefined || name !== last?.name) {
      if (name !== undefined) placeholders.push({ at: result.length, name })
      result += shown
    }
    end = place.end
    last = place
  }
  return { text: result + text.slice(end), placeholders }
}
