import type { RunReport, RunVerdict } from '../conformance/result.ts'
import { exitStatus, type RunExitStatus, runVerdictText } from '../reports/exit-status.ts'
import { printableLine, printableSentence } from '../reports/printable.ts'
import { groupBy } from '../reports/reason-groups.ts'
import { counted, idParts } from '../reports/run-words.ts'
import { type Line, lineRows } from '../reports/terminal-sections.ts'
import { heading, terminalStyle } from '../reports/terminal-style.ts'
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
      results.map(({ requirement, verdict, statement }) => {
        return [requirement, { requirement, verdict, statement }]
      }),
    ),
  }
}

type RunDigest = ReturnType<typeof digest>

/** Sections of documents with the ids in them; those of a service stand together. */
function sectionsOf(ids: readonly string[]) {
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  const named = [...sections.values()].map((ids) => ({ ...idParts(ids[0] ?? ''), ids }))
  return [...groupBy(named, ({ service }) => service).values()].flat()
}

/** What fails somewhere, with the number of deployments; what fails on most comes first. */
function failingRows(runs: readonly RunDigest[]) {
  const failures = runs.flatMap(({ rows }) =>
    [...rows.values()].filter(({ verdict }) => verdict === 'fail'),
  )
  return [...groupBy(failures, ({ requirement }) => requirement)]
    .map(([requirement, rows]) => {
      return { requirement, statement: rows[0]?.statement ?? '', count: rows.length }
    })
    .sort((one, other) => other.count - one.count)
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
    sections: sectionsOf([...new Set(runs.flatMap(({ rows }) => [...rows.keys()]))]),
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
  const tally = verdictTally(ids.flatMap((id) => rows.get(id) ?? []))
  return worstFirst.flatMap((wanted) => tally.filter(({ verdict }) => verdict === wanted))
}

/** The verdict that an exit status stands for. */
export const statusWords: Record<RunExitStatus, RunVerdict> = {
  0: 'conformant',
  1: 'nonconformant',
  3: 'inconclusive',
}

/** A fleet in words that hold no text of the reports: `5 deployments: 2 failing, 3 conforming`. */
export function fleetText({ deployments }: Fleet): string {
  const parts = ([1, 3, undefined, 0] as const).flatMap((status) => {
    const count = deployments.filter(({ run }) => run?.status === status).length
    const what = { 0: 'conforming', 1: 'failing', 3: 'without a verdict' }
    return count === 0
      ? []
      : [`${count} ${status === undefined ? 'without a report' : what[status]}`]
  })
  return `${counted(deployments.length, 'deployment', 'deployments')}: ${parts.join(', ')}`
}

const shownFailing = 40

/**
 * The fleet for a terminal, ending with a line break: each deployment, what fails anywhere, where the
 * page is, and the outcome in one row.
 *
 * @param options.file path of the page; absent where it could not be written
 */
export function mergedText(
  fleet: Fleet,
  options: { color: boolean; width: number; file?: string; status: number },
): string {
  const { deployments, failing } = fleet
  const style = terminalStyle(options)
  const paints = { 0: 'green', 1: 'red', 3: 'yellow' } as const
  const rest = failing.length - shownFailing
  const rows = [
    ...lineRows(
      deployments.flatMap(({ name, run }): Line[] => [
        ['', printableSentence(name), 'bold'],
        ['  ', printableSentence(run?.verdictText ?? 'no report'), paints[run?.status ?? 3]],
      ]),
      style,
    ),
    ...(failing.length === 0 ? [] : heading('Failing', failing.length, style.colors.bold)),
    ...lineRows(
      failing.slice(0, shownFailing).map(({ requirement, count }) => {
        return ['  ', printableSentence(`${requirement}: on ${count} of ${deployments.length}`)]
      }),
      style,
    ),
    ...(rest > 0 ? [`  and ${rest} more, on the page`] : []),
    '',
    ...lineRows([['page: ', options.file && printableLine(options.file)]], style),
    style.colors.bold(
      style.colors[paints[fleet.status]](`${fleetText(fleet)} (exit status ${options.status})`),
    ),
  ]
  return `${rows.join('\n')}\n`
}
