import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatCommand } from '../reports/report-text.ts'
import { lineRows, type TerminalLine } from '../reports/terminal-document.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { coverageText, runVerdictLabels, verdictCountsText } from '../reports/verdict-labels.ts'
import { toServiceName } from '../results/ids.ts'
import { addressOf } from '../results/snapshot.ts'
import { displayVerdict } from '../results/verdict.ts'
import {
  byTarget,
  failingSince,
  type History,
  type HistoryLine,
  readHistory,
} from '../runs/history/history.ts'
import { counted, utcTime } from '../text/quantities.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import {
  type CliContext,
  safeForTerminal,
  terminalOptions,
  UsageError,
  writeOutput,
} from './context.ts'

const MAX_SHOWN_RUNS = 30

/** Returns the rows of a table with aligned columns. */
function tableRows(titles: readonly string[], cells: readonly (readonly string[])[]) {
  const table = [titles, ...cells]
  const widths = titles.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table.map((row, index): TerminalLine => {
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    return { row: `  ${padded.join('  ')}`.trimEnd(), ...(index === 0 && { color: 'dim' }) }
  })
}

/** Returns the failures of a target with the runs since which they fail, and its last runs. */
function targetLines({ target, runs }: ReturnType<typeof byTarget>[number]): TerminalLine[] {
  const failing = [...failingSince(runs)].map(([id, { startedAt, run }]) => {
    return [id, utcTime(startedAt), run]
  })
  const runCells = (line: HistoryLine) => [
    utcTime(line.startedAt),
    runVerdictLabels[displayVerdict(line)],
    `${line.status}`,
    `${coverageText(line.coverage)}${line.selection ? ', selection' : ''}`,
    verdictCountsText(line.counts),
    line.run,
  ]
  const shown = runs.slice(-MAX_SHOWN_RUNS).reverse()
  return [
    ...Object.entries(target).map(([service, place]): TerminalLine => {
      return ['', `${toServiceName(service)}: ${addressOf(place)}`, 'bold']
    }),
    ...(failing.length === 0 ? [] : tableRows(['fails', 'since', 'run'], failing)),
    '',
    ['', `${counted(runs.length, 'run')}, the last first`, 'bold'],
    ...tableRows(
      ['started', 'verdict', 'status', 'judged', 'requirements', 'run'],
      shown.map(runCells),
    ),
    '',
  ]
}

/** Prints the history of each target. Needs no configuration and sends nothing. */
export async function action(
  { history: name }: { history: string },
  context: CliContext,
): Promise<number> {
  const { directory, errors, redactor } = context
  let read: History
  try {
    read = readHistory(resolve(directory, name))
  } catch (error) {
    const hint = isMissing(error)
      ? `: "${formatCommand('run --history FILE', context.program)}" writes it`
      : ''
    throw new UsageError(`history: ${name} ${readingProblem(error)}${hint}.`)
  }
  const { lines, invalidLines } = read
  if (invalidLines.length > 0) {
    const count = counted(invalidLines.length, 'invalid line', 'invalid lines')
    const text = `history: ${name}: skipped ${count}, from line ${invalidLines[0]} on.\n`
    errors.write(safeForTerminal(text, redactor))
  }
  if (lines.length === 0) throw new UsageError(`history: ${name} has no run.`)
  const rows = lineRows(
    byTarget(lines).flatMap(targetLines),
    terminalStyle(terminalOptions(context)),
  )
  writeOutput(redactor.redact(`${rows.join('\n')}`), context)
  return 0
}

export const define = (command: Command) =>
  command.option('--history <file>', 'history file', 'history.ndjson')
