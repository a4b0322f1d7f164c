import {
  type Coverage,
  type ObservationDiff,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type RunVerdict,
  type Verdict,
  verdicts,
} from './run-report.ts'

export type VerdictCounts = Record<Verdict, number>

/** Returns a count for each verdict, also for those that do not occur. */
export function countVerdicts(results: readonly Pick<RequirementResult, 'verdict'>[] = []) {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as VerdictCounts
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** Returns true for every verdict but skipped and inconclusive. */
export function isJudged(verdict: Verdict): boolean {
  return verdict !== 'skipped' && verdict !== 'inconclusive'
}

/** Returns true for a failure, also for one that fails no run because it is waived or advisory. */
export function isDeviation(verdict: Verdict): boolean {
  return isJudged(verdict) && verdict !== 'pass'
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

/** Share of the testable requirements that a run has to judge to be called conformant. */
export const MIN_CONFORMANT_SHARE = 0.5

/** Returns how much of what can be judged was judged. @param required number that has to be judged */
export function coverageOf(
  results: readonly Pick<RequirementResult, 'verdict' | 'unjudged'>[],
  required?: number,
): Coverage {
  const judgeable = results.filter(({ unjudged }) => unjudged?.kind !== 'untestable').length
  const judged = results.filter(({ verdict }) => isJudged(verdict)).length
  const thin = judged < MIN_CONFORMANT_SHARE * judgeable
  return { judged, judgeable, thin, ...(required === undefined ? {} : { required }) }
}

/** Returns true if the share of what was judged is smaller in the later of two runs. */
export function isCoverageLess(before: Coverage, after: Coverage): boolean {
  return after.judged * before.judgeable < before.judged * after.judgeable
}

/** Returns the waivers that fail a run, whatever the target conforms to. */
export function failingWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => ['expired', 'unneeded', 'unknown'].includes(state))
}

/** Returns the observations that fail a run because they changed. */
export function failingDiffs({ baseline }: Pick<RunReport, 'baseline'>): ObservationDiff[] {
  if (baseline?.pinned !== true) return []
  return baseline.observations.filter(({ state }) => state === 'changed')
}

/**
 * The verdict on a run that reports show. `thin`: no failure in too few judged requirements. `deviating`:
 * all failures are waived.
 */
export type DisplayVerdict = RunVerdict | 'thin' | 'deviating'

/** Returns the verdict to show for a verdict, which may be that of a line of a history. */
export function displayVerdict(run: {
  verdict: RunVerdict
  counts: VerdictCounts
  coverage?: Coverage
}): DisplayVerdict {
  if (run.verdict !== 'conformant') return run.verdict
  if (run.coverage?.thin === true) return 'thin'
  return run.counts.waived > 0 ? 'deviating' : run.verdict
}

/** What decides the exit status in addition to failures and missing verdicts. */
export type StatusCause =
  | { kind: 'nothing judged' }
  | { kind: 'below minimum'; required: number }
  | { kind: 'interrupted' }
  | { kind: 'waivers'; count: number }
  | { kind: 'observations'; count: number }

/** Exit status of a run that took place; 2 is for runs that never began. */
export type RunExitStatus = 0 | 1 | 3

export interface RunSummary {
  /** Conformance of the target. Waivers, recorded observations and the minimum do not change it. */
  verdict: RunVerdict
  /** Verdict that the exit status stands for, unless too little was judged. */
  toldVerdict: DisplayVerdict
  exitStatus: RunExitStatus
  counts: VerdictCounts
  /** Number of requirements. */
  total: number
  coverage: Coverage
  /** True if fewer were judged than `coverage.required`. */
  isShort: boolean
  causes: readonly StatusCause[]
}

const statuses = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const

/**
 * Returns the verdict of a run, its coverage and its exit status, all from its results: a report cannot
 * claim more than they give. One failure settles it. Otherwise a run is conformant only if it came to its
 * end, judged at least one requirement and left none inconclusive.
 */
export function summarize(
  report: Pick<RunReport, 'results' | 'waivers' | 'baseline' | 'coverage'> & {
    run: Pick<RunReport['run'], 'interrupted'>
  },
): RunSummary {
  const { results, run } = report
  const interrupted = run.interrupted === true
  const counts = countVerdicts(results)
  const coverage = coverageOf(results, report.coverage?.required)
  const { judged, required = 0 } = coverage
  const isShort = judged < required
  const isOpen = interrupted || counts.inconclusive > 0 || judged === 0
  const verdict = counts.fail > 0 ? 'nonconformant' : isOpen ? 'inconclusive' : 'conformant'
  const [waivers, observations] = [failingWaivers(report).length, failingDiffs(report).length]
  const unlessShort = verdict === 'conformant' && isShort ? 'inconclusive' : verdict
  const shown = waivers + observations > 0 ? 'nonconformant' : unlessShort
  const causes: (StatusCause | false)[] = [
    judged === 0 && { kind: 'nothing judged' },
    isShort && { kind: 'below minimum', required },
    interrupted && { kind: 'interrupted' },
    waivers > 0 && { kind: 'waivers', count: waivers },
    observations > 0 && { kind: 'observations', count: observations },
  ]
  return {
    verdict,
    toldVerdict: displayVerdict({ verdict: shown, counts, coverage }),
    exitStatus: statuses[shown],
    counts,
    total: results.length,
    coverage,
    isShort,
    causes: causes.filter((cause) => cause !== false),
  }
}
