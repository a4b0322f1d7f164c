import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Service } from '../../suites/service.ts'
import { type CliContext, logError, safeForTerminal, UsageError, version } from './context.ts'
import { openEnvironmentOutput } from './files.ts'
import { loadConfiguration } from './prepare-run.ts'
import { services } from './services.ts'

export interface ProvisionOptions {
  family: string
  prefix: string
  remove?: boolean
  yes?: boolean
  output?: string
  overwrite?: boolean
  includeAdmin?: boolean
  envFile?: string
}

const exitCodes = { done: 0, failed: 1, stopped: 3 } as const

const DEFAULT_PREFIX = 'plumbline-'

const provisioners: NonNullable<Service['provisioners']> = Object.assign(
  {},
  ...Object.values<Service>(services).map((service) => service.provisioners),
)

export const isPrefix = (text: string) => text.length <= 30 && /^([a-z0-9]+-)+$/.test(text)

export async function action(options: ProvisionOptions, context: CliContext): Promise<number> {
  const { errors, redactor, confirm } = context
  const { family, prefix, remove, includeAdmin } = options
  const provisioner = await provisioners[family]?.()
  if (provisioner === undefined) throw new UsageError(`--family ${family} is not known.`)
  const { target } = loadConfiguration(context, options.envFile, provisioner.required)
  if (target.probe.readOnly) {
    throw new UsageError('PROBE_READ_ONLY is true, and provision writes. Nothing was sent.')
  }
  if (Object.keys(target.probe.headers ?? {}).some((name) => /^cookie$/i.test(name))) {
    throw new UsageError(
      'PROBE_HEADERS has Cookie, and provision signs in with its own: leave it out. Nothing was sent.',
    )
  }
  if (!options.yes && confirm === undefined) {
    throw new UsageError(
      'Standard input is not a terminal: use --yes to skip the confirmation. Nothing was sent.',
    )
  }
  const file = remove ? undefined : openEnvironmentOutput(options, context)
  const log = (text: string) => errors.write(safeForTerminal(text, redactor))
  const controller = new AbortController()
  const notice = 'Interrupted: ending after this request. Press Ctrl-C again to stop immediately.'
  void context.interruption(notice).then(() => controller.abort())
  const interruption = controller.signal
  const { outcome, environment } = await provisioner.provision({
    target,
    prefix,
    remove,
    includeAdmin,
    userAgent: `plumbline/${version}`,
    redactor,
    interruption,
    log,
    confirm: async () =>
      options.yes === true || (await confirm?.('Go on? [y/N] ', interruption)) === true,
  })
  if (environment === undefined) return exitCodes[outcome]
  const problem = file?.write(environment)
  if (problem !== undefined) {
    const hint = 'Run provision again to set new passwords and write them.'
    logError(`the accounts were created, but: ${problem}. ${hint}`, context)
    return exitCodes.failed
  }
  if (file?.path !== undefined) log(`Wrote the environment file ${file.path}.\n`)
  return exitCodes[outcome]
}

export const define = (command: Command) =>
  command
    .addOption(
      new Option('--family <name>', 'product family of the server')
        .choices(Object.keys(provisioners))
        .makeOptionMandatory(),
    )
    .option(
      '--prefix <text>',
      'prefix of all created names',
      (text) => {
        if (isPrefix(text)) return text
        throw new InvalidArgumentError(
          `It must be lower-case letters and digits followed by a hyphen, at most 30 characters, such as ${DEFAULT_PREFIX}.`,
        )
      },
      DEFAULT_PREFIX,
    )
    .option('--yes', 'skip the confirmation before creating or deleting')
    .option('--output <file>', 'write the environment file, readable only by its owner')
    .option('--overwrite', 'replace that file if it exists')
    .option('--include-admin', 'add the credentials of the administrator to it')
    .addOption(
      new Option('--remove', 'delete only the resources created with this prefix').conflicts([
        'output',
        'overwrite',
        'includeAdmin',
      ]),
    )
    .addHelpText(
      'after',
      '\nIt acts as an administrator of the server, and reports which variables it needs. It uses\n' +
        'endpoints of the product that are not in the API documents.',
    )
