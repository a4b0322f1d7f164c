import { hostsOf } from '../../reports/report-text.ts'
import { verdictTally } from '../../reports/verdict-labels.ts'
import { idParts } from '../../results/ids.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { type DisplayVerdict, type RunSummary, summarize } from '../../results/verdict.ts'
import { groupBy } from '../../text/group-by.ts'
import type { HistoryLine } from '../history/history.ts'
import { reviewHistory } from '../history/trends.ts'

interface RunDigest {
  /** ISO 8601, UTC. */
  startedAt: string
  toolVersion: string
  target: RunReport['target']
  summary: RunSummary
  results: Map<string, FleetResult>
}

export interface FleetResult
  extends Pick<RequirementResult, 'requirement' | 'verdict' | 'statement'> {
  /** Start of the first run of the streak with this verdict, ISO 8601; undefined without a history. */
  since?: string
}

/** Report of a deployment by its path; without a run if it does not exist. */
export interface FleetMember {
  path: string
  name?: string | undefined
  run?: RunDigest
  /** Relative URL of its report.html; absent if there is none. */
  page?: string
}

export interface FleetDeployment extends FleetMember {
  /** Name that the operator gave, or the hosts; with the path if several are equal. */
  name: string
}

export interface FleetSection {
  service: string
  section: string
  ids: string[]
}

/** Requirement that a deployment does not pass, or whose verdicts differ. */
interface DifferingRequirement {
  requirement: string
  statement: string
  failures: number
  /** Results by deployment, in the order of the fleet; undefined if a report has none. */
  results: (FleetResult | undefined)[]
}

export interface Fleet {
  /** Worst first. */
  deployments: FleetDeployment[]
  sections: FleetSection[]
  /** Sorted by the number of deployments on which they fail. */
  differing: DifferingRequirement[]
  verdict: DisplayVerdict
  status: 0 | 1 | 3
}

/** Returns the start of the first run with the present failure or missing verdict, by requirement. */
function streakStarts(run: string, lines: readonly HistoryLine[]): Map<string, string> {
  // A history that ends with another run does not describe this report.
  const review = reviewHistory(lines, 1).find(({ runs }) => runs.at(-1)?.run === run)
  const streaks = [...(review?.failing ?? []), ...(review?.inconclusive ?? [])]
  return new Map(streaks.map(({ requirement, since }) => [requirement, since.startedAt]))
}

/** @param history lines of the history next to the report */
export function digest(report: RunReport, history: readonly HistoryLine[] = []): RunDigest {
  const { results, run, tool, target } = report
  const starts = streakStarts(run.id, history)
  const entries = results.map(({ requirement, verdict, statement }) => {
    const since = starts.get(requirement)
    return [requirement, { requirement, verdict, statement, ...(since && { since }) }] as const
  })
  return {
    startedAt: run.startedAt,
    toolVersion: tool.version,
    target,
    summary: summarize(report),
    results: new Map(entries),
  }
}

/** Returns the sections of the documents with their ids, grouped by service. */
function sectionsOf(ids: readonly string[]): FleetSection[] {
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  const named = [...sections.values()].map((ids) => ({ ...idParts(ids[0] ?? ''), ids }))
  return [...groupBy(named, ({ service }) => service).values()].flat()
}

/** Names each member; without a name and a report, by its path. */
function withDisplayNames(members: readonly FleetMember[]): FleetDeployment[] {
  const names = members.map(({ path, name, run }) => name ?? ((run && hostsOf(run)) || path))
  return members.map((member, index) => {
    const name = names[index] ?? ''
    const isAmbiguous = names.indexOf(name) !== names.lastIndexOf(name)
    return { ...member, name: isAmbiguous ? `${name} (${member.path})` : name }
  })
}

function findDiffering(
  ids: readonly string[],
  deployments: readonly FleetDeployment[],
): DifferingRequirement[] {
  const all = ids.flatMap((requirement) => {
    const results = deployments.map(({ run }) => run?.results.get(requirement))
    // A deployment without any verdict, for example because it is down, differs in everything.
    const verdicts = deployments.flatMap(({ run }) => {
      const isReached = run !== undefined && run.summary.coverage.judged > 0
      return isReached ? (run.results.get(requirement)?.verdict ?? []) : []
    })
    if (verdicts.length === 0) return []
    const isEqual = new Set(verdicts).size === 1
    if (isEqual && (verdicts[0] === 'pass' || verdicts[0] === 'skipped')) return []
    const statement = results.find((result) => result !== undefined)?.statement ?? ''
    const failures = verdicts.filter((verdict) => verdict === 'fail').length
    return [{ requirement, statement, failures, results }]
  })
  return all.sort((one, other) => other.failures - one.failures)
}

export const deploymentVerdicts = [
  ...(['nonconformant', 'inconclusive', 'no report'] as const),
  ...(['belowThreshold', 'deviating', 'conformant'] as const),
] satisfies readonly (DisplayVerdict | 'no report')[]

export function verdictOn({ run }: FleetMember): (typeof deploymentVerdicts)[number] {
  return run?.summary.displayVerdict ?? 'no report'
}

export function countMissing({ run }: FleetMember): number {
  return run === undefined ? 0 : run.summary.coverage.testable - run.summary.coverage.judged
}

/** Compares reports: worst first, by failures, then by missing verdicts, then in the given order. */
export function mergeReports(members: readonly FleetMember[]): Fleet {
  const rank = (member: FleetMember) => deploymentVerdicts.indexOf(verdictOn(member))
  const failures = ({ run }: FleetMember) => run?.summary.counts.fail ?? 0
  const deployments = withDisplayNames(members).toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      failures(other) - failures(one) ||
      countMissing(other) - countMissing(one),
  )
  const ids = [...new Set(members.flatMap(({ run }) => [...(run?.results.keys() ?? [])]))]
  const worst = deployments[0]?.run?.summary
  return {
    deployments,
    sections: sectionsOf(ids),
    differing: findDiffering(ids, deployments),
    verdict: worst?.displayVerdict ?? 'inconclusive',
    status: worst?.exitStatus ?? 3,
  }
}

/** Verdicts, most important first; skipped counts only without any other. */
const worstFirst = ['fail', 'inconclusive', 'advisory', 'waived', 'pass', 'skipped'] as const

/** Returns how often a deployment has each verdict on a section, most important first. */
export function sectionTally({ results }: RunDigest, { ids }: FleetSection) {
  const tally = verdictTally(ids.flatMap((id) => results.get(id) ?? []))
  return worstFirst.flatMap((worst) => tally.filter(({ verdict }) => verdict === worst))
}
