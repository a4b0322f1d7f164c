import { isDeepStrictEqual } from 'node:util'
import { escapePattern } from '../../results/normalize.ts'
import type {
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  Waiver,
} from '../../results/run-report.ts'

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
    const found = candidates.map((glob) => ({ glob, matches: matchesOf(glob, left) }))
    // The most specific of equal ones.
    found.sort((a, b) => b.matches.length - a.matches.length || b.glob.length - a.glob.length)
    const [best] = found
    if (best === undefined || best.matches.length === 0) break
    chosen.push(best.glob)
    left = left.filter((id) => !best.matches.includes(id))
  }
  return chosen
}

/** Returns the entry for a failure, with globs of its cases if others conform. */
export function waiverFor(
  { requirement, cases }: RequirementResult,
  texts: Omit<Waiver, 'requirement' | 'cases'>,
  report: RunReport,
): Waiver {
  const ids = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => report.cases[number] ?? [])
  const others = ids(cases?.conforming)
  const globs = others.length === 0 ? [] : toCaseGlobs(ids(cases?.deviating), others)
  return { requirement, ...(globs.length > 0 && { cases: globs }), ...texts }
}

/** Reasons for the removal of an entry, by its state in the run. */
const removable: Partial<Record<ReviewedWaiver['state'], string>> = {
  unused: 'it is no longer needed',
  unknown: 'no requirement has this id',
}

/** Returns the entries that a run did not need, with the reason. A run says nothing about an entry that was changed after it. */
export function unneededWaivers(reviewed: readonly ReviewedWaiver[], entries: readonly Waiver[]) {
  return reviewed.flatMap(({ state, requirement, cases }) => {
    const reason = removable[state]
    const isSame = (one: Waiver) =>
      isDeepStrictEqual([one.requirement, one.cases], [requirement, cases])
    return reason !== undefined && entries.some(isSame) ? [{ requirement, reason }] : []
  })
}
