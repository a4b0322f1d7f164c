import {
  type Coverage,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type RunVerdict,
  type Verdict,
  verdicts,
} from './run-report.ts'

export type VerdictCounts = Record<Verdict, number>

export function countVerdicts(results: readonly Pick<RequirementResult, 'verdict'>[] = []) {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as VerdictCounts
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

/** Returns true for every verdict except skipped and inconclusive. */
export const isJudged = (verdict: Verdict) => verdict !== 'skipped' && verdict !== 'inconclusive'

/** Returns true for a failure, also a waived or advisory one. */
export const isDeviation = (verdict: Verdict): boolean => isJudged(verdict) && verdict !== 'pass'

/** Minimum share of the testable requirements that a conformant run judges. */
const MIN_CONFORMANT_SHARE = 0.5

/** Returns the coverage of a run. @param required minimum number of judged requirements */
export function coverageOf(
  results: readonly Pick<RequirementResult, 'verdict' | 'noVerdict'>[],
  required?: number,
): Coverage {
  const testable = results.filter(({ noVerdict }) => noVerdict?.kind !== 'untestable').length
  const judged = results.filter(({ verdict }) => isJudged(verdict)).length
  const belowThreshold = judged < MIN_CONFORMANT_SHARE * testable
  return { judged, testable, belowThreshold, ...(required === undefined ? {} : { required }) }
}

export function failingWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => ['expired', 'unused', 'unknown'].includes(state))
}

/** Verdict on a run as reports show it. `belowThreshold`: conformant with low coverage. `deviating`: all failures are waived. */
export type DisplayVerdict = RunVerdict | 'belowThreshold' | 'deviating'

export function displayVerdict(run: Pick<RunOutcome, 'verdict' | 'counts' | 'coverage'>) {
  if (run.verdict !== 'conformant') return run.verdict
  if (run.coverage.belowThreshold) return 'belowThreshold'
  return run.counts.waived > 0 ? 'deviating' : run.verdict
}

/** Outcome of a run, computed after everything else. */
export interface RunOutcome {
  /** Conformance of the target, independent of the states of waivers and of the required minimum. */
  verdict: RunVerdict
  /** Verdict that matches the exit status, unless the coverage is too low. */
  displayVerdict: DisplayVerdict
  /** 2 is for runs that did not start. */
  exitStatus: 0 | 1 | 3
  counts: VerdictCounts
  coverage: Coverage
  /** True if fewer were judged than `coverage.required`. */
  isBelowMinimum: boolean
  isInterrupted: boolean
  /** False after an internal error, or if a file could not be written. */
  isComplete: boolean
  /** Number of waivers that fail the run. */
  failingWaivers: number
}

const exitStatuses = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const

/**
 * Returns the outcome of a run from its results, never from claims of the report. A run without failures is conformant
 * if it ended, judged a requirement and has no inconclusive one. An incomplete run never has exit status 0.
 */
export function outcomeOf(
  report: Pick<RunReport, 'results' | 'waivers'> & {
    run: Pick<RunReport['run'], 'interrupted'>
    coverage?: Pick<Coverage, 'required'>
  },
  isComplete = true,
): RunOutcome {
  const { results, run } = report
  const isInterrupted = run.interrupted === true
  const counts = countVerdicts(results)
  const coverage = coverageOf(results, report.coverage?.required)
  const { judged, required = 0 } = coverage
  const isBelowMinimum = judged < required
  const hasNoVerdict = isInterrupted || counts.inconclusive > 0 || judged === 0
  const verdict = counts.fail > 0 ? 'nonconformant' : hasNoVerdict ? 'inconclusive' : 'conformant'
  const waivers = failingWaivers(report).length
  const isShort = verdict === 'conformant' && (isBelowMinimum || !isComplete)
  const exitVerdict = waivers > 0 ? 'nonconformant' : isShort ? 'inconclusive' : verdict
  return {
    verdict,
    displayVerdict: displayVerdict({ verdict: exitVerdict, counts, coverage }),
    exitStatus: exitStatuses[exitVerdict],
    ...{ counts, coverage },
    ...{ isBelowMinimum, isInterrupted, isComplete, failingWaivers: waivers },
  }
}
