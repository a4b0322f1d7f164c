import { Command, CommanderError } from 'commander'
import { joinNames } from '../environment/errors.ts'
import type { CliContext } from './context.ts'
import {
  DEFECT_STATUS,
  logInternalErrors,
  terminalMessage,
  UsageError,
  version,
} from './context.ts'
import { refuseOptionsTakenByNpm } from './options.ts'
import { catalogues } from './services.ts'

const USAGE_STATUS = 2

const served = catalogues.map(({ service }) => service.replaceAll('-', ' '))

interface CommandModule {
  /** Adds arguments and options. */
  define: (command: Command) => Command
  /** Is handed the arguments, the options and the context. @returns the exit status */
  action: (...handed: never[]) => number | Promise<number>
}

/**
 * In the order in which help lists them, with their arguments: what each does, what its exit statuses
 * mean, examples of what follows its name, and its module, which is loaded where it is named.
 */
const commands: Record<
  string,
  [what: string, statuses: string, examples: readonly string[], () => Promise<CommandModule>]
> = {
  run: [
    'probe the deployment that the environment describes, and report',
    '0 no failure found, 1 a requirement failed, or a waiver or a recorded observation fails the\n' +
      'run, 2 the configuration or the command line is wrong and nothing was sent, 3 no failure but\n' +
      'something got no verdict, nothing was judged or fewer than --min-judged asks for, the run was\n' +
      'interrupted, or its reports could not be written.',
    [
      '--requirement pagination',
      '--env-file staging.env --no-embedded --min-judged 50% --waivers waivers.yaml',
      '--quiet --format json > run.json',
      '--fault missing-repository-answered-with-403',
    ],
    () => import('./run.ts'),
  ],
  doctor: [
    'say before a run, with GETs alone, what is configured, what answers, and which requirements ' +
      'a run would judge',
    '0 a run makes sense, 2 the configuration is wrong or a run would judge nothing,\n' +
      '3 a service does not answer, or refuses its credentials, or the file could not be written.',
    ['--write .env', '--env-file staging.env --format json'],
    () => import('./doctor.ts'),
  ],
  requirements: [
    'list the statements of the documents and what judges each',
    '0 they were listed, 2 a pattern names nothing or the command line is wrong.',
    ['--requirement tokens', "--requirement '*/*/link-*' --format json"],
    () => import('./requirements.ts'),
  ],
  reference: [
    'serve the reference deployment and print an environment file for it',
    '0 it was served until it was stopped, 2 the command line is wrong, 3 the file could\n' +
      'not be written.',
    ['--output reference.env', "--list 'link-*'"],
    () => import('./reference.ts'),
  ],
  prove: [
    'run the suites against the reference deployment with each fault, as each variant and without ' +
      'each need: a fault fails exactly the requirements that it breaks, a variant none, and for ' +
      'want of a need exactly those are skipped that declare it',
    '0 all did what they have to, 1 otherwise, 2 the command line is wrong.',
    ["--fault 'link-*' --variant 'link-*'", "--need 'without other account'"],
    () => import('./prove.ts'),
  ],
  'compare <before> <after>': [
    'tell what two runs have different, such as one before and one after an upgrade',
    '0 nothing got worse, 1 a requirement is newly failing or newly without a\n' +
      'verdict, 2 a file is no report, 3 nothing was judged in both reports, or something that\n' +
      'was judged before was not looked at after: its service was not probed, it was not\n' +
      'selected, or it is not in the report. 1 wins over 3.',
    ['reports/before reports/after', 'before.json after.json --format markdown'],
    () => import('./compare.ts'),
  ],
  'merge <report...>': [
    'put the reports of several deployments side by side on one page',
    'the worst of the runs; 0 no failure found in any, 1 a run failed, 2 a file is no report\n' +
      'or the page would replace something else, 3 no failure but a run without a verdict, or a\n' +
      'missing report that is allowed.',
    ['fleet/*/report.json --output fleet/index.html'],
    () => import('./merge.ts'),
  ],
  provision: [
    'make on a staging server what full coverage needs, such as accounts, and print an environment ' +
      'file for it',
    '0 done, 1 the server refused something, 2 the configuration or the command line\n' +
      'is wrong and nothing was sent, 3 it was stopped or the server could not be reached.',
    ['--family gitea --output staging.env', '--family gitea --remove'],
    () => import('./provision.ts'),
  ],
  'waive [pattern...]': [
    'take what failed in the last run for a known deviation, for a time',
    '0 the entries were written, 2 there is nothing to waive or the command line or\n' +
      'a file is wrong, 3 the file could not be written.',
    ["pagination --reason 'A proxy has a limit' --owner 'Platform team' --expires 2027-01-31"],
    () => import('./waive.ts'),
  ],
  history: [
    'tell from the history of a deployment since when what fails, and what is flaky',
    '0 it was told, 2 the file cannot be read or has no run.',
    ['--history history.ndjson --last 10'],
    () => import('./history.ts'),
  ],
  sweep: [
    'delete what runs that were killed have left behind, by their ledgers',
    '0 nothing is left, 2 the configuration or the command line is wrong, 3 something is\nleft.',
    ['--reports reports'],
    () => import('./sweep.ts'),
  ],
}

/** Does what the words of a command line say. @returns the exit status */
export async function runCommandLine(
  words: readonly string[],
  context: CliContext,
): Promise<number> {
  const { environment, output, errors, redactor } = context
  let status = 0
  const program = new Command('plumbline')
    .description(
      `Probes a live deployment of ${joinNames(served)} services ` +
        'and tells, statement by statement, whether it does what their documents say.',
    )
    .version(`plumbline ${version}, Node.js ${process.versions.node}`)
    .addHelpText(
      'after',
      '\nTo begin:\n' +
        '  plumbline run     without a configured server, probes the one that comes with Plumbline\n' +
        '  plumbline doctor  names the variables that say which server is yours, and sends GETs alone\n' +
        '\nExit status: 0 no failure found, 1 a requirement failed, 2 the configuration or the command\n' +
        'line is wrong, 3 no failure but something got no verdict.',
    )
  for (const [usage, [what, statuses, examples, load]] of Object.entries(commands)) {
    const [name = ''] = usage.split(' ')
    const isNamed = words.includes(name)
    const shown = examples.map((words) => `  plumbline ${name} ${words}`.trimEnd())
    // One that is named has its arguments from its module, described.
    const command = program.command(isNamed ? name : usage).description(what)
    if (isNamed) {
      const { define, action } = await load()
      define(command).action(async (...handed) => {
        // The last one is the command itself.
        status = await action(...([...handed.slice(0, -1), context] as never[]))
      })
    }
    command
      .option('--env-file <file>', 'read variables from this file instead of .env')
      .addHelpText('after', `\nExit status: ${statuses}\n\nExamples:\n${shown.join('\n')}`)
  }
  for (const command of [program, ...program.commands]) {
    const name = command === program ? '' : `${command.name()} `
    const usage = command.createHelp().commandUsage(command)
    command
      .exitOverride()
      .showHelpAfterError(`Usage: ${usage}\n"plumbline ${name}--help" tells more.`)
      .configureOutput({
        outputError: (text, write) => write(text.replace(/^error: /, 'plumbline: ')),
        writeOut: (text) => output.write(text),
        writeErr: (text) => errors.write(terminalMessage(text, redactor)),
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
      errors.write(terminalMessage(`plumbline: ${error.message}\n`, redactor))
      return USAGE_STATUS
    }
    logInternalErrors([error], context)
    return DEFECT_STATUS
  }
}
