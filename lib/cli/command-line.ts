import { Command, CommanderError } from 'commander'
import type { CliContext } from './context.ts'
import { complainOfDefects, ownWordsForTerminal, UsageError, version } from './context.ts'
import { type Finish, refuseOptionsTakenByNpm } from './options.ts'

const USAGE_STATUS = 2
const DEFECT_STATUS = 3

type Define = (command: Command, finish: Finish, context: CliContext) => Command

/**
 * In the order in which help lists them: what each does, what its exit statuses mean, and what has its
 * options and its action, which is loaded where it is named.
 */
const commands: Record<string, [what: string, statuses: string, load: () => Promise<Define>]> = {
  run: [
    'probe the deployment that the environment describes, and report',
    '0 conformant, 1 a requirement failed, or a waiver or a recorded observation fails the\n' +
      'run, 2 the configuration or the command line is wrong and nothing was sent, 3 no failure but\n' +
      'something got no verdict, nothing was judged, the run was interrupted, or its reports could not\n' +
      'be written.',
    async () => (await import('./run.ts')).runCommand,
  ],
  doctor: [
    'say before a run, with GETs alone, what is configured, what answers, and which requirements ' +
      'a run would judge',
    '0 a run makes sense, 2 the configuration is wrong or a run would judge nothing,\n' +
      '3 a service does not answer, or refuses its credentials.',
    async () => (await import('./doctor.ts')).doctorCommand,
  ],
  requirements: [
    'list the statements of the documents and what judges each',
    '0 they were listed, 2 a pattern names nothing or the command line is wrong.',
    async () => (await import('./requirements.ts')).requirementsCommand,
  ],
  reference: [
    'serve the reference deployment and print an environment file for it',
    '0 it was served until it was stopped, 2 the command line is wrong, 3 the file could\n' +
      'not be written.',
    async () => (await import('./reference.ts')).referenceCommand,
  ],
  prove: [
    'run the suites against the reference deployment with each fault, as each variant and without ' +
      'each need: a fault fails exactly the requirements that it breaks, a variant none, and for ' +
      'want of a need exactly those are skipped that declare it',
    '0 all did what they have to, 1 otherwise, 2 the command line is wrong.',
    async () => (await import('./prove.ts')).proveCommand,
  ],
  compare: [
    'tell what two runs have different, such as one before and one after an upgrade',
    '0 nothing got worse, 1 a requirement is newly failing or newly without a\n' +
      'verdict, 2 a file is no report, 3 nothing was judged in both reports, or something that\n' +
      'was judged before was not looked at after: its service was not probed, it was not\n' +
      'selected, or it is not in the report. 1 wins over 3.',
    async () => (await import('./compare.ts')).compareCommand,
  ],
  merge: [
    'put the reports of several deployments side by side on one page',
    'the worst of the runs; 0 all conformant, 1 a run failed, 2 a file is no report\n' +
      'or the page would replace something else, 3 no failure but a run without a verdict, or a\n' +
      'missing report that is allowed.',
    async () => (await import('./merge.ts')).mergeCommand,
  ],
  provision: [
    'make accounts and repositories on a staging server, for full coverage of the code hosting ' +
      'service, and print an environment file for them',
    '0 done, 1 the server refused something, 2 the configuration or the command line\n' +
      'is wrong and nothing was sent, 3 it was stopped or the server could not be reached.',
    async () => (await import('./provision.ts')).provisionCommand,
  ],
  waive: [
    'take what failed in the last run for a known deviation, for a time',
    '0 the entries were written, 2 there is nothing to waive or the command line or\n' +
      'a file is wrong, 3 the file could not be written.',
    async () => (await import('./waive.ts')).waiveCommand,
  ],
  history: [
    'tell from the history of a deployment since when what fails, and what is flaky',
    '0 it was told, 2 the file cannot be read or has no run.',
    async () => (await import('./history.ts')).historyCommand,
  ],
  sweep: [
    'delete what runs that were killed have left behind, by their ledgers',
    '0 nothing is left, 2 the configuration or the command line is wrong, 3 something is\nleft.',
    async () => (await import('./sweep.ts')).sweepCommand,
  ],
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
  for (const [name, [what, statuses, load]] of Object.entries(commands)) {
    const command = program.command(name).description(what)
    if (words.includes(name)) (await load())(command, finish, context)
    command
      .option('--env-file <file>', 'read variables from this file instead of .env')
      .addHelpText('after', `\nExit status: ${statuses}`)
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
    complainOfDefects([error], context)
    return DEFECT_STATUS
  }
}
