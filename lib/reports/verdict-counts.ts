import {
  type Coverage,
  type RequirementResult,
  type RunVerdict,
  type Verdict,
  verdicts,
} from '../results/result.ts'

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

/**
 * Returns true for a pass without unchecked parts. Nothing is concluded from another one, such as that a
 * deviation is gone. Reports of earlier versions name such parts in the reason only.
 */
export function isFullPass({
  verdict,
  partial,
  reason,
}: Pick<RequirementResult, 'verdict' | 'partial' | 'reason'>): boolean {
  return verdict === 'pass' && partial === undefined && reason === undefined
}

export function judgedCount(counts: VerdictCounts): number {
  return counts.pass + counts.fail + counts.waived + counts.advisory
}

/** What of the requirements that can be judged a run has to judge to be called conformant. */
const conformantShare = 0.5

export function coverageOf(
  results: readonly Pick<RequirementResult, 'verdict' | 'unjudged'>[],
  required?: number,
): Coverage {
  const judgeable = results.filter(({ unjudged }) => unjudged?.kind !== 'untestable').length
  const count = judgedCount(countVerdicts(results))
  const thin = count < conformantShare * judgeable
  return { judged: count, judgeable, thin, ...(required === undefined ? {} : { required }) }
}

export function isShort({ judged, required = 0 }: Coverage): boolean {
  return judged < required
}

/** Whether the share of what was judged is smaller in the later of two runs. */
export function isCoverageLess(before: Coverage, after: Coverage): boolean {
  return after.judged * before.judgeable < before.judged * after.judgeable
}

function percent(share: number): string {
  return `${Math.floor(100 * share)}%`
}

/** `11 of 87 (12%)`: how many were judged of those that can be. */
export function coverageText({ judged, judgeable }: Coverage): string {
  return `${judged} of ${judgeable}${judgeable === 0 ? '' : ` (${percent(judged / judgeable)})`}`
}

/** `12% of the 87 that can be; conformant from 50%`: why a run is not called conformant. */
export function thinText({ judged, judgeable, thin }: Coverage): string {
  const bound = thin ? `; conformant from ${percent(conformantShare)}` : ''
  return `${percent(judged / judgeable)} of the ${judgeable} that can be${bound}`
}

/**
 * The verdict on a run that reports show. `thin`: no failure in too few judged requirements. `deviating`:
 * all failures are waived.
 */
export type ToldVerdict = RunVerdict | 'thin' | 'deviating'

export const toldWords: Record<ToldVerdict, string> = {
  conformant: 'conformant',
  nonconformant: 'nonconformant',
  inconclusive: 'inconclusive',
  thin: 'no failure found',
  deviating: 'passed with known deviations',
}

export function toldVerdict({
  verdict,
  counts,
  coverage,
}: {
  verdict: RunVerdict
  counts: VerdictCounts
  coverage?: Pick<Coverage, 'thin'>
}): ToldVerdict {
  if (verdict !== 'conformant') return verdict
  if (coverage?.thin === true) return 'thin'
  return counts.waived > 0 ? 'deviating' : verdict
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
