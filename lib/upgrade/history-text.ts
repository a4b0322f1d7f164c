import type { Verdict } from '../conformance/result.ts'
import { printableLine, printableSentence } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { hanging, heading, type TerminalStyle, terminalStyle } from '../reports/terminal-style.ts'
import { verdictCountsText, verdictWords } from '../reports/verdict-counts.ts'
import type { FlakyRow, RunReference, Streak, TargetReview } from './history-review.ts'

const margin = '      '
const shownFlips = 4

const timestamp = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/

/** `2026-02-03 02:59 UTC`. */
function timeText(time: string): string {
  const [, day, clock] = timestamp.exec(time) ?? []
  return day === undefined ? printableSentence(time) : `${day} ${clock} UTC`
}

function runText({ run, startedAt }: RunReference): string {
  return `${timeText(startedAt)} (run ${printableSentence(run)})`
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
      : `${earlierWords[before.verdict]} ${timeText(before.startedAt)}`
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
        `${timeText(startedAt)} ${verdictWords[from]} → ${verdictWords[to]}`,
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

function lastRuns({ runs }: TargetReview, last: number, style: TerminalStyle): string[] {
  const shown = runs.slice(-last).reverse()
  return [
    ...heading('Last runs', shown.length, style.colors.bold),
    ...shown.map(({ startedAt, verdict, counts, status, run }) => {
      const paint =
        status === 0 ? style.colors.green : status === 1 ? style.colors.red : style.colors.yellow
      return `  ${timeText(startedAt)}  ${paint(`${verdict.padEnd(13)} ${status}`)}  ${verdictCountsText(counts)}  ${style.colors.dim(printableSentence(run))}`
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
    `${counted(review.runs.length, 'run', 'runs')} from ${timeText(review.runs[0]?.startedAt ?? '')} to ${timeText(review.runs.at(-1)?.startedAt ?? '')}`,
    ...streaks('Failing', review.failing, colors.red),
    ...streaks('Without a verdict', review.inconclusive, colors.yellow),
    ...(review.flaky.length === 0
      ? []
      : [
          ...heading(
            `Flaky in the last ${counted(Math.min(last, review.runs.length), 'run', 'runs')}`,
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
