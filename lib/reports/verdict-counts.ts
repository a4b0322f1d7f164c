import type { RequirementResult, Verdict } from '../conformance/result.ts'
import { verdicts } from '../conformance/result.ts'

/** How many results have each verdict; verdicts that do not occur are 0. */
export type VerdictCounts = Record<Verdict, number>

/** What has happened to a requirement with that verdict, in one word. */
export const verdictWords: Record<Verdict, string> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  skipped: 'skipped',
  waived: 'waived',
  advisory: 'advisory',
}

/** What a reader wants to know first; skipped only counts where nothing else is. */
export const worstFirst: readonly Verdict[] = [
  'fail',
  'inconclusive',
  'advisory',
  'waived',
  'pass',
  'skipped',
]

/** Counts with every verdict at 0. */
export function noVerdicts(): VerdictCounts {
  return { pass: 0, fail: 0, inconclusive: 0, skipped: 0, waived: 0, advisory: 0 }
}

/** Counts the results by verdict. */
export function countVerdicts(
  results: readonly Pick<RequirementResult, 'verdict'>[],
): VerdictCounts {
  const counts = noVerdicts()
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** Whether a verdict is one: everything but skipped and inconclusive. */
export function judged(verdict: Verdict): boolean {
  return verdict !== 'skipped' && verdict !== 'inconclusive'
}

/** How many requirements were judged: everything that is neither skipped nor inconclusive. */
export function judgedCount(counts: VerdictCounts): number {
  return counts.pass + counts.fail + counts.waived + counts.advisory
}

/** The verdicts that occur, each with its number in words. */
export function verdictTally(
  results: readonly Pick<RequirementResult, 'verdict'>[],
): { verdict: Verdict; text: string }[] {
  const counts = countVerdicts(results)
  return verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => ({ verdict, text: `${counts[verdict]} ${verdictWords[verdict]}` }))
}

/**
 * The counts in words on one line: `40 passed, 0 failed, 3 skipped`. Passed and failed are always
 * there, the others when they occur. `paint` may colour each part.
 */
export function verdictCountsText(
  counts: VerdictCounts,
  paint: (verdict: Verdict, text: string) => string = (_verdict, text) => text,
): string {
  return verdicts
    .filter((verdict) => verdict === 'pass' || verdict === 'fail' || counts[verdict] > 0)
    .map((verdict) => paint(verdict, `${counts[verdict]} ${verdictWords[verdict]}`))
    .join(', ')
}
