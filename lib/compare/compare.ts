import type { RunReport } from '../conformance/result.ts'
import { countVerdicts, type VerdictCounts } from '../reports/verdict-counts.ts'
import { type DifferingCondition, differingConditions } from './conditions.ts'
import { compareObservations, type ObservationComparison } from './observations.ts'
import type { StoredReport } from './read-report.ts'
import { compareTimings, type TimingComparison } from './timings.ts'
import { compareVerdicts, type VerdictComparison } from './verdicts.ts'

/** One of the two runs. */
export interface ComparedRun {
  /** Path of its report. */
  file: string
  toolVersion: string
  run: RunReport['run']
  target: RunReport['target']
  counts: VerdictCounts
}

/**
 * `worse`: something is newly failing or newly without a verdict. `incomparable`: no requirement was
 * judged in both reports, or one of them is of the embedded deployment and the other is not.
 * `incomplete`: something that was judged before was not looked at after. `no worse`: none of these. Where several apply, it is the first of them.
 */
export type ComparisonOutcome = 'worse' | 'incomparable' | 'incomplete' | 'no worse'

/** Two runs side by side: what `compare --format json` prints. */
export interface Comparison {
  schema: 1
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  /** In what they differ besides the server's behaviour. */
  conditions: DifferingCondition[]
  requirements: VerdictComparison
  observations: ObservationComparison
  timings: TimingComparison
}

function compared({ path, report }: StoredReport): ComparedRun {
  const { tool, run, target, results } = report
  const { id, startedAt, finishedAt, interrupted } = run
  return {
    file: path,
    toolVersion: tool.version,
    run: { id, startedAt, finishedAt, ...(interrupted === true ? { interrupted } : {}) },
    target: Object.fromEntries(
      Object.entries(target).map(([key, { baseUrl, embedded }]) => [
        key,
        { baseUrl, ...(embedded === undefined ? {} : { embedded }) },
      ]),
    ),
    counts: countVerdicts(results),
  }
}

/** Whether a service was that of the embedded deployment in one run, and another one in the other. */
export function isOfAnotherKind(before: ComparedRun['target'], after: ComparedRun['target']) {
  return Object.keys(before).some(
    (key) =>
      Object.hasOwn(after, key) &&
      (before[key]?.embedded === true) !== (after[key]?.embedded === true),
  )
}

function outcomeOf(
  { newlyFailing, newlyUnjudged, notLookedAt, judgedInBoth }: VerdictComparison,
  before: ComparedRun,
  after: ComparedRun,
): ComparisonOutcome {
  if (newlyFailing.length + newlyUnjudged.length > 0) return 'worse'
  if (judgedInBoth === 0 || isOfAnotherKind(before.target, after.target)) return 'incomparable'
  return notLookedAt.length > 0 ? 'incomplete' : 'no worse'
}

/** Puts the report of an earlier run beside that of a later one. */
export function compareReports(before: StoredReport, after: StoredReport): Comparison {
  const requirements = compareVerdicts(before.report, after.report)
  const [earlier, later] = [compared(before), compared(after)]
  return {
    schema: 1,
    outcome: outcomeOf(requirements, earlier, later),
    before: earlier,
    after: later,
    conditions: differingConditions(before.report, after.report),
    requirements,
    observations: compareObservations(before.report, after.report),
    timings: compareTimings(before.report, after.report),
  }
}

/**
 * 0 when nothing got worse, 1 when something did, 3 when nothing can be compared, or something that was
 * judged before was not looked at after.
 */
export function comparisonStatus({ outcome }: Pick<Comparison, 'outcome'>): 0 | 1 | 3 {
  if (outcome === 'worse') return 1
  return outcome === 'no worse' ? 0 : 3
}
