import { resolve } from 'node:path'
import type { Command } from 'commander'
import { isMissing, readingProblem } from '../environment/read-file.ts'
import { counted } from '../reports/format.ts'
import { printableJson } from '../reports/printable.ts'
import { historyText } from '../runs/history/format.ts'
import { type History, readHistory } from '../runs/history/history.ts'
import { reviewHistory } from '../runs/history/trends.ts'
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

/** Prints what a history tells of each target. Needs no configuration and sends nothing. */
export async function action(options: HistoryOptions, context: CliContext): Promise<number> {
  const { directory, errors, redactor } = context
  const { history: name, last, format } = options
  let read: History
  try {
    read = readHistory(resolve(directory, name))
  } catch (error) {
    const hint = isMissing(error) ? ': "plumbline run --history FILE" writes it' : ''
    throw new UsageError(`history: ${name} ${readingProblem(error)}${hint}.`)
  }
  const { lines, leftOut } = read
  if (leftOut.length > 0) {
    const what = `${counted(leftOut.length, 'line', 'lines')} of no run, or only a part of one`
    const text = `history: ${name}: left out ${what}, from line ${leftOut[0]} on.\n`
    errors.write(safeForTerminal(text, redactor))
  }
  if (lines.length === 0) throw new UsageError(`history: ${name} has no run.`)
  const reviews = reviewHistory(lines, last)
  const text =
    format === 'json'
      ? `${printableJson({ schema: 1, last, targets: reviews })}\n`
      : historyText(reviews, { last, ...terminalOptions(context) })
  writeOutput(redactor.redact(text), context)
  return 0
}

export const define = (command: Command) =>
  command
    .option('--history <file>', 'the file that runs were added to', 'history.ndjson')
    .option(
      '--last <number>',
      'how many runs to look at for what is flaky, and to list',
      wholeNumber(1, 1_000_000),
      30,
    )
    .addOption(formatOption('for people, or for programs', ['text', 'json']))
