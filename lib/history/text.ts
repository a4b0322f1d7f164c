import type { Verdict } from '../conformance/result.ts'
import { printableLine, printableSentence } from '../reports/printable.ts'
import { counted, utcTime } from '../reports/run-words.ts'
import {
  hanging,
  heading,
  type Paint,
  type TerminalStyle,
  terminalStyle,
} from '../reports/terminal-style.ts'
import { verdictCountsText, verdictWords } from '../reports/verdict-counts.ts'
import type { HistoryLine } from './history.ts'
import type { FlakyRow, RunReference, Streak, TargetReview } from './review.ts'

const margin = '      '
const shownFlips = 4
const plain: Paint = (text) => text

function runText({ run, startedAt }: RunReference): string {
  return `${utcTime(startedAt)} (run ${printableSentence(run)})`
}

/** What the row did before, in a sentence that names the run. */
const earlierWords: Record<Verdict, string> = {
  pass: 'it passed last',
  fail: 'it failed last',
  inconclusive: 'it got no verdict last',
  skipped: 'it was skipped last',
  waived: 'it was waived last',
  advisory: 'it was advisory last',
}

function streakRows({ requirement, since, runs, before }: Streak, style: TerminalStyle): string[] {
  const told =
    before === undefined
      ? 'as far back as the history goes'
      : `${earlierWords[before.verdict]} ${utcTime(before.startedAt)}`
  return [
    ...hanging('  ', printableSentence(requirement), style),
    ...hanging(
      margin,
      `since ${runText(since)}, in ${counted(runs, 'run', 'runs')}; ${told}`,
      style,
      style.colors.dim,
    ),
  ]
}

function flakyRows({ requirement, runs, flips }: FlakyRow, style: TerminalStyle): string[] {
  const shown = flips
    .slice(0, shownFlips)
    .map(
      ({ startedAt, from, to }) =>
        `${utcTime(startedAt)} ${verdictWords[from]} → ${verdictWords[to]}`,
    )
  const more = flips.length > shown.length ? ', …' : ''
  return [
    ...hanging('  ', printableSentence(requirement), style),
    ...hanging(
      margin,
      `changed ${flips.length} times in ${runs} runs, the last first: ${shown.join(', ')}${more}`,
      style,
      style.colors.dim,
    ),
  ]
}

const runColumns = ['started', 'verdict', 'status', 'requirements', 'run']

function runCells({ startedAt, verdict, status, counts, run }: HistoryLine): string[] {
  return [
    utcTime(startedAt),
    verdict,
    String(status),
    verdictCountsText(counts),
    printableSentence(run),
  ]
}

function paintOf(status: number, { colors }: TerminalStyle): Paint {
  if (status === 0) return colors.green
  return status === 1 ? colors.red : colors.yellow
}

function lastRuns({ runs }: TargetReview, last: number, style: TerminalStyle): string[] {
  const { bold, dim } = style.colors
  const shown = runs.slice(-last).reverse()
  const table = [runColumns, ...shown.map(runCells)]
  const widths = runColumns.map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  )
  const row = (cells: readonly string[], paints: readonly Paint[] = []) => {
    const padded = cells.map((cell, column) =>
      column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    )
    return `  ${padded.map((cell, column) => paints[column]?.(cell) ?? cell).join('  ')}`
  }
  const reasonMargin = ' '.repeat((widths[0] ?? 0) + 4)
  return [
    ...heading('Last runs', shown.length, bold),
    dim(row(runColumns)),
    ...shown.flatMap((line) => {
      const paint = paintOf(line.status, style)
      const cells = runCells(line)
      const reasons = (line.reasons ?? []).join('; ')
      return [
        row(cells, [plain, paint, paint, plain, dim]),
        ...(reasons === '' ? [] : hanging(reasonMargin, printableSentence(reasons), style, paint)),
      ]
    }),
  ]
}

function targetRows(review: TargetReview, last: number, style: TerminalStyle): string[] {
  const { colors } = style
  const places = new Map<string, string[]>()
  for (const [service, place] of Object.entries(review.target)) {
    places.set(place, [...(places.get(place) ?? []), printableSentence(service)])
  }
  const streaks = (title: string, rows: readonly Streak[], paint: (text: string) => string) =>
    rows.length === 0
      ? []
      : [
          ...heading(title, rows.length, (text) => colors.bold(paint(text))),
          ...rows.flatMap((row) => streakRows(row, style)),
        ]
  return [
    ...[...places].map(([place, services]) =>
      colors.bold(`${printableLine(place)} (${services.join(', ')})`),
    ),
    `${counted(review.runs.length, 'run', 'runs')} from ${utcTime(review.runs[0]?.startedAt ?? '')} to ${utcTime(review.runs.at(-1)?.startedAt ?? '')}`,
    ...streaks('Failing', review.failing, colors.red),
    ...streaks('Without a verdict', review.inconclusive, colors.yellow),
    ...(review.flaky.length === 0
      ? []
      : [
          ...heading(
            `Flaky: changed, and changed back, within the last ${counted(Math.min(last, review.runs.length), 'run', 'runs')}`,
            review.flaky.length,
            colors.bold,
          ),
          ...review.flaky.flatMap((row) => flakyRows(row, style)),
        ]),
    ...lastRuns(review, last, style),
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
