import { type Command, InvalidArgumentError, Option } from 'commander'
import { codeOf } from '../environment/problems.ts'
import { actingAs, DEFAULT_PREFIX, isPrefix, prefixRule } from '../provision/names.ts'
import { type CliContext, UsageError, version } from './context.ts'
import { prepareOutputFile } from './files.ts'
import { type Finish, newCommand } from './options.ts'
import { safeForTerminal } from './output.ts'
import { tellOfLateVariable, usageErrorOf } from './prepare-run.ts'
import { loadTarget, secretsOf } from './services.ts'

export interface ProvisionOptions {
  family: 'gitea'
  prefix: string
  remove?: boolean
  yes?: boolean
  output?: string
  overwrite?: boolean
  includeAdmin?: boolean
  envFile?: string
}

const statuses = { done: 0, refused: 1, stopped: 3 } as const

const NOTICE = 'Interrupted: ending after the request under way. Once more to stop at once.'

/** @throws UsageError */
function checkOptions({ remove, output, overwrite, includeAdmin }: ProvisionOptions) {
  if (remove && (output !== undefined || overwrite || includeAdmin)) {
    throw new UsageError('--remove writes no environment file: leave the other options out.')
  }
  if (overwrite && output === undefined) {
    throw new UsageError('--overwrite needs --output, which names the file.')
  }
}

/** @throws UsageError that tells every problem at once */
async function readTarget(envFile: string | undefined, context: CliContext) {
  const { provisionTarget } = await import('../provision/environment.ts')
  const { environment, directory, errors } = context
  const options = { environment, envFile, directory }
  const target = provisionTarget(options, loadTarget(options))
  if ('problems' in target) throw usageErrorOf(target.problems)
  if (target.limits.readOnly) {
    throw new UsageError(
      'PROBE_READ_ONLY is true, and provision makes or deletes; nothing was sent.',
    )
  }
  tellOfLateVariable(options, errors)
  return target
}

/**
 * Makes on a server what full coverage needs, or takes it away again.
 *
 * @returns the exit status
 * @throws UsageError before anything is sent
 */
export async function provision(options: ProvisionOptions, context: CliContext): Promise<number> {
  const { errors, output, redactor, directory, confirm } = context
  checkOptions(options)
  const target = await readTarget(options.envFile, context)
  for (const { name, value } of secretsOf(target.configured)) redactor.add(name, value)
  if (!options.yes && confirm === undefined) {
    throw new UsageError(
      'Nobody can be asked, since standard input is no terminal: --yes goes on without a question. ' +
        'Nothing was sent.',
    )
  }
  const { output: name, overwrite, prefix, remove, includeAdmin } = options
  const file = name === undefined ? undefined : prepareOutputFile(directory, name, overwrite)
  const tell = (text: string) => errors.write(safeForTerminal(text, redactor))
  const controller = new AbortController()
  void context.interruption(NOTICE).then(() => controller.abort())
  const interruption = controller.signal
  const work = await import('../provision/provision.ts')
  const outcome = await work.provision({
    target,
    prefix,
    remove,
    includeAdmin,
    userAgent: `plumbline/${version}`,
    redactor,
    interruption,
    tell,
    agreed: async () =>
      options.yes === true || (await confirm?.('Go on? [y/N] ', interruption)) === true,
    write(text) {
      if (file === undefined) {
        output.write(text)
        return true
      }
      try {
        file.write(text)
      } catch (error) {
        tell(
          `plumbline: everything was made, but ${file.path} could not be written (${codeOf(error)}). ` +
            'A repeat sets new passwords and writes them.\n',
        )
        return false
      }
      tell(`Wrote the environment file ${file.path}.\n`)
      return true
    },
  })
  return statuses[outcome]
}
function prefix(text: string): string {
  if (!isPrefix(text)) throw new InvalidArgumentError(`It must be ${prefixRule}.`)
  return text
}

export function provisionCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'provision',
    'make accounts and repositories on a staging server, for full coverage of the code hosting ' +
      'service, and print an environment file for them',
    '0 done, 1 the server refused something, 2 the configuration or the command line\n' +
      'is wrong and nothing was sent, 3 it was stopped or the server could not be reached.',
  )
    .addOption(
      new Option('--family <name>', 'the kind of server').choices(['gitea']).makeOptionMandatory(),
    )
    .option(
      '--prefix <text>',
      'begin the names of all that is made with it',
      prefix,
      DEFAULT_PREFIX,
    )
    .option('--yes', 'do not ask before anything is made or deleted')
    .option('--output <file>', 'write the environment file there, readable for its owner only')
    .option('--overwrite', 'replace that file when it is there')
    .option('--include-admin', 'write the credentials of the administrator into it too')
    .option('--remove', 'take away what was made with this prefix, and nothing else')
    .addHelpText(
      'after',
      `\n${actingAs} It uses the API and the sign-in pages of servers of the Gitea family,\n` +
        'which are not in the documents by which Plumbline judges.',
    )
    .action((options: ProvisionOptions) => finish(provision(options, context)))
}
