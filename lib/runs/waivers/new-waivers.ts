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

/** Returns the entry for a failure, with its cases if others conform. */
export function waiverFor(
  { requirement, cases }: RequirementResult,
  texts: Omit<Waiver, 'requirement' | 'cases'>,
  report: RunReport,
): Waiver {
  const ids = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => report.cases[number] ?? [])
  const isPartial = cases !== undefined && cases.conforming.length > 0
  return { requirement, ...(isPartial && { cases: ids(cases.deviating) }), ...texts }
}

/** Returns the entries that a run did not need. A run says nothing about an entry that was changed after it. */
export const unneededWaivers = (reviewed: readonly ReviewedWaiver[], entries: readonly Waiver[]) =>
  reviewed.filter(({ state, requirement, cases }) => {
    const isSame = (one: Waiver) =>
      isDeepStrictEqual([one.requirement, one.cases], [requirement, cases])
    return (state === 'unused' || state === 'unknown') && entries.some(isSame)
  })
