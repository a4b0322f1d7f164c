import type { RequirementResult, Verdict } from '../results/run-report.ts'
import { countVerdicts } from '../results/verdict.ts'
import { printableLine, truncate } from '../text/printable.ts'
import { verdictCountsText } from './verdict-labels.ts'

export interface ProgressStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

interface ProgressOptions {
  /** Verdicts, by id, that replace a failure. */
  deviations?: ReadonlyMap<string, Verdict>
  /** Number of requirements without a check, counted from the start. */
  skipped?: number
}

const eraseLine = '\r\u001b[2K'

/**
 * Returns functions that write the progress of a run: on a terminal one line that is rewritten in place, elsewhere a line
 * for each failure and each quarter of the run, without control sequences.
 */
export function createProgress(
  stream: ProgressStream,
  { deviations, skipped = 0 }: ProgressOptions = {},
) {
  const counts = { ...countVerdicts(), skipped }
  let done = skipped
  let total = done

  function text(): string {
    const number = String(done).padStart(String(total).length)
    return `[ ${number}/${total} ] ${verdictCountsText(counts)}`
  }

  function rewrite(): void {
    // A line as wide as the terminal would wrap on some terminals.
    const width = (stream.columns || 80) - 1
    stream.write(`${eraseLine}${truncate(text(), width)}`)
  }

  return {
    start(count: number): void {
      total += count
      if (stream.isTTY) rewrite()
    },

    add({ requirement, verdict }: Pick<RequirementResult, 'requirement' | 'verdict'>): void {
      const shown = (verdict === 'fail' && deviations?.get(requirement)) || verdict
      const quarter = () => Math.floor((4 * done) / total)
      const before = quarter()
      counts[shown] += 1
      done += 1
      if (stream.isTTY) rewrite()
      else {
        if (shown === 'fail') stream.write(`failed: ${printableLine(requirement)}\n`)
        if (quarter() > before) stream.write(`${text()}\n`)
      }
    },

    finish(): void {
      if (stream.isTTY) stream.write(eraseLine)
    },
  }
}

export type Progress = ReturnType<typeof createProgress>
