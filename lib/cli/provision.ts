import { type Command, InvalidArgumentError, Option } from 'commander'
import type { EnvironmentOptions } from '../environment/read-environment.ts'
import { provisionTarget } from '../provision/environment.ts'
import { actingAs, DEFAULT_PREFIX, isPrefix, prefixRule } from '../provision/plan.ts'
import { provision as provisionServer } from '../provision/provision.ts'
import { type CliContext, complain, safeForTerminal, UsageError, version } from './context.ts'
import { prepareOutputFile, printSecrets, requireOutputInJob } from './files.ts'
import { loadOrExplain } from './prepare-run.ts'
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

/** Makes on a server what full coverage needs, or takes it away again. */
export async function action(options: ProvisionOptions, context: CliContext): Promise<number> {
  const { directory, errors, redactor, confirm } = context
  const { envFile, prefix, remove, includeAdmin } = options
  const load = (settings: EnvironmentOptions) => provisionTarget(settings, loadTarget(settings))
  const target = loadOrExplain(load, context, envFile)
  if (target.limits.readOnly) {
    throw new UsageError('PROBE_READ_ONLY is true, and provision writes; nothing was sent.')
  }
  for (const { name, value } of secretsOf(target.configured)) redactor.add(name, value)
  if (!options.yes && confirm === undefined) {
    throw new UsageError(
      'Nobody can be asked, since standard input is no terminal: --yes goes on without a question. ' +
        'Nothing was sent.',
    )
  }
  const file = prepareOutputFile(directory, options)
  if (!remove) requireOutputInJob(options.output, context)
  let written = ''
  const tell = (text: string) => errors.write(safeForTerminal(text, redactor))
  const controller = new AbortController()
  const notice = 'Interrupted: ending after the request under way. Once more to stop at once.'
  void context.interruption(notice).then(() => controller.abort())
  const interruption = controller.signal
  const outcome = await provisionServer({
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
    write({ text, secrets }) {
      if (file === undefined) {
        printSecrets(text, secrets, context)
        return true
      }
      const isFirst = written === ''
      written += text
      const problem = file.write(written)
      if (problem !== undefined) {
        const hint = 'A repeat sets new passwords and writes them.'
        complain(`the accounts were made, but: ${problem}. ${hint}`, context)
      } else if (isFirst) tell(`Wrote the environment file ${file.path}.\n`)
      return problem === undefined
    },
  })
  return statuses[outcome]
}

export const define = (command: Command) =>
  command
    .addOption(
      new Option('--family <name>', 'the kind of server').choices(['gitea']).makeOptionMandatory(),
    )
    .option(
      '--prefix <text>',
      'begin the names of all that is made with it',
      (text) => {
        if (isPrefix(text)) return text
        throw new InvalidArgumentError(`It must be ${prefixRule}.`)
      },
      DEFAULT_PREFIX,
    )
    .option('--yes', 'do not ask before anything is made or deleted')
    .option('--output <file>', 'write the environment file there, readable for its owner only')
    .option('--overwrite', 'replace that file when it is there')
    .option('--include-admin', 'write the credentials of the administrator into it too')
    .addOption(
      new Option(
        '--remove',
        'take away what was made with this prefix, and nothing else',
      ).conflicts(['output', 'overwrite', 'includeAdmin']),
    )
    .addHelpText(
      'after',
      `\n${actingAs} It uses the API and the sign-in pages of servers of the Gitea family,\n` +
        'which are not in the documents by which Plumbline judges.',
    )
