import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { notSelected } from './assemble-report.ts'
import { judged } from './verdict-counts.ts'

/** What is known of an earlier run: a report of it is, and so is a line of a history. */
export interface EarlierRun {
  run: Pick<RunReport['run'], 'startedAt'>
  target: RunReport['target']
  results: readonly Pick<RequirementResult, 'requirement' | 'verdict'>[]
}

/** What is new in a run since an earlier one of the same target; results as they are now. */
export interface Changes {
  /** When the earlier run began: ISO 8601, UTC. */
  since: string
  /** Failed, and not in the earlier run. */
  newlyFailing: RequirementResult[]
  /** Judged and not failed, where the earlier run has a failure or a waived deviation. */
  mended: RequirementResult[]
  /** Waived, where the earlier run has a failure. */
  newlyWaived: RequirementResult[]
  /** Inconclusive or skipped, and judged in the earlier run. */
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

/** `undefined` where there is no earlier run, or none of the same target. */
export function changesSince(
  previous: EarlierRun | undefined,
  report: RunReport,
): Changes | undefined {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const before = new Map(previous.results.map((result) => [result.requirement, result.verdict]))
  const having = (holds: (result: RequirementResult) => boolean) => report.results.filter(holds)
  return {
    since: previous.run.startedAt,
    newlyFailing: having(
      ({ requirement, verdict }) => verdict === 'fail' && before.get(requirement) !== 'fail',
    ),
    mended: having(
      ({ requirement, verdict }) =>
        deviates(before.get(requirement)) && !deviates(verdict) && judged(verdict),
    ),
    newlyWaived: having(
      ({ requirement, verdict }) => before.get(requirement) === 'fail' && verdict === 'waived',
    ),
    newlyUnjudged: having(({ requirement, verdict, reason }) => {
      const earlier = before.get(requirement)
      const asked = reason !== notSelected
      return earlier !== undefined && judged(earlier) && !judged(verdict) && asked
    }),
  }
}
