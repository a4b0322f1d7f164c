import { groupBy } from '../../environment/group-by.ts'
import { counted } from '../../reports/format.ts'
import { printableLine, printableSentence } from '../../reports/printable.ts'
import { type Line, lineRows } from '../../reports/terminal-sections.ts'
import { terminalStyle, verdictColors } from '../../reports/terminal-style.ts'
import { runVerdictText, verdictTally } from '../../reports/verdict-labels.ts'
import { idParts } from '../../results/ids.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { type DisplayVerdict, summarize } from '../../results/verdict.ts'

/** What the table shows of a run; the rest of its report may go. */
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

/** A report that was given by its path; without a run if there is none. */
export interface FleetMember {
  path: string
  /** What an operator calls it. */
  name?: string | undefined
  run?: RunDigest
  /** Where its own page is, as a relative URL; absent if there is none. */
  page?: string
}

export interface Deployment extends FleetMember {
  /** Name of the operator, or the hosts; with the path if several have the same. */
  name: string
}

/** A section of a document, with the ids of its requirements. */
export interface FleetSection {
  service: string
  section: string
  ids: string[]
}

interface FailingRow {
  requirement: string
  statement: string
  /** The deployments on which it fails. */
  on: Deployment[]
}

/** Reports side by side. */
export interface Fleet {
  /** The worst first. */
  deployments: Deployment[]
  sections: FleetSection[]
  /** What fails on most comes first. */
  failing: FailingRow[]
  verdict: DisplayVerdict
  status: 0 | 1 | 3
}

export function digest(report: RunReport): RunDigest {
  const { results, run, tool, target } = report
  const summary = summarize(report)
  return {
    verdict: summary.toldVerdict,
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

/** Sections of documents with the ids in them; those of a service stand together. */
function sectionsOf(ids: readonly string[]): FleetSection[] {
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  const named = [...sections.values()].map((ids) => ({ ...idParts(ids[0] ?? ''), ids }))
  return [...groupBy(named, ({ service }) => service).values()].flat()
}

/** The hosts that a run probed; of the embedded deployment they are never the same. */
function hostsOf({ target }: RunDigest): string {
  const hosts = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'embedded reference'
    return (URL.canParse(baseUrl) && new URL(baseUrl).host) || baseUrl
  })
  return [...new Set(hosts)].join(', ')
}

/** Names each member; one without a name and a report has its path. */
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

/** What is told of deployments, by verdict; what matters most comes first. */
const told: readonly [DisplayVerdict | undefined, words: string][] = [
  ['nonconformant', 'failing'],
  ['inconclusive', 'without a verdict'],
  [undefined, 'without a report'],
  ['thin', 'with less than half judged'],
  ['deviating', 'passing with known deviations'],
  ['conformant', 'conforming'],
]

/** Puts reports side by side: the worst first, otherwise in the order in which they were given. */
export function mergeReports(members: readonly FleetMember[]): Fleet {
  const rank = ({ run }: FleetMember) => told.findIndex(([verdict]) => verdict === run?.verdict)
  const deployments = named(members).toSorted((one, other) => rank(one) - rank(other))
  const ids = new Set(members.flatMap(({ run }) => [...(run?.rows.keys() ?? [])]))
  const verdicts = members.map(({ run }) => run?.verdict)
  // The worst of all: a failure, then a run without a verdict or no report at all.
  const [[worst = 'inconclusive'] = []] = told.filter(([verdict]) => verdicts.includes(verdict))
  const statuses = {
    nonconformant: 1,
    inconclusive: 3,
    thin: 0,
    deviating: 0,
    conformant: 0,
  } as const
  const status = statuses[worst]
  const sections = sectionsOf([...ids])
  return { deployments, sections, failing: failingRows(deployments), verdict: worst, status }
}

/** What matters most first; skipped counts only if nothing else is there. */
const worstFirst = ['fail', 'inconclusive', 'advisory', 'waived', 'pass', 'skipped'] as const

/** How often a deployment has each verdict on a section, what matters most first. */
export function sectionTally({ rows }: RunDigest, { ids }: FleetSection) {
  const tally = verdictTally(ids.flatMap((id) => rows.get(id) ?? []))
  return worstFirst.flatMap((wanted) => tally.filter(({ verdict }) => verdict === wanted))
}

/** A fleet in words that hold no text of the reports: `5 deployments: 2 failing, 3 conforming`. */
export function fleetText({ deployments }: Pick<Fleet, 'deployments'>): string {
  const parts = told.flatMap(([verdict, words]) => {
    const { length } = deployments.filter(({ run }) => run?.verdict === verdict)
    return length === 0 ? [] : [`${length} ${words}`]
  })
  return `${counted(deployments.length, 'deployment', 'deployments')}: ${parts.join(', ')}`
}

const listedAtMost = 40

/** For a terminal. @param options.file path of the page; absent where it could not be written */
export function mergedText(
  fleet: Fleet,
  { file, status, ...options }: { color: boolean; width: number; file?: string; status: number },
): string {
  const { deployments, failing } = fleet
  const style = terminalStyle(options)
  const failures = failing.map(({ requirement, on }): Line => {
    return ['  ', printableSentence(`${requirement}: on ${on.length} of ${deployments.length}`)]
  })
  // A terminal shows the end, and of many deployments only those of which there is more to say.
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
