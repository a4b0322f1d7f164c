import type { RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { exitStatus, type RunExitStatus, runVerdictText } from '../reports/exit-status.ts'
import { counted, idParts } from '../reports/run-words.ts'
import { verdictTally, worstFirst } from '../reports/verdict-counts.ts'

/** A report that was given, or the place where one should be. */
export interface FleetMember {
  /** Path of the report. */
  path: string
  /** Absent where there is no report. */
  run?: RunDigest
  /** Where its own page is, as a relative URL; absent where there is none. */
  page?: string
}

/** What the table shows of a run; the rest of its report may go. */
export function digest(report: RunReport) {
  const { results, run, tool, target } = report
  return {
    status: exitStatus(report),
    verdictText: runVerdictText(report),
    startedAt: run.startedAt,
    toolVersion: tool.version,
    target,
    rows: new Map(
      results.map(({ requirement, verdict, statement }) => [requirement, { verdict, statement }]),
    ),
  }
}

type RunDigest = ReturnType<typeof digest>

/** Sections of documents with the ids in them; those of a service stand together. */
function sectionsOf(ids: Iterable<string>) {
  const sections = new Map<string, { service: string; section: string; ids: string[] }>()
  for (const id of ids) {
    const { service, section } = idParts(id)
    const key = `${service}/${section}`
    sections.set(key, { service, section, ids: [...(sections.get(key)?.ids ?? []), id] })
  }
  const all = [...sections.values()]
  const services = new Set(all.map(({ service }) => service))
  return [...services].flatMap((name) => all.filter(({ service }) => service === name))
}

/** What fails somewhere, with the number of deployments; what fails on most comes first. */
function failingRows(runs: readonly RunDigest[]) {
  const failing = new Map<string, { requirement: string; statement: string; count: number }>()
  for (const [requirement, { verdict, statement }] of runs.flatMap(({ rows }) => [...rows])) {
    if (verdict !== 'fail') continue
    const count = (failing.get(requirement)?.count ?? 0) + 1
    failing.set(requirement, { requirement, statement, count })
  }
  return [...failing.values()].sort((one, other) => other.count - one.count)
}

/** The hosts that a run probed; of the embedded deployment they are never the same. */
function hostsOf({ target }: RunDigest): string {
  const hosts = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'embedded reference'
    return (URL.canParse(baseUrl) && new URL(baseUrl).host) || baseUrl
  })
  return [...new Set(hosts)].join(', ')
}

/** The hosts of the base URLs, with the path where they are the same; without a report, the path. */
function named(members: readonly FleetMember[]) {
  const names = members.map(({ path, run }) => (run && hostsOf(run)) || path)
  return members.map((member, index) => {
    const name = names[index] ?? ''
    const isAmbiguous = names.indexOf(name) !== names.lastIndexOf(name)
    return { ...member, name: isAmbiguous ? `${name} (${member.path})` : name }
  })
}

/** Puts reports side by side, in the order in which they were given. */
export function mergeReports(members: readonly FleetMember[]) {
  const runs = members.flatMap(({ run }) => run ?? [])
  const statuses = members.map(({ run }) => run?.status ?? 3)
  // A failure, then a run without a verdict or no report at all.
  const status: RunExitStatus = ([1, 3] as const).find((each) => statuses.includes(each)) ?? 0
  return {
    deployments: named(members),
    sections: sectionsOf(new Set(runs.flatMap(({ rows }) => [...rows.keys()]))),
    failing: failingRows(runs),
    /** The worst of all. */
    status,
  }
}

export type Fleet = ReturnType<typeof mergeReports>
export type Deployment = Fleet['deployments'][number]
export type FleetSection = Fleet['sections'][number]

/** How often a deployment has each verdict on a section, what matters most first. */
export function sectionTally({ rows }: RunDigest, { ids }: FleetSection) {
  const rank = ({ verdict }: { verdict: Verdict }) => worstFirst.indexOf(verdict)
  const tally = verdictTally(ids.flatMap((id) => rows.get(id) ?? []))
  return tally.sort((one, other) => rank(one) - rank(other))
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
  const having = (status?: RunExitStatus) =>
    deployments.filter(({ run }) => run?.status === status).length
  const parts = [
    { count: having(1), what: having(1) === 1 ? 'fails' : 'fail' },
    { count: having(3), what: 'without a verdict' },
    { count: having(undefined), what: 'without a report' },
  ]
    .filter(({ count }) => count > 0)
    // The first of them says of how many.
    .map(({ count, what }, index) => `${count}${index === 0 ? ` of ${total}` : ''} ${what}`)
  if (parts.length > 0) return parts.join(', ')
  return deployments.length === 1 ? 'The deployment conforms' : `All ${total} conform`
}
