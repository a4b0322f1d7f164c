import { abbreviatedIds } from '../../reports/report-text.ts'
import { lineRows, type TerminalLine } from '../../reports/terminal-sections.ts'
import { type TerminalStyle, terminalStyle } from '../../reports/terminal-style.ts'
import {
  coverageText,
  runVerdictLabels,
  runVerdictStyles,
  verdictCountsText,
  verdictLabels,
} from '../../reports/verdict-labels.ts'
import { displayVerdict } from '../../results/verdict.ts'
import { printableLine, printableSentence } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import type { HistoryLine } from './history.ts'
import type { TargetReview } from './trends.ts'

const indent = '      '
const MAX_FLIPS = 4

function streakText({ since, runs, tolerated, before }: TargetReview['failing'][number]): string {
  const begun = `${utcTime(since.startedAt)} (run ${printableSentence(since.run)})`
  const earlier = before
    ? `${verdictLabels[before.verdict]} last ${utcTime(before.startedAt)}`
    : 'as far back as the history goes'
  const other = tolerated === 0 ? '' : `, waived or advisory in ${tolerated}`
  return `since ${begun}, in ${counted(runs, 'run')}${other}; ${earlier}`
}

function flakyText({ runs, flips }: TargetReview['flaky'][number]): string {
  const latest = flips.slice(0, MAX_FLIPS).map(({ startedAt, from, to }) => {
    return `${utcTime(startedAt)} ${verdictLabels[from]} → ${verdictLabels[to]}`
  })
  const more = flips.length > MAX_FLIPS ? ', …' : ''
  return `changed ${flips.length} times in ${runs} runs, the last first: ${latest.join(', ')}${more}`
}

function lastRuns(runs: readonly HistoryLine[], { colors }: TerminalStyle): TerminalLine[] {
  const titles = ['started', 'verdict', 'status', 'judged', 'requirements', 'run']
  const cellsOf = (line: HistoryLine) => [
    utcTime(line.startedAt),
    runVerdictLabels[displayVerdict(line)],
    `${line.status}`,
    `${coverageText(line.coverage)}${line.selection ? ', selection' : ''}`,
    verdictCountsText(line.counts),
    printableSentence(line.run),
  ]
  const table = [titles, ...runs.map(cellsOf)]
  const widths = titles.map((_, column) => Math.max(...table.map((row) => `${row[column]}`.length)))
  const [head = '', ...rows] = table.map((cells) => {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return `  ${padded.join('  ')}`.trimEnd()
  })
  return [
    colors.dim(head),
    ...runs.flatMap((line, index): TerminalLine[] => {
      const { status, reasons = [] } = line
      const { color: good } = runVerdictStyles[displayVerdict(line)]
      const color = status === 0 ? good : status === 1 ? 'red' : 'yellow'
      const reasonText = printableSentence(reasons.join('; ')) || undefined
      return [colors[color](rows[index] ?? ''), [indent, reasonText, color]]
    }),
  ]
}

function list<Row extends { requirement: string }>(
  title: string,
  rows: readonly Row[],
  textOf: (row: Row) => string,
): TerminalLine[] {
  if (rows.length === 0) return []
  const lines = rows.flatMap((row): TerminalLine[] => [
    ['  ', printableSentence(row.requirement)],
    [indent, textOf(row), 'dim'],
  ])
  return ['', ['', `${title} (${rows.length})`, 'bold'], ...lines]
}

function coverageDropLines({ coverageDrop }: TargetReview): TerminalLine[] {
  if (coverageDrop === undefined) return []
  const { since, before, coverage, lost } = coverageDrop
  const begun = `${utcTime(since.startedAt)} (run ${printableSentence(since.run)})`
  const earlier = `${coverageText(before.coverage)} last ${utcTime(before.startedAt)}`
  return [
    '',
    ['', 'Lower coverage than before', 'bold'],
    ['  ', `${coverageText(coverage)} since ${begun}; ${earlier}`, 'yellow'],
    ['  lost: ', printableSentence(abbreviatedIds(lost)) || undefined, 'dim'],
  ]
}

function targetLines(review: TargetReview, last: number, style: TerminalStyle): TerminalLine[] {
  const { runs, failing, inconclusive, flaky } = review
  const recent = runs.slice(-last).reverse()
  const all = counted(runs.length, 'run')
  const within = counted(recent.length, 'run')
  return [
    ...Object.entries(review.target).map(([service, place]): TerminalLine => {
      return ['', `${printableSentence(service)}: ${printableLine(place)}`, 'bold']
    }),
    `${all} from ${utcTime(runs[0]?.startedAt ?? '')} to ${utcTime(runs.at(-1)?.startedAt ?? '')}`,
    ...coverageDropLines(review),
    ...list('Failing', failing, streakText),
    ...list('Without a verdict', inconclusive, streakText),
    ...list(`Flaky: changed, and changed back, within the last ${within}`, flaky, flakyText),
    '',
    ['', `Last runs (${recent.length})`, 'bold'],
    ...lastRuns(recent, style),
  ]
}

export function historyText(
  reviews: readonly TargetReview[],
  { last, ...options }: { last: number; color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const parts = reviews.map((review) =>
    lineRows(targetLines(review, last, style), style).join('\n'),
  )
  return `${parts.join('\n\n\n')}\n`
}
