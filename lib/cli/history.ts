import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { isMissing, readingProblem } from '../environment/bounded-file.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { type CliContext, UsageError } from './context.ts'
import { type Finish, newCommand, wholeNumber } from './options.ts'
import { safeForTerminal, terminalOptions, writeOutput } from './output.ts'

const formats = ['text', 'json'] as const

export interface HistoryOptions {
  history: string
  last: number
  format: (typeof formats)[number]
}

/**
 * Prints what a history tells of each target. Needs no configuration and sends nothing.
 *
 * @returns the exit status
 * @throws UsageError for a file that cannot be read or has no run
 */
export async function history(options: HistoryOptions, context: CliContext): Promise<number> {
  const { readHistory } = await import('../history/history.ts')
  const { reviewHistory } = await import('../history/review.ts')
  const { historyJson, historyText } = await import('../history/text.ts')
  const { directory, errors, redactor } = context
  const name = printableSentence(options.history)
  const read = () => {
    try {
      return readHistory(resolve(directory, options.history))
    } catch (error) {
      const hint = isMissing(error) ? ': "plumbline run --history FILE" writes it' : ''
      throw new UsageError(`history: ${name} ${readingProblem(error)}${hint}.`)
    }
  }
  const { lines, leftOut } = read()
  if (leftOut.length > 0) {
    const what = `${counted(leftOut.length, 'line', 'lines')} of no run, or only a part of one`
    const text = `history: ${name}: left out ${what}, from line ${leftOut[0]} on.\n`
    errors.write(safeForTerminal(text, redactor))
  }
  if (lines.length === 0) throw new UsageError(`history: ${name} has no run.`)
  const reviews = reviewHistory(lines, options.last)
  const { last } = options
  const written = {
    text: () => historyText(reviews, { last, ...terminalOptions(context) }),
    json: () => historyJson(reviews, last),
  }[options.format]()
  writeOutput(redactor.redact(written), context)
  return 0
}

export function historyCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'history',
    'tell from the history of a deployment since when what fails, and what is flaky',
    '0 it was told, 2 the file cannot be read or has no run.',
  )
    .option('--history <file>', 'the file that runs were added to', 'history.ndjson')
    .addOption(
      new Option('--last <number>', 'how many runs to look at for what is flaky, and to list')
        .argParser(wholeNumber(1, 1_000_000))
        .default(30),
    )
    .addOption(
      new Option('--format <format>', 'for people, or for programs')
        .choices(formats)
        .default('text'),
    )
    .action((options: HistoryOptions) => finish(history(options, context)))
}
