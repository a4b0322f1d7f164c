import type { RunReport, RunVerdict } from '../conformance/result.ts'
import { type EarlierResult, type EarlierRun, isSameTarget, lastKnown } from './changes.ts'
import { judged, type VerdictCounts } from './verdict-counts.ts'

/** A run of the same target, as a history tells of it. */
export interface PastRun {
  id: string
  /** ISO 8601, UTC. */
  startedAt: string
  verdict: RunVerdict
  counts: VerdictCounts
  /** Exit status. */
  status: number
  /** Why it is that one, where the counts do not say it. */
  reasons?: readonly string[]
}

/** What is known of the time before a run. */
export interface Past {
  /** The run before, to tell what is new. */
  previous?: EarlierRun | undefined
  /** Runs of the same target, the oldest first, this one last; absent when no history is kept. */
  runs?: readonly PastRun[] | undefined
}

/** A result, with what an older run of the row is known to have reached. */
function withOlder(result: EarlierResult, older: EarlierResult | undefined): EarlierResult {
  const lastJudged = lastKnown(result) ?? lastKnown(older)
  return judged(result.verdict) || lastJudged === undefined ? result : { ...result, lastJudged }
}

/** A run, and of a row that it did not select or could not judge, what an older one says. */
function completedBy(older: EarlierRun, newer: EarlierRun): EarlierRun {
  const results = new Map(older.results.map((result) => [result.requirement, result]))
  for (const result of newer.results) {
    const { requirement, unjudged } = result
    if (unjudged?.kind === 'not selected' && results.has(requirement)) continue
    results.set(requirement, withOlder(result, results.get(requirement)))
  }
  const target = { ...older.target, ...newer.target }
  return { run: newer.run, target, results: [...results.values()] }
}

/**
 * The last of several earlier runs that is one of the same target; each may be missing. What it
 * could not judge has the verdict of the others besides.
 */
export function lastRunBefore(
  report: Pick<RunReport, 'target' | 'run'>,
  candidates: readonly (EarlierRun | undefined)[],
): EarlierRun | undefined {
  const end = Date.parse(report.run.finishedAt)
  // No earlier run began after this one: a clock was wrong, and its time tells no order.
  const begun = ({ run }: EarlierRun) => {
    const time = Date.parse(run.startedAt)
    return time > end ? 0 : time
  }
  const [oldest, ...newer] = candidates
    .filter((run) => run !== undefined)
    .filter((run) => isSameTarget(run.target, report.target))
    .toSorted((one, other) => begun(one) - begun(other))
  return oldest === undefined ? undefined : newer.reduce(completedBy, oldest)
}
