import type { Command } from 'commander'
import { printableSentence } from '../reports/printable.ts'
import { joinNames } from '../target/problems.ts'
import { invocation } from './invocation.ts'
import { didYouMean } from './nearest.ts'
import { refuseOptionsTakenByNpm } from './npm-options.ts'
import { UsageError } from './usage-error.ts'

/** How a command is used, and where more is told: what stands below the error of a command line. */
export function helpAfterError(command: Command): string {
  const name = command.parent === null ? '' : `${command.name()} `
  return `Usage: ${command.createHelp().commandUsage(command)}\n"plumbline ${name}--help" tells more.`
}

/** The commands that take an option. */
function takersOf(option: string, { commands }: Command): Command[] {
  return commands.filter(({ options }) => options.some(({ long }) => long === option))
}

function names(commands: readonly Command[], conjunction: string): string {
  return joinNames(
    commands.map((command) => command.name()),
    conjunction,
  )
}

/** An option that stands where the command belongs, and is one of commands alone. */
function refuseLeadingOption(program: Command, word: string, environment: NodeJS.ProcessEnv): void {
  const [option = ''] = word.split('=')
  const takers = takersOf(option, program)
  const [first] = takers
  if (first === undefined || program.options.some(({ long }) => long === option)) return
  throw new UsageError(
    `${option} stands behind a command, which is ${names(takers, 'or')}: ` +
      `${invocation(first.name(), environment)} ${option}`,
  )
}

/** An option that other commands take, and this one does not. */
function refuseOptionsOfOthers(program: Command, command: Command, words: readonly string[]): void {
  const end = words.indexOf('--')
  for (const word of end < 0 ? words : words.slice(0, end)) {
    const [option = ''] = word.split('=')
    const takers = option.startsWith('--') ? takersOf(option, program) : []
    if (takers.length === 0 || takers.includes(command)) continue
    throw new UsageError(
      `${command.name()} takes no ${option}, which is an option of ${names(takers, 'and')}. ` +
        `"plumbline ${command.name()} --help" tells more.`,
    )
  }
}

/** The parser says nothing of a command that there is not when help is asked for. */
function refuseUnknownHelp(program: Command, word: string): void {
  const known = program.commands.map((command) => command.name())
  if (known.includes(word) || word === 'help' || word.startsWith('-')) return
  throw new UsageError(
    `there is no command ${printableSentence(word)}.${didYouMean(word, known)} ` +
      '"plumbline --help" lists all of them.',
  )
}

/**
 * Looks at the words of a command line for slips of which the parser would tell little, or nothing.
 *
 * @throws UsageError for the first of them
 */
export async function refuseMisplacedWords(
  program: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const [first, ...others] = words
  if (first === undefined) return
  if (first.startsWith('--')) refuseLeadingOption(program, first, environment)
  if (first === 'help' && others[0] !== undefined) refuseUnknownHelp(program, others[0])
  const command = program.commands.find((candidate) => candidate.name() === first)
  if (command === undefined) return
  await refuseOptionsTakenByNpm(command, others, environment)
  refuseOptionsOfOthers(program, command, others)
}
