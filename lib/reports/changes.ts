import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { notSelected } from './assemble-report.ts'
import { judged } from './verdict-counts.ts'

/** What is known of an earlier run: a report of it is, and so is a line of a history. */
export interface EarlierRun {
  run: Pick<RunReport['run'], 'startedAt'>
  target: RunReport['target']
  results: readonly EarlierResult[]
}

/** What an earlier run said of a requirement, or runs before it. */
export interface EarlierResult
  extends Pick<RequirementResult, 'requirement' | 'verdict' | 'reason'> {
  /** Of a row without a verdict, the last one that an earlier run is known to have reached. */
  lastJudged?: Verdict
}

/** What is new in a run since an earlier one of the same target; results as they are now. */
export interface Changes {
  /** When the earlier run began: ISO 8601, UTC. */
  since: string
  /** Failed, where the last known verdict is a pass. */
  newlyFailing: RequirementResult[]
  /** Failed, where the last known verdict is a waived deviation: it is as old as that. */
  noLongerWaived: RequirementResult[]
  /** Failed, where the last known verdict is an advisory deviation. */
  noLongerAdvisory: RequirementResult[]
  /** Failed, where no earlier verdict is known: nobody can tell whether the failure is new. */
  failingUnseen: RequirementResult[]
  /** Passed, where the last known verdict is a failure or a waived deviation. */
  mended: RequirementResult[]
  /** Waived, where the last known verdict is a failure. */
  newlyWaived: RequirementResult[]
  /** Advisory, where the last known verdict is a failure or a waived deviation. */
  newlyAdvisory: RequirementResult[]
  /**
   * Inconclusive or skipped, and judged in the earlier run; or skipped, and judged before a run that
   * had no verdict.
   */
  newlyUnjudged: RequirementResult[]
}

/**
 * Where a service was probed. Embedded deployments are all the same one, whatever the port and the
 * fault.
 */
export function addressOf({ baseUrl, embedded }: RunReport['target'][string]): string {
  return embedded === true ? 'embedded' : baseUrl
}

/** Whether two runs probed a service in common, and each such service at the same place. */
export function isSameTarget(one: RunReport['target'], other: RunReport['target']): boolean {
  const common = Object.keys(one).filter((service) => Object.hasOwn(other, service))
  return (
    common.length > 0 &&
    common.every((service) => {
      const [here, there] = [one[service], other[service]]
      return here !== undefined && there !== undefined && addressOf(here) === addressOf(there)
    })
  )
}

function deviates(verdict: Verdict | undefined): boolean {
  return verdict === 'fail' || verdict === 'waived'
}

/** The last verdict that a run reached: one without says nothing of the server. */
export function lastKnown(earlier: EarlierResult | undefined): Verdict | undefined {
  if (earlier === undefined) return undefined
  return judged(earlier.verdict) ? earlier.verdict : earlier.lastJudged
}

/** `undefined` where there is no earlier run, or none of the same target. */
export function changesSince(
  previous: EarlierRun | undefined,
  report: RunReport,
): Changes | undefined {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const before = new Map(previous.results.map((result) => [result.requirement, result]))
  const having = (
    holds: (known: Verdict | undefined, verdict: Verdict, result: RequirementResult) => boolean,
  ) =>
    report.results.filter((result) =>
      holds(lastKnown(before.get(result.requirement)), result.verdict, result),
    )
  return {
    since: previous.run.startedAt,
    newlyFailing: having((known, verdict) => verdict === 'fail' && known === 'pass'),
    noLongerWaived: having((known, verdict) => verdict === 'fail' && known === 'waived'),
    noLongerAdvisory: having((known, verdict) => verdict === 'fail' && known === 'advisory'),
    failingUnseen: having((known, verdict) => verdict === 'fail' && known === undefined),
    mended: having((known, verdict) => deviates(known) && verdict === 'pass'),
    newlyWaived: having((known, verdict) => known === 'fail' && verdict === 'waived'),
    newlyAdvisory: having((known, verdict) => deviates(known) && verdict === 'advisory'),
    newlyUnjudged: having((known, verdict, { requirement, reason }) => {
      const earlier = before.get(requirement)
      if (earlier === undefined || judged(verdict) || reason === notSelected) return false
      const wasLostMeanwhile = verdict === 'skipped' && earlier.verdict === 'inconclusive'
      return judged(earlier.verdict) || (wasLostMeanwhile && known !== undefined)
    }),
  }
}
