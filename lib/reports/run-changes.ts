import type { ChangeKind, State } from '../results/changes.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { changesBetween, isSameTarget, type RunSnapshot, snapshotOf } from '../results/snapshot.ts'
import { counted } from '../text/quantities.ts'
import { verdictLabels } from './verdict-labels.ts'

export interface PreviousRuns {
  previous?: RunSnapshot | undefined
  /** End of the last earlier run of all requirements with exit status 0; ISO 8601, UTC. */
  lastSuccess?: string | undefined
}

export const stateLabels: Record<State, string> = {
  ...verdictLabels,
  /** The service was probed by a version without this requirement. */
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
}

/** Titles of lists of changed requirements; in lower case they follow a number. */
export const changeTitles: Record<ChangeKind, string> = {
  regressions: 'Newly failing',
  failingWithoutVerdictBefore: 'Failing but not judged before',
  lostVerdicts: 'No longer judged',
  notRun: 'Judged before but not run after',
  changedDeviations: 'Deviating differently than before',
  noLongerTolerated: 'No longer waived or advisory',
  newlyTolerated: 'Now waived or advisory',
  stillFailing: 'Still failing',
  fixed: 'Fixed',
  newVerdicts: 'Newly judged',
  unchanged: 'Unchanged',
}

/** Kinds of reported changes, most important first. Changes of the selection are not included. */
const REPORTED_KINDS = [
  'regressions',
  'failingWithoutVerdictBefore',
  'changedDeviations',
  'noLongerTolerated',
  'lostVerdicts',
  'newlyTolerated',
  'newVerdicts',
  'fixed',
] as const satisfies readonly ChangeKind[]

export interface News {
  kind: (typeof REPORTED_KINDS)[number]
  results: RequirementResult[]
}

export interface Changes {
  /** Start of the previous run; ISO 8601, UTC. */
  since: string
  news: News[]
}

/** Returns the changes since a previous run; undefined without a run of the same target. */
export function changesSince(
  previous: RunSnapshot | undefined,
  report: RunReport,
): Changes | undefined {
  if (previous === undefined || !isSameTarget(previous.target, report.target)) return undefined
  const changes = changesBetween(previous, snapshotOf(report))
  const kinds = new Map(changes.map(({ requirement, kind }) => [requirement, kind]))
  const news = REPORTED_KINDS.map((kind) => {
    return { kind, results: report.results.filter((one) => kinds.get(one.requirement) === kind) }
  })
  return { since: previous.startedAt, news: news.filter(({ results }) => results.length > 0) }
}

export function changedFailures(
  changes: Changes | undefined,
): Map<RequirementResult, News['kind']> {
  const failures = changes?.news.flatMap(({ kind, results }) =>
    results.flatMap((one) => (one.verdict === 'fail' ? [[one, kind] as const] : [])),
  )
  return new Map(failures)
}

/** Returns true for a failure that is new or differs; ending a waiver makes none. */
export function isNewFailure(kind: News['kind'] | undefined): boolean {
  return kind !== undefined && kind !== 'noLongerTolerated'
}

/** Returns a label that follows a number: `newly failing`. */
export const newsText = ({ kind }: Pick<News, 'kind'>) => changeTitles[kind].toLowerCase()

/** Returns `2 failures are new`; undefined if it is not known whether a failure is new. */
export function newFailuresText({ news }: Changes): string | undefined {
  const failing = news.flatMap(({ kind, results }) =>
    results.flatMap(({ verdict }) => (verdict === 'fail' ? kind : [])),
  )
  const regressions = failing.filter((kind) => kind === 'regressions')
  if (regressions.length > 0) {
    return `${counted(regressions.length, 'failure is', 'failures are')} new`
  }
  return failing.some(isNewFailure) ? undefined : 'no failure is new'
}
