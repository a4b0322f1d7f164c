import type { ChangeKind, State } from '../results/changes.ts'
import type { Coverage, RequirementResult, RunReport, RunVerdict } from '../results/run-report.ts'
import { changesBetween, isSameTarget, type RunSnapshot, snapshotOf } from '../results/snapshot.ts'
import type { VerdictCounts } from '../results/verdict.ts'
import { counted } from './format.ts'
import { verdictLabels } from './verdict-labels.ts'

export interface HistoryEntry {
  run: string
  /** ISO 8601, UTC. */
  startedAt: string
  verdict: RunVerdict
  counts: VerdictCounts
  coverage?: Coverage
  status: number
  /** Why it is that one, where the counts do not say it. */
  reasons?: readonly string[]
  /** True if the run was asked for some of the requirements only. */
  selection?: boolean
}

export interface PreviousRuns {
  previous?: RunSnapshot | undefined
  /** Runs of the same target, the oldest first, this one last; absent when no history is kept. */
  runs?: readonly HistoryEntry[] | undefined
}

export const stateLabels: Record<Exclude<State, 'partial pass'>, string> = {
  ...verdictLabels,
  /** The service was probed, and the tool did not know the requirement. */
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
}

/** Titles of lists of changed requirements; in lower case they follow a number. */
export const changeTitles: Record<ChangeKind, string> = {
  newlyFailing: 'Newly failing',
  failingUnjudgedBefore: 'Failing without a full verdict before',
  noLongerAdvisory: 'No longer advisory',
  newlyUnjudged: 'Newly without a verdict',
  notLookedAt: 'Judged before and not looked at after',
  deviatingOtherwise: 'Deviating differently than before',
  noLongerWaived: 'No longer waived',
  newlyDeviating: 'Newly deviating but waived or advisory',
  stillFailing: 'Still failing',
  mended: 'Mended',
  newlyTolerated: 'Now waived or advisory',
  judgedLess: 'Judged less than before',
  newlyJudged: 'Newly judged',
  notComparable: 'Judged after and not asked for before',
  newRows: 'Only in the report after',
  goneRows: 'Only in the report before',
  unchanged: 'Unchanged',
}

/** Changes that are news, what matters most first. What nobody asked for is none. */
const newsKinds = [
  'newlyFailing',
  'failingUnjudgedBefore',
  'deviatingOtherwise',
  'noLongerWaived',
  'noLongerAdvisory',
  'newlyUnjudged',
  'newlyDeviating',
  'newlyTolerated',
  'judgedLess',
  'newlyJudged',
  'mended',
] as const satisfies readonly ChangeKind[]

export interface News {
  kind: (typeof newsKinds)[number]
  /** The requirements, as they are now. */
  results: RequirementResult[]
}

export interface Changes {
  /** When the earlier run began; ISO 8601, UTC. */
  since: string
  news: News[]
}

/** Returns what is new since an earlier run; undefined without one of the same target. */
export function changesSince(
  previous: RunSnapshot | undefined,
  report: RunReport,
): Changes | undefined {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const changes = changesBetween(previous, snapshotOf(report))
  const kinds = new Map(changes.map(({ requirement, kind }) => [requirement, kind]))
  const news = newsKinds.map((kind) => {
    return { kind, results: report.results.filter((one) => kinds.get(one.requirement) === kind) }
  })
  return { since: previous.startedAt, news: news.filter(({ results }) => results.length > 0) }
}

/** Returns what follows a number: `newly failing`. */
export function newsText({ kind }: Pick<News, 'kind'>): string {
  return changeTitles[kind].toLowerCase()
}

/** How old failures are, for one and for several. Nobody can tell whether the last ones are new. */
const ages: readonly (readonly [kind: ChangeKind, one: string, many: string])[] = [
  ['newlyFailing', 'is new', 'are new'],
  ['deviatingOtherwise', 'deviates differently', 'deviate differently'],
  ['noLongerWaived', 'is no longer waived', 'are no longer waived'],
  ['noLongerAdvisory', 'is no longer advisory', 'are no longer advisory'],
  [
    'failingUnjudgedBefore',
    'had no full verdict in the run before',
    'had no full verdict in the run before',
  ],
]

/**
 * Returns how old the failures of a run are: `1 failure is new, 2 are no longer waived`. A failure
 * of unknown age is not counted as new, nor are there then said to be no new ones.
 */
export function newFailuresText({ news }: Changes): string {
  const parts = ages.flatMap(([wanted, one, many]) => {
    const results = news.find(({ kind }) => kind === wanted)?.results ?? []
    const { length } = results.filter(({ verdict }) => verdict === 'fail')
    return length === 0 ? [] : [{ length, text: length === 1 ? one : many }]
  })
  return (
    parts
      .map(({ length, text }, index) => {
        return `${index === 0 ? counted(length, 'failure', 'failures') : length} ${text}`
      })
      .join(', ') || 'no failure is new'
  )
}
