import type { RunReport, Verdict } from '../conformance/result.ts'
import { exitStatus, type RunExitStatus, runVerdictText } from '../reports/exit-status.ts'
import { countVerdicts, type VerdictCounts, worstFirst } from '../reports/verdict-counts.ts'
import { deploymentNames } from './names.ts'

/** What the table needs of a run; the rest of a report may go. */
export interface RunDigest {
  status: RunExitStatus
  /** Why the status is what it is, from text of the report as it is. */
  verdictText: string
  counts: VerdictCounts
  startedAt: string
  toolVersion: string
  target: RunReport['target']
  /** By id. */
  verdicts: Map<string, Verdict>
  statements: Map<string, string>
}

/** A report that was given, or the place where one should be. */
export interface FleetMember {
  /** Path of the report. */
  path: string
  /** Absent where there is no report. */
  run?: RunDigest
  /** Where its own page is, as a relative URL; absent where there is none. */
  page?: string
}

/** A member under a name that no other one has. */
export interface Deployment extends FleetMember {
  name: string
}

/** A section of a document. */
export interface FleetSection {
  service: string
  section: string
  /** Ids. */
  requirements: string[]
}

/** A requirement that fails somewhere. */
export interface FailingRow {
  requirement: string
  statement: string
  /** How many deployments it fails on. */
  count: number
}

/** Deployments side by side. */
export interface Fleet {
  deployments: Deployment[]
  sections: FleetSection[]
  /** What fails on most deployments comes first. */
  failing: FailingRow[]
  /** The worst of all: a failure, then a run without a verdict or no report at all. */
  status: RunExitStatus
}

const severity: Record<RunExitStatus, number> = { 0: 0, 3: 1, 1: 2 }

function worst(statuses: readonly RunExitStatus[]): RunExitStatus {
  return statuses.reduce<RunExitStatus>(
    (so, status) => (severity[status] > severity[so] ? status : so),
    0,
  )
}

const claims: Record<string, RunExitStatus> = { conformant: 0, nonconformant: 1 }

/** Takes from a report what the table shows. */
export function digest(report: RunReport): RunDigest {
  const { results, run, tool, target, verdict } = report
  const computed = exitStatus(report)
  // A newer version may know of failures that are not in the results; it cannot be better than they.
  const status = worst([computed, claims[verdict] ?? 3])
  const claim = status === computed ? '' : `; the report itself says ${verdict}`
  return {
    status,
    verdictText: `${runVerdictText(report)}${claim}`,
    counts: countVerdicts(results),
    startedAt: run.startedAt,
    toolVersion: tool.version,
    target,
    verdicts: new Map(results.map(({ requirement, verdict }) => [requirement, verdict])),
    statements: new Map(results.map(({ requirement, statement }) => [requirement, statement])),
  }
}

function runsOf(members: readonly FleetMember[]): RunDigest[] {
  return members.flatMap(({ run }) => (run === undefined ? [] : [run]))
}

function sectionsOf(runs: readonly RunDigest[]): FleetSection[] {
  const ids = new Set(runs.flatMap(({ verdicts }) => [...verdicts.keys()]))
  const services = new Map<string, Map<string, string[]>>()
  for (const id of ids) {
    const [service = '', section = ''] = id.split('/')
    const sections = services.get(service) ?? new Map<string, string[]>()
    const requirements = sections.get(section) ?? []
    requirements.push(id)
    services.set(service, sections.set(section, requirements))
  }
  return [...services].flatMap(([service, sections]) =>
    [...sections].map(([section, requirements]) => ({ service, section, requirements })),
  )
}

function failingRows(runs: readonly RunDigest[]): FailingRow[] {
  const rows = new Map<string, FailingRow>()
  for (const { verdicts, statements } of runs) {
    for (const [requirement, verdict] of verdicts) {
      if (verdict !== 'fail') continue
      const row = rows.get(requirement)
      if (row !== undefined) row.count += 1
      else {
        const statement = statements.get(requirement) ?? ''
        rows.set(requirement, { requirement, statement, count: 1 })
      }
    }
  }
  return [...rows.values()].sort((one, other) => other.count - one.count)
}

/** Puts reports side by side, in the order in which they were given. */
export function mergeReports(members: readonly FleetMember[]): Fleet {
  const runs = runsOf(members)
  const names = deploymentNames(
    members.map(({ path, run }) => ({
      path,
      ...(run === undefined ? {} : { target: run.target }),
    })),
  )
  return {
    deployments: members.map((member, index) => ({ ...member, name: names[index] ?? '' })),
    sections: sectionsOf(runs),
    failing: failingRows(runs),
    status: worst(members.map(({ run }) => run?.status ?? 3)),
  }
}

/**
 * The verdicts of a deployment on a section, counted; `undefined` where it has none of the
 * requirements.
 */
export function sectionCounts(
  { verdicts }: RunDigest,
  { requirements }: FleetSection,
): VerdictCounts | undefined {
  const own = requirements.flatMap((id) => {
    const verdict = verdicts.get(id)
    return verdict === undefined ? [] : [{ verdict }]
  })
  return own.length === 0 ? undefined : countVerdicts(own)
}

/** The verdicts that occur, the one that matters most first: skipped only counts where nothing else is. */
export function occurringVerdicts(counts: VerdictCounts): Verdict[] {
  return worstFirst.filter((verdict) => counts[verdict] > 0)
}
