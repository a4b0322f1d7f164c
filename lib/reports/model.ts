import { groupBy } from '../environment/group-by.ts'
import type {
  ObservationState,
  RequirementResult,
  RunReport,
  Verdict,
} from '../results/run-report.ts'
import { isSameTarget, lostSince, type RunSnapshot, snapshotOf } from '../results/snapshot.ts'
import { failingDiffs, failingWaivers, isFullPass, summarize } from '../results/verdict.ts'
import { abbreviatedIds } from './abbreviate-ids.ts'
import { differences, evidenceIn } from './evidence.ts'
import { counted, hasEnded, lastDays } from './format.ts'
import { deviationNotes, groupByReason, type ReasonGroup } from './reason-text.ts'
import { changesSince, type PreviousRuns } from './run-changes.ts'
import { runVerdictText } from './verdict-labels.ts'

export type ReportModel = ReturnType<typeof reportModel>
export type Failure = ReportModel['failed'][number]
export type UnjudgedGroup = ReportModel['unjudged'][number]
export type ReportedDeviation = ReportModel['waived'][number]

export function countIn(groups: readonly ReasonGroup[]): number {
  return groups.reduce((sum, { results }) => sum + results.length, 0)
}

/**
 * Of a run that judged fewer than it had to: which variables are missing, with the number of rows that
 * wait for each, and what an earlier run judged and this one did not, its service probed or not.
 */
function shortfallOf(report: RunReport, previous: RunSnapshot | undefined) {
  const { target, results } = report
  const variables = results.flatMap(({ unjudged }) => {
    const needs = unjudged?.kind === 'needs' ? unjudged.needs : []
    // Without advice it is what a server is or is not.
    const advised = needs.filter(({ advice }) => advice !== undefined)
    return [...new Set(advised.flatMap((need) => need.variables))]
  })
  const missing = [...groupBy(variables, (name) => name)]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([name, { length }], index) => {
      return `${name} (${index === 0 ? counted(length, 'requirement', 'requirements') : length})`
    })
  const isSame = previous !== undefined && isSameTarget(previous.target, target)
  const lost = isSame ? lostSince(previous, snapshotOf(report)) : []
  return [
    { label: 'missing', text: missing.join(', ') },
    { label: 'no longer judged', text: abbreviatedIds(lost) },
  ].filter(({ text }) => text !== '')
}

/** A run as all reports tell it; each has its own order, words for a heading, and limits. */
export function reportModel(report: RunReport, { previous }: PreviousRuns = {}) {
  const { results, waivers = [], baseline } = report
  const evidence = evidenceIn(report.exchanges)
  const having = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const grouped = (some: readonly RequirementResult[]) => groupByReason(some, report.exchanges)
  const deviations = (wanted: Verdict) =>
    having(wanted).map((result) => {
      const message = waivers.find((one) => one.requirement === result.requirement)?.message
      const { waiver } = result
      const isEnding = waiver && lastDays(waiver.expires, report.run.startedAt) !== undefined
      const parts = [...deviationNotes(result, report), ...differences(result)]
      return { result, text: parts.join('; '), note: isEnding ? message : undefined }
    })
  const diffs = (wanted: ObservationState) =>
    baseline?.observations.filter(({ state }) => state === wanted) ?? []
  const failed = having('fail')
  const summary = summarize(report)
  const changes = changesSince(previous, report)
  const news = changes?.news.flatMap((one) => one.results) ?? []
  return {
    report,
    summary,
    title: runVerdictText(summary),
    shortfall: summary.isShort ? shortfallOf(report, previous) : undefined,
    evidence,
    leftBehind: hasEnded(report) ? [] : report.leftBehind,
    failed: failed.map((result) => {
      const shown = evidence.of(result)
      return {
        result,
        /** What is to be said besides expected and actual. */
        reason: deviationNotes(result, report).join(' ') || undefined,
        /** Shown by the same exchange. One that both only rest on, such as a control, tells nothing. */
        related: failed.filter((one) => one !== result && shown && evidence.of(one) === shown),
      }
    }),
    failingWaivers: failingWaivers(report),
    unjudged: grouped(having('inconclusive')).map((group) => ({
      ...group,
      /** The result whose exchange stands for all of them, where any has one. */
      example: group.results.find((result) => evidence.of(result) !== undefined),
      /** Whether the run was stopped: what a check had sent by then is not why it has no verdict. */
      stopped: group.results.some(({ unjudged }) => unjudged?.kind === 'interrupted'),
    })),
    waived: deviations('waived'),
    /** Number of waivers in use that cover every deviation of their requirement. */
    wideWaivers: waivers.filter(({ state, actual }) => state === 'used' && actual === undefined)
      .length,
    untriedWaivers: waivers.filter(({ state }) => state === 'unjudged'),
    advisory: deviations('advisory'),
    changedDiffs: diffs('changed'),
    newDiffs: diffs('new'),
    /** Those of the changed ones that fail the run: all or none. */
    failingDiffs: failingDiffs(report),
    skipped: grouped(having('skipped')),
    /** Passed in part: by what is missing. */
    reserved: grouped(having('pass').filter((result) => !isFullPass(result))),
    changes,
    /** Failures that are new since the previous run, or deviate differently. */
    newFailures: new Set(news.filter(({ verdict }) => verdict === 'fail')),
  }
}
