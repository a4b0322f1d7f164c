import { basename, dirname, extname, resolve } from 'node:path'
import type { RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { exitStatus, type RunExitStatus, runVerdictText } from '../reports/exit-status.ts'
import { counted } from '../reports/run-words.ts'
import { countVerdicts, type VerdictCounts, worstFirst } from '../reports/verdict-counts.ts'

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

/** Takes from a report what the table shows. */
export function digest(report: RunReport): RunDigest {
  const { results, run, tool, target } = report
  return {
    status: exitStatus(report),
    verdictText: runVerdictText(report),
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

/** The folder of a report; `reports` is what every run calls it, and tells nothing. */
function folderName(path: string): string {
  // What is missing may have been meant as a folder.
  const folder = extname(path) === '' ? resolve(path) : dirname(resolve(path))
  const name = basename(folder)
  return (name === 'reports' ? basename(dirname(folder)) : name) || 'report'
}

/** The hosts that a run probed; of the embedded deployment they are never the same. */
function hosts(target: RunReport['target']): string[] {
  const probed = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'embedded reference'
    return URL.canParse(baseUrl) ? new URL(baseUrl).host || baseUrl : baseUrl
  })
  return [...new Set(probed)]
}

function firstName({ path, run }: FleetMember): string {
  return (run === undefined ? '' : hosts(run.target).join(', ')) || folderName(path)
}

function repeated(names: readonly string[]): Set<string> {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index))
}

/**
 * A name for each deployment, no two the same: the hosts of its base URLs or, without a report, the
 * folder; where that is not enough, both; where they are the same too, the path.
 */
export function deploymentNames(deployments: readonly FleetMember[]): string[] {
  const first = deployments.map(firstName)
  const ambiguous = repeated(first)
  const second = deployments.map((deployment, index) => {
    const name = first[index] ?? ''
    return ambiguous.has(name) ? `${name} (${folderName(deployment.path)})` : name
  })
  const stillAmbiguous = repeated(second)
  return deployments.map(({ path }, index) => {
    const name = second[index] ?? ''
    return stillAmbiguous.has(name) ? `${first[index] ?? ''} (${path})` : name
  })
}

/** Puts reports side by side, in the order in which they were given. */
export function mergeReports(members: readonly FleetMember[]): Fleet {
  const runs = runsOf(members)
  const names = deploymentNames(members)
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

/** The verdict that an exit status stands for. */
export const statusWords: Record<RunExitStatus, RunVerdict> = {
  0: 'conformant',
  1: 'nonconformant',
  3: 'inconclusive',
}

/**
 * What matters of a fleet, in words that hold no text of the reports:
 * `2 of 5 deployments fail, 1 without a verdict`.
 */
export function fleetText({ deployments }: Fleet): string {
  const total = counted(deployments.length, 'deployment', 'deployments')
  const having = (wanted: RunExitStatus) =>
    deployments.filter(({ run }) => run?.status === wanted).length
  const missing = deployments.filter(({ run }) => run === undefined).length
  const [failing, inconclusive] = [having(1), having(3)]
  const parts: string[] = []
  // The first of them says of how many.
  const tell = (count: number, what: string) => {
    if (count > 0) parts.push(`${count}${parts.length === 0 ? ` of ${total}` : ''} ${what}`)
  }
  tell(failing, failing === 1 ? 'fails' : 'fail')
  tell(inconclusive, 'without a verdict')
  tell(missing, 'without a report')
  if (parts.length > 0) return parts.join(', ')
  return deployments.length === 1 ? 'The deployment conforms' : `All ${total} conform`
}
