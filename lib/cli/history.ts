import { resolve } from 'node:path'
import type { Command } from 'commander'
import { formatCommand } from '../reports/report-text.ts'
import { type History, readHistory } from '../runs/history/history.ts'
import { historyText } from '../runs/history/history-text.ts'
import { reviewHistory } from '../runs/history/trends.ts'
import { printableJson } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import {
  type CliContext,
  safeForTerminal,
  terminalOptions,
  UsageError,
  writeOutput,
} from './context.ts'
import { formatOption, wholeNumber } from './options.ts'

export interface HistoryOptions {
  history: string
  last: number
  format: 'text' | 'json'
}

/** Prints the history of each target. Needs no configuration and sends nothing. */
export async function action(options: HistoryOptions, context: CliContext): Promise<number> {
  const { directory, errors, redactor } = context
  const { history: name, last, format } = options
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
  const reviews = reviewHistory(lines, last)
  const text =
    format === 'json'
      ? `${printableJson({ schema: 2, last, targets: reviews })}\n`
      : historyText(reviews, { last, ...terminalOptions(context) })
  writeOutput(redactor.redact(text), context)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--history <file>', 'history file', 'history.ndjson')
    .option(
      '--last <number>',
      'number of runs to list and to search for flaky requirements',
      wholeNumber(1, 1_000_000),
      30,
    )
    .addOption(formatOption('for people, or for programs', ['text', 'json']))
