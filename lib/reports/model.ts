import type {
  ObservationDiff,
  ObservationState,
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
  Verdict,
} from '../conformance/result.ts'
import { type Changes, changesSince, type Past } from './changes.ts'
import {
  differences,
  Evidence,
  type RelatedFailure,
  relatedFailures,
  saysOnlyWhatDiffers,
} from './evidence.ts'
import { failsBesideVerdict, runVerdict, runVerdictText } from './exit-status.ts'
import { groupByReason, type ReasonGroup } from './reason-groups.ts'
import { failingDiffs, failingWaivers, usedWaiverMessage } from './run-words.ts'
import { countVerdicts, type VerdictCounts } from './verdict-counts.ts'

export interface Failure {
  result: RequirementResult
  /** Why, where expected and actual do not say it. */
  reason: string | undefined
  /** The other failures that probably have the same cause. */
  related: readonly RelatedFailure[]
}

export interface UnjudgedGroup extends ReasonGroup {
  /** The result whose exchange stands for all of them, where any has one. */
  example: RequirementResult | undefined
  /** Whether the run was stopped: what a check had sent by then is not why it has no verdict. */
  stopped: boolean
}

export interface Deviation {
  result: RequirementResult
  text: string
  note: string | undefined
}

/**
 * A run as all reports tell it: what belongs together stands together, worked out once. A report has
 * its own order, its own words for a heading, and its own limits.
 */
export interface ReportModel {
  report: RunReport
  /** Nonconformant as well where waivers or recorded observations fail the run. */
  verdict: RunVerdict
  /** The verdict and what led to it, in words. */
  title: string
  counts: VerdictCounts
  evidence: Evidence
  failed: readonly Failure[]
  failingWaivers: readonly ReviewedWaiver[]
  unjudged: readonly UnjudgedGroup[]
  waived: readonly Deviation[]
  untriedWaivers: readonly ReviewedWaiver[]
  advisory: readonly Deviation[]
  changedDiffs: readonly ObservationDiff[]
  newDiffs: readonly ObservationDiff[]
  /** Those of the changed ones that fail the run: all or none. */
  failingDiffs: readonly ObservationDiff[]
  /** By what is missing; what can never be tested is one group. */
  skipped: readonly ReasonGroup[]
  /** Passed, with a part left out: by what is missing. */
  reserved: readonly ReasonGroup[]
  /** What is new since the run before; `undefined` where there is none to compare with. */
  changes: Changes | undefined
}

export function countIn(groups: readonly ReasonGroup[]): number {
  return groups.reduce((sum, { results }) => sum + results.length, 0)
}

function deviationOf(result: RequirementResult, { waivers = [] }: RunReport): Deviation {
  const { requirement, reason } = result
  const parts = [
    ...(reason === undefined || saysOnlyWhatDiffers(result) ? [] : [reason]),
    ...differences(result),
  ]
  const message = waivers.find((waiver) => waiver.requirement === requirement)?.message
  const isUsed = result.waiver === undefined || message === usedWaiverMessage
  const note = isUsed ? undefined : message
  return { result, text: parts.join('; '), note }
}

export function reportModel(report: RunReport, { previous }: Past = {}): ReportModel {
  const { results, waivers = [], baseline } = report
  const having = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const deviations = (wanted: Verdict) =>
    having(wanted).map((result) => deviationOf(result, report))
  const diffs = (wanted: ObservationState) =>
    baseline?.observations.filter(({ state }) => state === wanted) ?? []
  const evidence = new Evidence(report.exchanges)
  const failed = having('fail')
  return {
    report,
    verdict: failsBesideVerdict(report)
      ? 'nonconformant'
      : runVerdict(results, report.run.interrupted === true),
    title: runVerdictText(report),
    counts: countVerdicts(results),
    evidence,
    failed: failed.map((result) => ({
      result,
      reason: saysOnlyWhatDiffers(result) ? undefined : result.reason,
      related: relatedFailures(result, failed),
    })),
    failingWaivers: failingWaivers(report),
    unjudged: groupByReason(having('inconclusive')).map((group) => ({
      ...group,
      example: group.results.find((result) => evidence.of(result) !== undefined),
      stopped: group.results.some(({ unjudged }) => unjudged?.kind === 'interrupted'),
    })),
    waived: deviations('waived'),
    untriedWaivers: waivers.filter(({ state }) => state === 'unjudged'),
    advisory: deviations('advisory'),
    changedDiffs: diffs('changed'),
    newDiffs: diffs('new'),
    failingDiffs: failingDiffs(report),
    skipped: groupByReason(having('skipped')),
    reserved: groupByReason(having('pass').filter(({ reason }) => reason !== undefined)),
    changes: changesSince(previous, report),
  }
}
