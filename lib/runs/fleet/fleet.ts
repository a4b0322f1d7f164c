import { groupBy } from '../../environment/group-by.ts'
import { counted } from '../../reports/format.ts'
import { printableLine, printableSentence } from '../../reports/printable.ts'
import { type Line, lineRows } from '../../reports/terminal-sections.ts'
import { terminalStyle, verdictColors } from '../../reports/terminal-style.ts'
import { runVerdictText, verdictTally } from '../../reports/verdict-labels.ts'
import { idParts } from '../../results/ids.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { type DisplayVerdict, summarize } from '../../results/verdict.ts'

/** Data of a run that the table shows. */
export interface RunDigest {
  verdict: DisplayVerdict
  verdictText: string
  /** ISO 8601, UTC. */
  startedAt: string
  toolVersion: string
  target: RunReport['target']
  /** By id of the requirement. */
  rows: Map<string, Pick<RequirementResult, 'requirement' | 'verdict' | 'statement'>>
}

/** Report of a deployment by its path; without a run if it does not exist. */
export interface FleetMember {
  path: string
  /** Name that the operator gave. */
  name?: string | undefined
  run?: RunDigest
  /** Relative URL of its report.html; absent if there is none. */
  page?: string
}

export interface Deployment extends FleetMember {
  /** Name that the operator gave, or the hosts; with the path if several are equal. */
  name: string
}

/** Section of a document, with the ids of its requirements. */
export interface FleetSection {
  service: string
  section: string
  ids: string[]
}

interface FailingRow {
  requirement: string
  statement: string
  /** Deployments on which it fails. */
  on: Deployment[]
}

/** Compared reports of a fleet. */
export interface Fleet {
  /** Worst first. */
  deployments: Deployment[]
  sections: FleetSection[]
  /** Sorted by the number of deployments on which they fail. */
  failing: FailingRow[]
  verdict: DisplayVerdict
  status: 0 | 1 | 3
}

export function digest(report: RunReport): RunDigest {
  const { results, run, tool, target } = report
  const summary = summarize(report)
  return {
    verdict: summary.displayVerdict,
    verdictText: runVerdictText(summary),
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

/** Returns the sections of the documents with their ids, grouped by service. */
function sectionsOf(ids: readonly string[]): FleetSection[] {
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  const named = [...sections.values()].map((ids) => ({ ...idParts(ids[0] ?? ''), ids }))
  return [...groupBy(named, ({ service }) => service).values()].flat()
}

/** Returns the hosts that a run probed; those of the reference server differ in each run. */
function hostsOf({ target }: RunDigest): string {
  const hosts = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'reference server'
    return (URL.canParse(baseUrl) && new URL(baseUrl).host) || baseUrl
  })
  return [...new Set(hosts)].join(', ')
}

/** Names each member; without a name and a report, by its path. */
function named(members: readonly FleetMember[]): Deployment[] {
  const names = members.map(({ path, name, run }) => name ?? ((run && hostsOf(run)) || path))
  return members.map((member, index) => {
    const name = names[index] ?? ''
    const isAmbiguous = names.indexOf(name) !== names.lastIndexOf(name)
    return { ...member, name: isAmbiguous ? `${name} (${member.path})` : name }
  })
}

function failingRows(deployments: readonly Deployment[]): FailingRow[] {
  const failures = deployments.flatMap((on) =>
    [...(on.run?.rows.values() ?? [])]
      .filter(({ verdict }) => verdict === 'fail')
      .map((row) => ({ ...row, on })),
  )
  return [...groupBy(failures, ({ requirement }) => requirement)]
    .map(([requirement, rows]) => {
      return { requirement, statement: rows[0]?.statement ?? '', on: rows.map(({ on }) => on) }
    })
    .sort((one, other) => other.on.length - one.on.length)
}

