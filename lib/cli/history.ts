import { resolve } from 'node:path'
import type { Command } from 'commander'
import { styleOf } from '../reports/terminal-document.ts'
import { type History, readHistory } from '../runs/history/history.ts'
import { historyText } from '../runs/history/history-text.ts'
import { counted } from '../text/quantities.ts'
import { readingProblem } from '../text/read-file.ts'
import { type CliContext, safeForTerminal, UsageError, writeOutput } from './context.ts'

/** Prints the history of each target. Needs no configuration and sends nothing. */
export async function action({ history: name }: { history: string }, context: CliContext) {
  const { directory, errors, redactor } = context
  let read: History
  try {
    read = readHistory(resolve(directory, name))
  } catch (error) {
    throw new UsageError(`history: ${name} ${readingProblem(error)}.`)
  }
  const { lines, invalidLines } = read
  if (invalidLines.length > 0) {
    const count = counted(invalidLines.length, 'invalid line', 'invalid lines')
    const text = `history: ${name}: skipped ${count}, from line ${invalidLines[0]} on.\n`
    errors.write(safeForTerminal(text, redactor))
  }
  if (lines.length === 0) throw new UsageError(`history: ${name} has no run.`)
  writeOutput(redactor.redact(historyText(lines, styleOf(context))), context)
  return 0
}

export const define = (command: Command) =>
  command.option('--history <file>', 'history file', 'history.ndjson')
