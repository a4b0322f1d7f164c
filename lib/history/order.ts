import type { HistoryLine } from './line.ts'

/** A line by its number in a file. */
export interface NumberedLine {
  line: HistoryLine
  number: number
}

/** A run that claims to have taken longer had its clock put right on the way. */
const longestRunMs = 86_400_000

/** Clocks of two machines may differ by some minutes. */
const toleranceMs = 300_000

function startOf({ startedAt }: HistoryLine): number {
  return Date.parse(startedAt)
}

/** Whether a run had begun before another, and was under way when that one began. */
function wasUnderWay(run: HistoryLine, other: HistoryLine): boolean {
  const [start, end] = [startOf(run), Date.parse(run.finishedAt)]
  return start < startOf(other) && startOf(other) <= end && end - start <= longestRunMs
}

/**
 * The runs of a history in the order in which they began.
 *
 * A file has them in the order in which they ended, which no wrong clock changes. Their times count
 * only among runs that took place at once: one line of a clock that was years ahead would otherwise
 * be the last run for years, and hide every change after it.
 */
export function inOrderOfRuns(lines: readonly HistoryLine[]): HistoryLine[] {
  const ordered: HistoryLine[] = []
  for (const line of lines) {
    const before = ordered.findLastIndex((other) => !wasUnderWay(line, other))
    ordered.splice(before + 1, 0, line)
  }
  return ordered
}

/** Whether a run began in the future, beyond what clocks of two machines differ by. */
export function beganInFuture(line: HistoryLine, now: number): boolean {
  return startOf(line) > now + toleranceMs
}

/**
 * Numbers of the lines whose times and places in the file disagree, so that a reader can look.
 *
 * @param now milliseconds since 1970
 */
export function misdatedLines(
  lines: readonly NumberedLine[],
  now: number,
): { future: number[]; behind: number[] } {
  const future = lines.filter(({ line }) => beganInFuture(line, now))
  const behind: number[] = []
  let latest = Number.NEGATIVE_INFINITY
  for (const { line, number } of lines) {
    if (beganInFuture(line, now)) continue
    // Of two runs at once, the one that began first may end last, by as much as a run lasts.
    if (startOf(line) < latest - longestRunMs) behind.push(number)
    latest = Math.max(latest, startOf(line))
  }
  return { future: future.map(({ number }) => number), behind }
}
