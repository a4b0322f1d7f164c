import { Command, CommanderError } from 'commander'
import { compareCommand } from './compare.ts'
import type { CliContext } from './context.ts'
import { UsageError, version } from './context.ts'
import { doctorCommand } from './doctor.ts'
import { historyCommand } from './history.ts'
import { mergeCommand } from './merge.ts'
import { refuseOptionsTakenByNpm } from './npm.ts'
import { envFileOption, type Finish } from './options.ts'
import { fatalText, ownWordsForTerminal } from './output.ts'
import { proveCommand } from './prove.ts'
import { provisionCommand } from './provision.ts'
import { referenceCommand } from './reference.ts'
import { requirementsCommand } from './requirements.ts'
import { runCommand } from './run.ts'
import { sweepCommand } from './sweep.ts'
import { waiveCommand } from './waive.ts'

const USAGE_STATUS = 2
const DEFECT_STATUS = 3

/** How a command is used, and where more is told: what stands below the error of a command line. */
function helpAfterError(command: Command): string {
  const name = command.parent === null ? '' : `${command.name()} `
  return `Usage: ${command.createHelp().commandUsage(command)}\n"plumbline ${name}--help" tells more.`
}

const commands = [
  runCommand,
  doctorCommand,
  requirementsCommand,
  referenceCommand,
  proveCommand,
  compareCommand,
  mergeCommand,
  provisionCommand,
  waiveCommand,
  historyCommand,
  sweepCommand,
]

/** All commands, in the order in which help lists them. */
function commandsOf(finish: Finish, context: CliContext): Command[] {
  return commands.map((command) => command(finish, context).addOption(envFileOption()))
}

/**
 * Does what the words of a command line say. What is wrong with them is told on the errors of the
 * context.
 *
 * @returns the exit status
 */
export async function runCommandLine(
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const { environment, output, errors, redactor } = context
  let status = 0
  const finish = async (outcome: Promise<number>) => {
    status = await outcome
  }
  const program = new Command('plumbline')
    .description(
      'Probes a live deployment of code hosting, event publishing and incident status services ' +
        'and tells, statement by statement, whether it does what their documents say.',
    )
    .version(version)
    .addHelpText(
      'after',
      '\nExit status: 0 conformant, 1 a requirement failed, 2 the configuration or the command\n' +
        'line is wrong, 3 no failure but something got no verdict.',
    )
  for (const command of commandsOf(finish, context)) program.addCommand(command)
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError(helpAfterError(command))
      .configureOutput({
        outputError: (text, write) => write(text.replace(/^error: /, 'plumbline: ')),
        writeOut: (text) => output.write(text),
        writeErr: (text) => errors.write(ownWordsForTerminal(text, redactor)),
      })
  }
  try {
    const [first, ...others] = words
    const named = program.commands.find((command) => command.name() === first)
    if (named !== undefined) refuseOptionsTakenByNpm(named, others, environment)
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    if (error instanceof UsageError) {
      errors.write(ownWordsForTerminal(`plumbline: ${error.message}\n`, redactor))
      return USAGE_STATUS
    }
    errors.write(fatalText(error, redactor))
    return DEFECT_STATUS
  }
}
