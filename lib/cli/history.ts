import { resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { printableSentence } from '../reports/printable.ts'
import { systemReason } from '../target/system-reason.ts'
import { safeForTerminal } from './defects.ts'
import { envFileOption } from './options.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { terminalOptions } from './terminal-options.ts'
import { UsageError } from './usage-error.ts'

const formats = ['text', 'json'] as const

export interface HistoryOptions {
  history: string
  last: number
  format: (typeof formats)[number]
}

const shownLines = 5

const clockQuestion = ' Was a clock wrong? Runs are told in the order of their lines.'

/** `line 3`, `lines 3, 4`; of many, the first. */
function linesText(numbers: readonly number[]): string {
  const more = numbers.length > shownLines ? ` and ${numbers.length - shownLines} more` : ''
  const shown = numbers.slice(0, shownLines).join(', ')
  return `${numbers.length === 1 ? 'line' : 'lines'} ${shown}${more}`
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('It must be a whole number, at least 1.')
  }
  return number
}

/**
 * Prints what a history tells of each target. Needs no configuration and sends nothing.
 *
 * @returns the exit status
 * @throws UsageError for a file that cannot be read or has no run
 */
export async function history(
  options: HistoryOptions,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const { readHistory } = await import('../upgrade/history-file.ts')
  const { reviewHistory } = await import('../upgrade/history-review.ts')
  const { historyJson, historyText } = await import('../upgrade/history-text.ts')
  const { directory, environment, errors, output, redactor } = surroundings
  const name = printableSentence(options.history)
  const read = () => {
    try {
      return readHistory(resolve(directory, options.history))
    } catch (error) {
      throw new UsageError(
        `history: ${name} cannot be read: ${systemReason(error)}. "plumbline run --history FILE" writes it.`,
      )
    }
  }
  const { lines, damaged, later, future, behind } = read()
  const tell = (what: string, numbers: readonly number[], question = '') => {
    if (numbers.length === 0) return
    const text = `history: ${name}: ${what}: ${linesText(numbers)}.${question}\n`
    errors.write(safeForTerminal(text, redactor))
  }
  tell('left out what is no run, or only a part of one', damaged)
  tell('left out what a later version of Plumbline wrote', later)
  tell('began in the future', future, clockQuestion)
  tell('began more than a day before an earlier line', behind, clockQuestion)
  if (lines.length === 0) throw new UsageError(`history: ${name} has no run.`)
  const reviews = reviewHistory(lines, options.last)
  const { last } = options
  const written = {
    text: () => historyText(reviews, { last, ...terminalOptions(surroundings) }),
    json: () => historyJson(reviews, last),
  }[options.format]()
  const text = redactor.redact(written)
  // On GitHub Actions the lines of the output can be commands.
  output.write(environment.GITHUB_ACTIONS === 'true' ? withoutWorkflowCommands(text) : text)
  return 0
}

export function historyCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('history')
    .description('tell from the history of a deployment since when what fails, and what is flaky')
    .option('--history <file>', 'the file that runs were added to', 'history.ndjson')
    .addOption(
      new Option('--last <number>', 'how many runs to look at for what is flaky, and to list')
        .argParser(wholeNumber)
        .default(30),
    )
    .addOption(
      new Option('--format <format>', 'for people, or for programs')
        .choices(formats)
        .default('text'),
    )
    .addOption(envFileOption())
    .addHelpText('after', '\nExit status: 0 it was told, 2 the file cannot be read or has no run.')
    .action((options: HistoryOptions) => finish(history(options, surroundings)))
}
