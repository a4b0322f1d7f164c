import { printableLine, printableSentence } from '../reports/printable.ts'
import { counted, utcTime } from '../reports/run-words.ts'
import { hanging, heading, type TerminalStyle, terminalStyle } from '../reports/terminal-style.ts'
import { verdictCountsText, verdictWords } from '../reports/verdict-counts.ts'
import type { HistoryLine } from './history.ts'
import type { TargetReview } from './review.ts'

const margin = '      '
const shownFlips = 4

function streakText({ since, runs, before }: TargetReview['failing'][number]): string {
  const begun = `${utcTime(since.startedAt)} (run ${printableSentence(since.run)})`
  const earlier =
    before === undefined
      ? 'as far back as the history goes'
      : `${verdictWords[before.verdict]} last ${utcTime(before.startedAt)}`
  return `since ${begun}, in ${counted(runs, 'run', 'runs')}; ${earlier}`
}

function flakyText({ runs, flips }: TargetReview['flaky'][number]): string {
  const shown = flips.slice(0, shownFlips).map(({ startedAt, from, to }) => {
    return `${utcTime(startedAt)} ${verdictWords[from]} → ${verdictWords[to]}`
  })
  const more = flips.length > shown.length ? ', …' : ''
  return `changed ${flips.length} times in ${runs} runs, the last first: ${shown.join(', ')}${more}`
}

/** Requirements with what is to be said of each; nothing where there are none. */
function rowsOf<Row extends { requirement: string }>(
  title: string,
  rows: readonly Row[],
  textOf: (row: Row) => string,
  style: TerminalStyle,
): string[] {
  if (rows.length === 0) return []
  return [
    ...heading(title, rows.length, style.colors.bold),
    ...rows.flatMap((row) => [
      ...hanging('  ', printableSentence(row.requirement), style),
      ...hanging(margin, textOf(row), style, style.colors.dim),
    ]),
  ]
}

function runCells({ startedAt, verdict, status, counts, run }: HistoryLine): string[] {
  const requirements = verdictCountsText(counts)
  return [utcTime(startedAt), verdict, String(status), requirements, printableSentence(run)]
}

function lastRuns(runs: readonly HistoryLine[], style: TerminalStyle): string[] {
  const { bold, dim, green, red, yellow } = style.colors
  const titles = ['started', 'verdict', 'status', 'requirements', 'run']
  const table = [titles, ...runs.map(runCells)]
  const widths = titles.map((_, column) => Math.max(...table.map((row) => `${row[column]}`.length)))
  const rowText = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()
  return [
    ...heading('Last runs', runs.length, bold),
    dim(rowText(titles)),
    ...runs.flatMap((line) => {
      const { status, reasons = [] } = line
      const paint = status === 0 ? green : status === 1 ? red : yellow
      return [
        paint(rowText(runCells(line))),
        ...(reasons.length === 0
          ? []
          : hanging(margin, printableSentence(reasons.join('; ')), style, paint)),
      ]
    }),
  ]
}

function targetRows(review: TargetReview, last: number, style: TerminalStyle): string[] {
  const { runs, failing, inconclusive, flaky } = review
  const recent = runs.slice(-last).reverse()
  const within = counted(recent.length, 'run', 'runs')
  const [first, newest] = [runs[0]?.startedAt ?? '', runs.at(-1)?.startedAt ?? '']
  return [
    ...Object.entries(review.target).map(([service, place]) =>
      style.colors.bold(`${printableSentence(service)}: ${printableLine(place)}`),
    ),
    `${counted(runs.length, 'run', 'runs')} from ${utcTime(first)} to ${utcTime(newest)}`,
    ...rowsOf('Failing', failing, streakText, style),
    ...rowsOf('Without a verdict', inconclusive, streakText, style),
    ...rowsOf(
      `Flaky: changed, and changed back, within the last ${within}`,
      flaky,
      flakyText,
      style,
    ),
    ...lastRuns(recent, style),
  ]
}

/** A history as a person reads it, target by target, ending with a line break. */
export function historyText(
  reviews: readonly TargetReview[],
  { last, ...options }: { last: number; color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const parts = reviews.map((review) => targetRows(review, last, style).join('\n'))
  return `${parts.join('\n\n\n')}\n`
}

/** A history as JSON for programs: what `historyText` tells, with the verdicts of every run. */
export function historyJson(reviews: readonly TargetReview[], last: number): string {
  return `${JSON.stringify({ schema: 1, last, targets: reviews }, null, 2)}\n`
}
