import { Command, CommanderError } from 'commander'
import type { CliContext } from './context.ts'
import { complainOfDefects, ownWordsForTerminal, UsageError, version } from './context.ts'
import { envFileOption, type Finish, refuseOptionsTakenByNpm } from './options.ts'

const USAGE_STATUS = 2
const DEFECT_STATUS = 3

/** In the order in which help lists them. Each is loaded where it is asked for. */
const commands: Record<string, () => Promise<(finish: Finish, context: CliContext) => Command>> = {
  run: async () => (await import('./run.ts')).runCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  requirements: async () => (await import('./requirements.ts')).requirementsCommand,
  reference: async () => (await import('./reference.ts')).referenceCommand,
  prove: async () => (await import('./prove.ts')).proveCommand,
  compare: async () => (await import('./compare.ts')).compareCommand,
  merge: async () => (await import('./merge.ts')).mergeCommand,
  provision: async () => (await import('./provision.ts')).provisionCommand,
  waive: async () => (await import('./waive.ts')).waiveCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  sweep: async () => (await import('./sweep.ts')).sweepCommand,
}

/** How a command is used, and where more is told: what stands below the error of a command line. */
function helpAfterError(command: Command): string {
  const name = command.parent === null ? '' : `${command.name()} `
  return `Usage: ${command.createHelp().commandUsage(command)}\n"plumbline ${name}--help" tells more.`
}

/**
 * Does what the words of a command line say. What is wrong with them is told on the errors of the
 * context.
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
  const [first = '', ...others] = words
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined
  for (const load of named === undefined ? Object.values(commands) : [named]) {
    program.addCommand((await load())(finish, context).addOption(envFileOption()))
  }
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
    const [only] = program.commands
    if (named !== undefined && only !== undefined) {
      refuseOptionsTakenByNpm(only, others, environment)
    }
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    if (error instanceof UsageError) {
      errors.write(ownWordsForTerminal(`plumbline: ${error.message}\n`, redactor))
      return USAGE_STATUS
    }
    complainOfDefects([error], context)
    return DEFECT_STATUS
  }
}
