import { stoppedServices } from '../results/outage.ts'
import {
  impacts,
  type LeakedResource,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type Verdict,
} from '../results/run-report.ts'
import { failingWaivers, outcomeOf, type RunOutcome } from '../results/verdict.ts'
import { printableSentence } from '../text/printable.ts'
import { createLookup, type ExchangeLookup } from './exchange-text.ts'
import { type Facts, factsOf } from './facts.ts'
import { groupByReason, lostCases, type ReasonGroup } from './reason-groups.ts'
import { absenceText } from './reason-text.ts'
import { hasEnded } from './report-text.ts'
import { openLedgerTexts } from './rerun-commands.ts'
import { runVerdictText } from './verdict-labels.ts'

export interface InconclusiveGroup extends ReasonGroup {
  /** A result with an exchange that explains the missing verdict. */
  example: Facts | undefined
}

/** Content that all reports share; each has its own order, headings and limits. */
export interface ReportModel {
  report: RunReport
  outcome: RunOutcome
  title: string
  /** Sentences on what the operator must do soon, whatever the verdict. */
  reminders: string[]
  lookup: ExchangeLookup
  /** Facts about each result, by the id of the requirement. */
  facts: ReadonlyMap<string, Facts>
  leakedResources: LeakedResource[]
  /** Failures by their impact; those with the same impact in catalogue order. */
  failed: Facts[]
  failingWaivers: ReviewedWaiver[]
  inconclusive: InconclusiveGroup[]
  waived: Facts[]
  unverifiedWaivers: ReviewedWaiver[]
  advisory: Facts[]
  /** Reasons for skipped requirements, and for missing cases of judged ones. */
  skipped: ReasonGroup[]
  /** End of the last earlier run of all requirements with exit status 0; ISO 8601, UTC. */
  lastSuccess: string | undefined
}

const MAX_CAUSE_CHARS = 200

/** Returns the reason of most of the inconclusive requirements; undefined without such a reason, or for one beside others. */
function mainCause(
  [first]: readonly ReasonGroup[],
  { counts, coverage }: RunOutcome,
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

export function reportModel(
  report: RunReport,
  { lastSuccess }: { lastSuccess?: string | undefined } = {},
  outcome = outcomeOf(report),
): ReportModel {
  const { results, waivers = [] } = report
  const lookup = createLookup(report.exchanges)
  const withVerdict = (requested: Verdict) => results.filter(({ verdict }) => verdict === requested)
  const lost = lostCases(results, report.exchanges)
  const groups = groupByReason(withVerdict('inconclusive'), report.exchanges, lost).filter(
    ({ results }) => results.length > 0,
  )
  const otherLost = [...lost].filter(([, one]) => groups.every((group) => group.lost !== one))
  const facts = factsOf(report, lookup)
  const factsIn = (some: readonly RequirementResult[]) =>
    some.flatMap(({ requirement }) => facts.get(requirement) ?? [])
  const failed = impacts.flatMap((impact) =>
    withVerdict('fail').filter((result) => (result.impact ?? 'data') === impact),
  )
  return {
    report,
    outcome,
    title: runVerdictText(outcome, mainCause(groups, outcome), stoppedServices(results)),
    reminders: openLedgerTexts(report.openLedgers ?? [], report.run),
    lookup,
    facts,
    leakedResources: hasEnded(report) ? [] : report.leakedResources,
    failed: factsIn(failed),
    failingWaivers: failingWaivers(report),
    inconclusive: groups.map((group) => {
      // The exchanges of a stopped run explain nothing.
      const isStopped = group.results.some(({ noVerdict }) => noVerdict?.kind === 'interrupted')
      const all = isStopped ? [] : factsIn(group.results)
      return { ...group, example: all.find(({ evidence }) => evidence !== undefined) }
    }),
    waived: factsIn(withVerdict('waived')),
    unverifiedWaivers: waivers.filter(({ state }) => state === 'noVerdict'),
    advisory: factsIn(withVerdict('advisory')),
    skipped: groupByReason(withVerdict('skipped'), report.exchanges, new Map(otherLost)),
    lastSuccess,
  }
}