/** Descriptions of deployments by verdict, most important first. */
const verdictGroups: readonly [DisplayVerdict | undefined, words: string][] = [
  ['nonconformant', 'failing'],
  ['inconclusive', 'without a verdict'],
  [undefined, 'without a report'],
  ['belowThreshold', 'with less than half judged'],
  ['deviating', 'passing with known deviations'],
  ['conformant', 'conforming'],
]

/** Compares reports: worst first, then in the given order. */
export function mergeReports(members: readonly FleetMember[]): Fleet {
  const rank = ({ run }: FleetMember) =>
    verdictGroups.findIndex(([verdict]) => verdict === run?.verdict)
  const deployments = named(members).toSorted((one, other) => rank(one) - rank(other))
  const ids = new Set(members.flatMap(({ run }) => [...(run?.rows.keys() ?? [])]))
  const verdicts = members.map(({ run }) => run?.verdict)
  // A failure is worst, then an inconclusive run or a missing report.
  const [[worst = 'inconclusive'] = []] = verdictGroups.filter(([verdict]) =>
    verdicts.includes(verdict),
  )
  const statuses = {
    nonconformant: 1,
    inconclusive: 3,
    belowThreshold: 0,
    deviating: 0,
    conformant: 0,
  } as const
  const status = statuses[worst]
  const sections = sectionsOf([...ids])
  return { deployments, sections, failing: failingRows(deployments), verdict: worst, status }
}

/** Verdicts, most important first; skipped counts only without any other. */
const worstFirst = ['fail', 'inconclusive', 'advisory', 'waived', 'pass', 'skipped'] as const

/** Returns how often a deployment has each verdict on a section, most important first. */
export function sectionTally({ rows }: RunDigest, { ids }: FleetSection) {
  const tally = verdictTally(ids.flatMap((id) => rows.get(id) ?? []))
  return worstFirst.flatMap((wanted) => tally.filter(({ verdict }) => verdict === wanted))
}

/** Summarizes a fleet without text of the reports: `5 deployments: 2 failing, 3 conforming`. */
export function fleetText({ deployments }: Pick<Fleet, 'deployments'>): string {
  const parts = verdictGroups.flatMap(([verdict, words]) => {
    const { length } = deployments.filter(({ run }) => run?.verdict === verdict)
    return length === 0 ? [] : [`${length} ${words}`]
  })
  return `${counted(deployments.length, 'deployment', 'deployments')}: ${parts.join(', ')}`
}

const listedAtMost = 40

/** Formats a fleet for a terminal. @param options.file path of the page; absent if it was not written */
export function mergedText(
  fleet: Fleet,
  { file, status, ...options }: { color: boolean; width: number; file?: string; status: number },
): string {
  const { deployments, failing } = fleet
  const style = terminalStyle(options)
  const failures = failing.map(({ requirement, on }): Line => {
    return ['  ', printableSentence(`${requirement}: on ${on.length} of ${deployments.length}`)]
  })
  // A terminal shows the end; of many deployments, only those with problems are listed.
  const shown = deployments
    .toReversed()
    .filter(({ run }) => deployments.length <= listedAtMost || run?.verdict !== 'conformant')
  const left = deployments.length - shown.length
  const lines: Line[] = [
    ...(left > 0 ? [style.colors.dim(`${left} that conform are on the page.`)] : []),
    ...shown.flatMap(({ name, run }): Line[] => [
      ['', printableSentence(name), 'bold'],
      [
        '  ',
        printableSentence(run?.verdictText ?? 'no report'),
        verdictColors[run?.verdict ?? 'inconclusive'],
      ],
    ]),
    ...(failing.length === 0 ? [] : ['', `Failing (${failing.length})`]),
    ...failures,
    '',
    ['page: ', file && printableLine(file)],
    style.colors[verdictColors[fleet.verdict]](`${fleetText(fleet)} (exit status ${status})`),
  ]
  return `${lineRows(lines, style).join('\n')}\n`
}
