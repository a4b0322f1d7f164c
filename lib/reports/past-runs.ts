import type { RunReport, RunVerdict } from '../conformance/result.ts'
import { type EarlierRun, isSameTarget } from './changes.ts'
import type { VerdictCounts } from './verdict-counts.ts'

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

/** The last of several earlier runs that is one of the same target; each may be missing. */
export function lastRunBefore(
  report: Pick<RunReport, 'target'>,
  candidates: readonly (EarlierRun | undefined)[],
): EarlierRun | undefined {
  return candidates
    .filter((run) => run !== undefined)
    .filter((run) => isSameTarget(run.target, report.target))
    .toSorted((one, other) => Date.parse(one.run.startedAt) - Date.parse(other.run.startedAt))
    .at(-1)
}
