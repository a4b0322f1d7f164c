import { Command, CommanderError } from 'commander'
import { formatCommand } from '../reports/report-text.ts'
import { joinNames } from '../text/names.ts'
import {
  type CliContext,
  ERROR_EXIT_CODE,
  logInternalErrors,
  terminalMessage,
  UsageError,
  version,
} from './context.ts'
import { catalogues } from './services.ts'

const USAGE_EXIT_CODE = 2

const served = catalogues.map(({ service }) => service.replaceAll('-', ' '))

const DESCRIPTION =
  `Probes a live deployment of ${joinNames(served)} services ` +
  'and reports, requirement by requirement, whether it conforms to its API document.'

type Action = (...parameters: never[]) => number | Promise<number>
type CommandModule = { define: (command: Command) => Command; action: Action }

/** Commands in the order of the help, by usage. A module is loaded only for its command. */
const commands: Record<
  string,
  [summary: string, exitCodes: string, examples: readonly string[], () => Promise<CommandModule>]
> = {
  run: [
    'probe the configured target and write reports',
    '0 no failure found, 1 a requirement failed, or a waiver fails the run, ' +
      '2 the configuration or the command line is wrong and nothing was sent, 3 no failure but ' +
      'something was inconclusive, nothing was judged or fewer than --min-judged requires, the run ' +
      'was interrupted, or its reports could not be written.',
    [
      '--requirement pagination',
      '--env-file staging.env --no-embedded --min-judged 50% --waivers waivers.yaml',
      '--quiet --format json > run.json',
      '--fault missing-repository-rejected-with-403',
    ],
    () => import('./run.ts'),
  ],
  doctor: [
    'check the configuration and the target with GET requests only, and list the requirements ' +
      'that a run would judge',
    '0 ready for a run, 2 the configuration is wrong or a run would judge nothing, ' +
      '3 a service does not respond or rejects its credentials, or the file could not be written.',
    ['--write .env', '--env-file staging.env --format json'],
    () => import('./doctor.ts'),
  ],
  requirements: [
    'list the requirements of the documents and how each is judged, or the cases of a run',
    '0 listed, 2 a pattern matches nothing or the command line is wrong.',
    ['--requirement tokens', "--requirement '*/*/link-*' --format json", '--cases'],
    () => import('./requirements.ts'),
  ],
  reference: [
    'serve the reference server and print an environment file for it',
    '0 served until it was stopped, 2 the command line is wrong, 3 the file could ' +
      'not be written.',
    ['--output reference.env', "--list 'link-*'"],
    () => import('./reference.ts'),
  ],
  prove: [
    'run the suites against the reference server with each fault, with each variant, and without ' +
      'each need: a fault must fail exactly the requirements that it breaks, a variant none, and ' +
      'a missing need must skip exactly the requirements that declare it',
    '0 all scenarios passed, 1 a scenario failed, 2 the command line is wrong.',
    ["--fault 'link-*' --variant 'link-*'", "--need 'without other account'"],
    () => import('./prove.ts'),
  ],
  'compare <before> <after>': [
    'compare two runs, e.g. before and after an upgrade',
    '0 nothing got worse, 1 a requirement is newly failing or lost its verdict, ' +
      '2 a file is not a report, 3 no requirement was judged in both reports, or a requirement that was ' +
      'judged before was not run after: its service was not probed, it was not selected, or ' +
      'it is not in the report. 1 takes precedence over 3.',
    ['reports/before reports/after', 'before.json after.json --format markdown'],
    () => import('./compare.ts'),
  ],
  provision: [
    'create on a staging server what full coverage needs, such as accounts, and print an ' +
      'environment file for it',
    '0 done, 1 the server rejected a request, 2 the configuration or the command line ' +
      'is wrong and nothing was sent, 3 it was stopped or the server could not be reached.',
    ['--family gitea --output staging.env', '--family gitea --remove'],
    () => import('./provision.ts'),
  ],
  'waive [pattern...]': [
    'accept the failures of the last run as known deviations',
    '0 the entries were written or removed, 2 there is nothing to waive or the command line or ' +
      'a file is wrong, 3 the file could not be written.',
    [
      "pagination --reason 'A proxy has a limit' --owner 'Platform team' --expires 2027-01-31",
      '--prune',
    ],
    () => import('./waive.ts'),
  ],
  history: [
    'show since which run each requirement fails, and the last runs',
    '0 shown, 2 the file cannot be read or has no run.',
    ['--history history.ndjson'],
    () => import('./history.ts'),
  ],
  sweep: [
    'delete resources leaked by killed runs, using their ledgers',
    '0 no resource is left, 2 the configuration or the command line is wrong, 3 a resource is left.',
    ['--reports reports'],
    () => import('./sweep.ts'),
  ],
}

const readingVariables = ['run', 'doctor', 'requirements', 'provision', 'sweep']

const HELP_WIDTH = 80

export async function runCommandLine(args: readonly string[], context: CliContext) {
  const { output, errors, redactor } = context
  let status = 0
  const doctorText = formatCommand('doctor', context.program)
  const runText = formatCommand('run', context.program).padEnd(doctorText.length)
  const program = new Command('plumbline')
    .description(DESCRIPTION)
    .version(`plumbline ${version}, Node.js ${process.versions.node}`)
    .exitOverride()
    .showHelpAfterError('Add --help for details.')
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'plumbline: ')),
      writeOut: (text) => output.write(text),
      writeErr: (text) => errors.write(terminalMessage(text, redactor)),
    })
    .addHelpText(
      'after',
      '\nTo begin:\n' +
        `  ${runText}  probes the reference server if no target is configured\n` +
        `  ${doctorText}  names the variables that configure your server; sends only GET requests\n` +
        '\nExit status: 0 no failure found, 1 a requirement failed, 2 the configuration or the\n' +
        'command line is wrong, 3 no failure but something was inconclusive.',
    )
  for (const [usage, [summary, exitCodes, examples, load]] of Object.entries(commands)) {
    const [name = ''] = usage.split(' ')
    const isNamed = args.includes(name)
    const commandLines = examples.map((example) =>
      `  ${formatCommand(`${name} ${example}`, context.program)}`.trimEnd(),
    )
    // The module of a named command adds its arguments with descriptions.
    const command = program.command(isNamed ? name : usage).description(summary)
    if (isNamed) {
      const { define, action } = await load()
      define(command).action(async (...parameters) => {
        status = await action(...([...parameters.slice(0, -1), context] as never[]))
      })
    }
    // The list of commands shows which have options; the options of a module that is not loaded are unknown.
    if (!isNamed || readingVariables.includes(name)) {
      command.option('--env-file <file>', 'read variables from this file instead of .env')
    }
    command.addHelpText('after', ({ command }) => {
      const statuses = command.createHelp().boxWrap(`Exit status: ${exitCodes}`, HELP_WIDTH)
      return `\n${statuses}\n\nExamples:\n${commandLines.join('\n')}`
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE
    if (error instanceof UsageError) {
      errors.write(terminalMessage(`plumbline: ${error.message}\n`, redactor))
      return USAGE_EXIT_CODE
    }
    logInternalErrors([error], context)
    return ERROR_EXIT_CODE
  }
}
