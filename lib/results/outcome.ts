import { type RunSummary, summarize } from './verdict.ts'

/** Outcome of a run. It is final when every file is written, and each of them has it. */
export interface RunOutcome extends Pick<RunSummary, 'verdict' | 'coverage' | 'exitStatus'> {
  /** True if there was no internal error, and every file was written. */
  isComplete: boolean
}

/** Returns the outcome of a run. An incomplete run never has exit status 0. */
export function outcomeOf(
  report: Parameters<typeof summarize>[0],
  isComplete: boolean,
): RunOutcome {
  const { verdict, coverage, exitStatus } = summarize(report)
  return { verdict, coverage, exitStatus: exitStatus || (isComplete ? 0 : 3), isComplete }
}
