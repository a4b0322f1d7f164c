import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types'
import type { RequirementResult, Verdict } from '../results/run-report.ts'
import { countVerdicts } from '../results/verdict.ts'
import { printableLine, truncate } from '../text/printable.ts'
import { verdictPaint } from './terminal-style.ts'
import { verdictCountsText } from './verdict-labels.ts'

export interface ProgressStream {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const eraseLine = '\r\u001b[2K'

/**
 * Writes the progress of a run: on a terminal one line that is rewritten in place, elsewhere a line for
 * each failure and each quarter of the run, without control sequences.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #colors: Colors
  readonly #deviations: ReadonlyMap<string, Verdict>
  readonly #skipped: number
  #counts = countVerdicts()
  #done = 0
  #total = 0

  /**
   * @param options `color` applies to terminals only. `deviations`: verdicts, by id, that replace a
   *   failure. `skipped`: number of requirements without a check, counted from the start
   */
  constructor(
    stream: ProgressStream,
    options: { color: boolean; deviations?: ReadonlyMap<string, Verdict>; skipped?: number },
  ) {
    this.#deviations = options.deviations ?? new Map()
    this.#skipped = options.skipped ?? 0
    this.#stream = stream
    this.#colors = picocolors.createColors(options.color && stream.isTTY === true)
  }

  start(total: number): void {
    this.#counts = { ...countVerdicts(), skipped: this.#skipped }
    this.#done = this.#skipped
    this.#total = total + this.#skipped
    if (this.#stream.isTTY) this.#rewrite('')
  }

  add(result: Pick<RequirementResult, 'requirement' | 'verdict'>): void {
    const deviation = result.verdict === 'fail' && this.#deviations.get(result.requirement)
    const verdict = deviation || result.verdict
    const quarterBefore = this.#quarter()
    this.#counts[verdict] += 1
    this.#done += 1
    const requirement = printableLine(result.requirement)
    if (this.#stream.isTTY) {
      this.#rewrite(requirement)
      return
    }
    if (verdict === 'fail') this.#stream.write(`failed: ${requirement}\n`)
    if (this.#quarter() > quarterBefore) {
      this.#stream.write(`${this.#position()} ${verdictCountsText(this.#counts)}\n`)
    }
  }

  finish(): void {
    if (this.#stream.isTTY) this.#stream.write(eraseLine)
  }

  #quarter(): number {
    return Math.floor((4 * this.#done) / this.#total)
  }

  #position(): string {
    const total = String(this.#total)
    return `[ ${String(this.#done).padStart(total.length)}/${total} ]`
  }

  #rewrite(current: string): void {
    // A line as wide as the terminal would wrap on some terminals.
    const width = (this.#stream.columns || 80) - 1
    const plain = `${this.#position()} ${verdictCountsText(this.#counts)}`
    const room = width - plain.length - 1
    const counts = verdictCountsText(this.#counts, verdictPaint(this.#colors))
    const whole = `${this.#position()} ${counts} ${this.#colors.dim(truncate(current, room))}`
    this.#stream.write(`${eraseLine}${room < 0 ? truncate(plain, width) : whole}`)
  }
}
