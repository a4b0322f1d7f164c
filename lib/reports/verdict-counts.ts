import { type RequirementResult, type Verdict, verdicts } from '../conformance/result.ts'

export type VerdictCounts = Record<Verdict, number>
type Verdicts = readonly Pick<RequirementResult, 'verdict'>[]

export const verdictWords: Record<Verdict, string> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  skipped: 'skipped',
  waived: 'waived',
  advisory: 'advisory',
}

/** What a reader wants to know first; skipped only counts where nothing else is. */
export const worstFirst = ['fail', 'inconclusive', 'advisory', 'waived', 'pass', 'skipped'] as const

export function noVerdicts(): VerdictCounts {
  return { pass: 0, fail: 0, inconclusive: 0, skipped: 0, waived: 0, advisory: 0 }
}

export function countVerdicts(results: Verdicts): VerdictCounts {
  const counts = noVerdicts()
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** Whether a verdict is one: everything but skipped and inconclusive. */
export function judged(verdict: Verdict): boolean {
  return verdict !== 'skipped' && verdict !== 'inconclusive'
}

export function judgedCount(counts: VerdictCounts): number {
  return counts.pass + counts.fail + counts.waived + counts.advisory
}

function tally(counts: VerdictCounts, always: readonly Verdict[]) {
  return verdicts
    .filter((verdict) => counts[verdict] > 0 || always.includes(verdict))
    .map((verdict) => ({ verdict, text: `${counts[verdict]} ${verdictWords[verdict]}` }))
}

export function verdictTally(results: Verdicts) {
  return tally(countVerdicts(results), [])
}

/** `40 passed, 0 failed, 3 skipped`: the first two always, the others when they occur. */
export function verdictCountsText(
  counts: VerdictCounts,
  paint = (_verdict: Verdict, text: string) => text,
): string {
  return tally(counts, ['pass', 'fail'])
    .map(({ verdict, text }) => (counts[verdict] === 0 ? text : paint(verdict, text)))
    .join(', ')
}
