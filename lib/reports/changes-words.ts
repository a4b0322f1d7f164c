import type { RequirementResult } from '../conformance/result.ts'
import type { Changes } from './changes.ts'
import { counted } from './run-words.ts'

/** One kind of news: `what` follows a number, as in `2 newly failing`. */
export interface News {
  what: string
  results: readonly RequirementResult[]
}

/** The kinds of news that there are in a run, what matters most first; none that is empty. */
export function newsOf(changes: Changes): News[] {
  const kinds: News[] = [
    { what: 'newly failing', results: changes.newlyFailing },
    { what: 'failing that had no verdict in the run before', results: changes.failingUnseen },
    { what: 'no longer waived', results: changes.noLongerWaived },
    { what: 'no longer advisory', results: changes.noLongerAdvisory },
    { what: 'newly without a verdict', results: changes.newlyUnjudged },
    { what: 'newly waived', results: changes.newlyWaived },
    { what: 'newly advisory', results: changes.newlyAdvisory },
    { what: 'mended', results: changes.mended },
  ]
  return kinds.filter(({ results }) => results.length > 0)
}

/**
 * How old the failures of a run are, in words: `1 failure is new, 2 are no longer waived`. A failure
 * of unknown age is not counted as new, nor are there then said to be no new ones.
 */
export function newFailuresText(changes: Changes): string {
  const kinds: [readonly RequirementResult[], one: string, many: string][] = [
    [changes.newlyFailing, 'is new', 'are new'],
    [changes.noLongerWaived, 'is no longer waived', 'are no longer waived'],
    [changes.noLongerAdvisory, 'is no longer advisory', 'are no longer advisory'],
    [changes.failingUnseen, ...sameWords('had no verdict in the run before')],
  ]
  const parts = kinds
    .filter(([results]) => results.length > 0)
    .map(([{ length }, one, many], index) => {
      const words = length === 1 ? one : many
      return index === 0
        ? `${counted(length, 'failure', 'failures')} ${words}`
        : `${length} ${words}`
    })
  return parts.length === 0 ? 'no failure is new' : parts.join(', ')
}

function sameWords(words: string): [one: string, many: string] {
  return [words, words]
}
