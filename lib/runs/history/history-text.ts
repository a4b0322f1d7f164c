import {
  indent,
  lineRows,
  sectionLines,
  type TerminalLine,
} from '../../reports/terminal-document.ts'
import { terminalStyle } from '../../reports/terminal-style.ts'
import {
  coverageText,
  runVerdictLabels,
  runVerdictStyles,
  verdictCountsText,
  verdictLabels,
} from '../../reports/verdict-labels.ts'
import { displayVerdict } from '../../results/verdict.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import type { HistoryLine } from './history.ts'
import type { TargetReview } from './trends.ts'

const MAX_FLIPS = 4

function streakText({ since, runs, tolerated, before }: TargetReview['failing'][number]): string {
  const begun = `${utcTime(since.startedAt)} (run ${since.run})`
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

function lastRuns(runs: readonly HistoryLine[]): TerminalLine[] {
  const titles = ['started', 'verdict', 'status', 'judged', 'requirements', 'run']
  const cellsOf = (line: HistoryLine) => [
    utcTime(line.startedAt),
    runVerdictLabels[displayVerdict(line)],
    `${line.status}`,
    `${coverageText(line.coverage)}${line.selection ? ', selection' : ''}`,
    verdictCountsText(line.counts),
    line.run,
  ]
  const table = [titles, ...runs.map(cellsOf)]
  const widths = titles.map((_, column) => Math.max(...table.map((row) => `${row[column]}`.length)))
  const [head = '', ...rows] = table.map((cells) => {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return `  ${padded.join('  ')}`.trimEnd()
  })
  return [
    { row: head, color: 'dim' },
    ...runs.flatMap((line, index): TerminalLine[] => {
      const { status, reasons = [] } = line
      const { color: good } = runVerdictStyles[displayVerdict(line)]
      const color = status === 0 ? good : status === 1 ? 'red' : 'yellow'
      return [{ row: rows[index] ?? '', color }, [indent, reasons.join('; ') || undefined, color]]
    }),
  ]
}

function list<Row extends { requirement: string }>(
  title: string,
  rows: readonly Row[],
  textOf: (row: Row) => string,
): TerminalLine[] {
  const entries = rows.map((row) => {
    return { name: { ids: [row.requirement] }, details: [{ text: textOf(row) }] }
  })
  return sectionLines({ title, entries })
}

function coverageDropLines({ coverageDrop }: TargetReview): TerminalLine[] {
  if (coverageDrop === undefined) return []
  const { since, before, coverage, lost: ids } = coverageDrop
  const begun = `${utcTime(since.startedAt)} (run ${since.run})`
  const earlier = `${coverageText(before.coverage)} last ${utcTime(before.startedAt)}`
  const name = `${coverageText(coverage)} since ${begun}; ${earlier}`
  const details = [{ label: 'lost', text: ids.length > 0 ? { ids } : undefined }]
  return sectionLines({ title: 'Lower coverage', color: 'yellow', entries: [{ name, details }] })
}

function targetLines(review: TargetReview, last: number): TerminalLine[] {
  const { runs, failing, inconclusive, flaky } = review
  const recent = runs.slice(-last).reverse()
  const [first = '', end = ''] = [runs[0], runs.at(-1)].map((one) => utcTime(one?.startedAt ?? ''))
  return [
    ...Object.entries(review.target).map(([service, place]): TerminalLine => {
      return ['', `${service}: ${place}`, 'bold']
    }),
    ['', `${counted(runs.length, 'run')} from ${first} to ${end}`],
    ...coverageDropLines(review),
    ...list('Failing', failing, streakText),
    ...list('Without a verdict', inconclusive, streakText),
    ...list(
      `Flaky: changed, and changed back, within the last ${counted(recent.length, 'run')}`,
      flaky,
      flakyText,
    ),
    '',
    ['', `Last runs (${recent.length})`, 'bold'],
    ...lastRuns(recent),
  ]
}

export function historyText(
  reviews: readonly TargetReview[],
  { last, ...options }: { last: number; color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const parts = reviews.map((review) => lineRows(targetLines(review, last), style).join('\n'))
  return `${parts.join('\n\n\n')}\n`
}
