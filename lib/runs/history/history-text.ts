import { lineRows, type TerminalLine, type TerminalStyle } from '../../reports/terminal-document.ts'
import { coverageText, runVerdictStyles, verdictCountsText } from '../../reports/verdict-labels.ts'
import { toServiceName } from '../../results/ids.ts'
import { displayVerdict } from '../../results/outcome.ts'
import { addressOf } from '../../results/targets.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import { byTarget, failingSince, type HistoryLine } from './history.ts'

const MAX_SHOWN_RUNS = 30

/** Returns the rows of a table with aligned columns, the titles first. */
function tableRows(table: readonly (readonly string[])[]): TerminalLine[] {
  const widthOf = (column: number) => Math.max(...table.map((row) => row[column]?.length ?? 0))
  const widths = (table[0] ?? []).map((_, column) => widthOf(column))
  return table.map((row, index) => {
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return { row: `  ${padded.join('  ')}`.trimEnd(), ...(index === 0 && { color: 'dim' }) }
  })
}

/** Returns the failures of a target with the runs since which they fail, and its last runs. */
function targetLines({ target, runs }: ReturnType<typeof byTarget>[number]): TerminalLine[] {
  const failing = Array.from(failingSince(runs), ([id, { startedAt, run }]) => {
    return [id, utcTime(startedAt), run]
  })
  const runCells = (line: HistoryLine) => [
    utcTime(line.startedAt),
    runVerdictStyles[displayVerdict(line)].label,
    `${line.status}`,
    `${coverageText(line.coverage)}${line.selection ? ', selection' : ''}`,
    verdictCountsText(line.counts),
    line.run,
  ]
  const titles = ['started', 'verdict', 'status', 'judged', 'requirements', 'run']
  const shown = runs.slice(-MAX_SHOWN_RUNS).reverse()
  return [
    ...Object.entries(target).map(([service, place]): TerminalLine => {
      return ['', `${toServiceName(service)}: ${addressOf(place)}`, 'bold']
    }),
    ...(failing.length === 0 ? [] : tableRows([['fails', 'since', 'run'], ...failing])),
    '',
    ['', `${counted(runs.length, 'run')}, the last first`, 'bold'],
    ...tableRows([titles, ...shown.map(runCells)]),
    '',
  ]
}

export function historyText(lines: readonly HistoryLine[], style: TerminalStyle): string {
  return lineRows(byTarget(lines).flatMap(targetLines), style).join('\n')
}
