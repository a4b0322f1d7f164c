import { stoppedServices } from '../results/outage.ts'
import { outcomeOf, type RunOutcome } from '../results/outcome.ts'
import type {
  LeakedResource,
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  Verdict,
} from '../results/run-report.ts'
import { failingWaivers, type RunSummary, summarize } from '../results/verdict.ts'
import { groupBy } from '../text/group-by.ts'
import { printableSentence } from '../text/printable.ts'
import { type CaseFacts, caseFacts, caseTexts } from './case-text.ts'
import { createLookup, differences, type ExchangeLookup } from './exchange-text.ts'
import { groupByReason, lostCases, type ReasonGroup } from './reason-groups.ts'
import { absenceText } from './reason-text.ts'
import { hasEnded } from './report-text.ts'
import { openLedgerTexts } from './rerun-commands.ts'
import { runVerdictText } from './verdict-labels.ts'

export interface Failure {
  result: RequirementResult
  cases: CaseFacts
  /** Notes in addition to expected and actual. */
  reason: string | undefined
}

export interface InconclusiveGroup extends ReasonGroup {
  example: RequirementResult | undefined
  /** True if the run was stopped; exchanges of its checks do not explain the missing verdict. */
  isStopped: boolean
}

/** A waived or advisory failure. */
export interface ReportedDeviation {
  result: RequirementResult
  text: string
}

/** Content that all reports share; each has its own order, headings and limits. */
export interface ReportModel {
  report: RunReport
  summary: RunSummary
  outcome: RunOutcome
  title: string
  /** Sentences on what the operator must do soon, whatever the verdict. */
  reminders: string[]
  evidence: ExchangeLookup
  /**
   * The results that each exchange shows, by exchange id. The page displays the exchange with the first of
   * them, or in the list of exchanges if there are none.
   */
  shownBy: ReadonlyMap<string, readonly RequirementResult[]>
  leakedResources: LeakedResource[]
  failed: Failure[]
  failingWaivers: ReviewedWaiver[]
  inconclusive: InconclusiveGroup[]
  waived: ReportedDeviation[]
  unverifiedWaivers: ReviewedWaiver[]
  advisory: ReportedDeviation[]
  /** Reasons for skipped requirements, and for missing cases of judged ones. */
  skipped: ReasonGroup[]
  /** End of the last earlier run of all requirements with exit status 0; ISO 8601, UTC. */
  lastSuccess: string | undefined
}

const MAX_CAUSE_CHARS = 200

/** Returns the reason of most of the inconclusive requirements; undefined without such a reason, or for one beside others. */
function mainCause(
  [first]: readonly ReasonGroup[],
  { counts, coverage }: RunSummary,
): string | undefined {
  if (first === undefined || (first.results.length < 2 && coverage.judged > 0)) return undefined
  if (2 * first.results.length <= counts.inconclusive) return undefined
  const { noVerdict } = first.results[0] ?? {}
  if (noVerdict?.kind === 'interrupted' || noVerdict?.kind === 'internal error') return undefined
  const text = noVerdict?.kind === 'no service' ? absenceText(noVerdict) : first.reason
  return printableSentence(text, MAX_CAUSE_CHARS)
}

export function countIn(groups: readonly ReasonGroup[]): number {
  return groups.reduce((sum, { results }) => sum + results.length, 0)
}

function reportedDeviation(result: RequirementResult, report: RunReport): ReportedDeviation {
  const parts = [...(result.notes ?? []), ...differences(result), ...caseTexts(result, report)]
  return { result, text: parts.join('; ') }
}

function toInconclusiveGroup(group: ReasonGroup, evidence: ExchangeLookup): InconclusiveGroup {
  const { results } = group
  const example = results.find((result) => evidence.of(result) !== undefined)
  const isStopped = results.some(({ noVerdict }) => noVerdict?.kind === 'interrupted')
  return { ...group, example, isStopped }
}

export function reportModel(
  report: RunReport,
  { lastSuccess }: { lastSuccess?: string | undefined } = {},
  outcome = outcomeOf(report, true),
): ReportModel {
  const { results, waivers = [] } = report
  const evidence = createLookup(report.exchanges)
  const withVerdict = (requested: Verdict) => results.filter(({ verdict }) => verdict === requested)
  const deviations = (requested: Verdict) =>
    withVerdict(requested).map((result) => reportedDeviation(result, report))
  const failed = withVerdict('fail')
  const lost = lostCases(results, report.exchanges)
  const inconclusive = groupByReason(withVerdict('inconclusive'), report.exchanges, lost)
    .filter(({ results }) => results.length > 0)
    .map((group) => toInconclusiveGroup(group, evidence))
  const otherLost = [...lost].filter(([, one]) => inconclusive.every((group) => group.lost !== one))
  const showing = [...failed, ...inconclusive.flatMap(({ example = [] }) => example)]
  const summary = summarize(report)
  return {
    report,
    summary,
    outcome,
    title: runVerdictText(summary, mainCause(inconclusive, summary), stoppedServices(results)),
    reminders: openLedgerTexts(report.openLedgers ?? [], report.run),
    evidence,
    shownBy: groupBy(showing, (result) => evidence.of(result)?.id ?? ''),
    leakedResources: hasEnded(report) ? [] : report.leakedResources,
    failed: failed.map((result) => ({
      result,
      cases: caseFacts(result, report),
      reason: result.notes?.join(' '),
    })),
    failingWaivers: failingWaivers(report),
    inconclusive,
    waived: deviations('waived'),
    unverifiedWaivers: waivers.filter(({ state }) => state === 'noVerdict'),
    advisory: deviations('advisory'),
    skipped: groupByReason(withVerdict('skipped'), report.exchanges, new Map(otherLost)),
    lastSuccess,
  }
}
