import type {
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
  Verdict,
} from '../conformance/result.ts'
import type { Past } from './changes.ts'
import { type Changes, changesSince } from './changes.ts'
import { Evidence, type RelatedFailure, relatedFailures, saysOnlyWhatDiffers } from './evidence.ts'
import { failsBesideVerdict, runVerdict, runVerdictText } from './exit-status.ts'
import { failingPins, failingWaivers, pinsIn, unjudgedWaivers, waiverNote } from './list-words.ts'
import { groupByReason, type ReasonGroup } from './reason-groups.ts'
import { countVerdicts, type VerdictCounts } from './verdict-counts.ts'

/** A requirement that failed. */
export interface Failure {
  result: RequirementResult
  /** Why, where expected and actual do not say it. */
  reason: string | undefined
  /** The other failures that probably have the same cause. */
  related: readonly RelatedFailure[]
}

/** Requirements without a verdict, for one reason. */
export interface UnjudgedGroup extends ReasonGroup {
  /** The result whose exchange stands for all of them, where any has one. */
  example: RequirementResult | undefined
  /** Whether the run was stopped: what a check had sent by then is not why it has no verdict. */
  stopped: boolean
}

/** A deviation that does not fail the run. */
export interface Deviation {
  result: RequirementResult
  /** What deviates. */
  text: string
  /** What is to be said of the waiver. */
  note: string | undefined
}

/**
 * A run as all reports tell it: what belongs together stands together, worked out once. A report has
 * its own order, its own words for a heading, and its own limits.
 */
export interface ReportModel {
  report: RunReport
  /** Nonconformant as well where waivers or pinned observations fail the run. */
  verdict: RunVerdict
  /** The verdict and what led to it, in words. */
  title: string
  counts: VerdictCounts
  evidence: Evidence
  failed: readonly Failure[]
  failingWaivers: readonly ReviewedWaiver[]
  /** By reason. */
  unjudged: readonly UnjudgedGroup[]
  waived: readonly Deviation[]
  untriedWaivers: readonly ReviewedWaiver[]
  advisory: readonly Deviation[]
  changedPins: readonly ReviewedPin[]
  newPins: readonly ReviewedPin[]
  /** Those of the changed ones that fail the run: all or none. */
  failingPins: readonly ReviewedPin[]
  /** By what is missing; what can never be tested is one group. */
  skipped: readonly ReasonGroup[]
  /** Passed, with a part left out: by what is missing. */
  reserved: readonly ReasonGroup[]
  /** What is new since the run before; `undefined` where there is none to compare with. */
  changes: Changes | undefined
}

/** How many results are in groups. */
export function countIn(groups: readonly ReasonGroup[]): number {
  return groups.reduce((sum, { results }) => sum + results.length, 0)
}

function failureOf(result: RequirementResult, failed: readonly RequirementResult[]): Failure {
  return {
    result,
    reason: saysOnlyWhatDiffers(result) ? undefined : result.reason,
    related: relatedFailures(result, failed),
  }
}

function unjudgedGroup(group: ReasonGroup, evidence: Evidence): UnjudgedGroup {
  return {
    ...group,
    example: group.results.find((result) => evidence.of(result) !== undefined),
    stopped: group.results.some(({ unjudged }) => unjudged?.kind === 'interrupted'),
  }
}

function deviationOf(result: RequirementResult, report: RunReport): Deviation {
  const { reason, expected, actual, waiver } = result
  const parts = [
    ...(reason === undefined || saysOnlyWhatDiffers(result) ? [] : [reason]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ]
  const note = waiver === undefined ? undefined : waiverNote(result, report)
  return { result, text: parts.join('; '), note }
}

/** Works out what the reports of a run tell. */
export function reportModel(report: RunReport, { previous }: Past = {}): ReportModel {
  const having = (wanted: Verdict) => report.results.filter(({ verdict }) => verdict === wanted)
  const deviations = (wanted: Verdict) =>
    having(wanted).map((result) => deviationOf(result, report))
  const evidence = new Evidence(report.exchanges)
  const failed = having('fail')
  return {
    report,
    verdict: failsBesideVerdict(report)
      ? 'nonconformant'
      : runVerdict(report.results, report.run.interrupted === true),
    title: runVerdictText(report),
    counts: countVerdicts(report.results),
    evidence,
    failed: failed.map((result) => failureOf(result, failed)),
    failingWaivers: failingWaivers(report),
    unjudged: groupByReason(having('inconclusive')).map((group) => unjudgedGroup(group, evidence)),
    waived: deviations('waived'),
    untriedWaivers: unjudgedWaivers(report),
    advisory: deviations('advisory'),
    changedPins: pinsIn('changed', report),
    newPins: pinsIn('new', report),
    failingPins: failingPins(report),
    skipped: groupByReason(having('skipped')),
    reserved: groupByReason(having('pass').filter(({ reason }) => reason !== undefined)),
    changes: changesSince(previous, report),
  }
}
