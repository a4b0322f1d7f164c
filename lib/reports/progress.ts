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
 * Writes the progress of a run: on a terminal one line that is rewritten in place, elsewhere a line for
 * each failure and each quarter of the run, without control sequences.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #deviations: ReadonlyMap<string, Verdict>
  readonly #counts = countVerdicts()
  #done: number
  #total = 0

  constructor(
    stream: ProgressStream,
    { deviations = new Map(), skipped = 0 }: ProgressOptions = {},
  ) {
    this.#stream = stream
    this.#deviations = deviations
    this.#counts.skipped = skipped
    this.#done = skipped
  }

  start(total: number): void {
    this.#total = total + this.#done
    if (this.#stream.isTTY) this.#rewrite()
  }

  add({ requirement, verdict }: Pick<RequirementResult, 'requirement' | 'verdict'>): void {
    const shown = (verdict === 'fail' && this.#deviations.get(requirement)) || verdict
    const quarter = () => Math.floor((4 * this.#done) / this.#total)
    const before = quarter()
    this.#counts[shown] += 1
    this.#done += 1
    if (this.#stream.isTTY) {
      this.#rewrite()
      return
    }
    if (shown === 'fail') this.#stream.write(`failed: ${printableLine(requirement)}\n`)
    if (quarter() > before) this.#stream.write(`${this.#text()}\n`)
  }

  finish(): void {
    if (this.#stream.isTTY) this.#stream.write(eraseLine)
  }

  #text(): string {
    const total = String(this.#total)
    const position = `[ ${String(this.#done).padStart(total.length)}/${total} ]`
    return `${position} ${verdictCountsText(this.#counts)}`
  }

  #rewrite(): void {
    // A line as wide as the terminal would wrap on some terminals.
    const width = (this.#stream.columns || 80) - 1
    this.#stream.write(`${eraseLine}${truncate(this.#text(), width)}`)
  }
}
