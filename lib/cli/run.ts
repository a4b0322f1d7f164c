import { resolve } from 'node:path'
import type { Command } from 'commander'
import picocolors from 'picocolors'
import { Progress } from '../reports/progress.ts'
import {
  type CliContext,
  complain,
  complainOfDefects,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { prepareDirectory } from './files.ts'
import type { OperatorFileOptions } from './operator-files.ts'
import { type Finish, newCommand, withEmbeddedOptions } from './options.ts'
import { type PreparationOptions, prepareTarget, selectRequirements } from './prepare-run.ts'
import { probeTarget } from './probe-target.ts'
import { catalogueOf } from './services.ts'

export interface RunOptions extends PreparationOptions, OperatorFileOptions {
  requirement?: string[]
  reports: string
}

/** Loaded only where one is asked for: most runs begin sooner without. */
async function openOperatorFiles(options: RunOptions, context: CliContext) {
  const { waivers, baseline, updateBaseline, pin, history } = options
  const asked = [waivers, baseline, updateBaseline, pin, history].some((one) => one !== undefined)
  if (!asked) return undefined
  const { OperatorFiles } = await import('./operator-files.ts')
  return new OperatorFiles(options, context)
}

/** Probes the target and reports. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  if (options.reports.trim() === '') throw new UsageError('--reports names no directory.')
  const { errors, redactor } = context
  const directory = resolve(context.directory, options.reports)
  const files = await openOperatorFiles(options, context)
  const prepared = await prepareTarget(options, context)
  const probed = prepared.services.map(catalogueOf)
  const requirements = selectRequirements(probed, options.requirement ?? [])
  prepareDirectory(directory)
  const interruption = context.interruption()
  if (prepared.embedded !== undefined) {
    errors.write(
      'No deployment is configured: probing the embedded reference deployment ' +
        `at ${prepared.embedded.baseUrl}.\n`,
    )
  }
  const probing = probeTarget(prepared, {
    requirements,
    directory,
    progress: new Progress(errors, {
      color: picocolors.isColorSupported,
      waived: files?.waived,
    }),
    interruption,
    tell: (text) => errors.write(safeForTerminal(text, redactor)),
    pool: context.pool,
  })
  // Loaded while the first requests are under way, which are not left alone when that fails.
  const presenting = import('./present.ts')
  await Promise.allSettled([probing, presenting])
  const [{ report, defects, outOfMemory }, { present }] = await Promise.all([probing, presenting])
  if (outOfMemory) {
    complain(
      'the run broke off because it ran out of memory: lower PROBE_CONCURRENCY or ' +
        'PROBE_MAX_BODY_BYTES, or allow more (NODE_OPTIONS=--max-old-space-size=4096).',
      context,
    )
  }
  complainOfDefects(defects, context)
  const sound = defects.length === 0 && !outOfMemory
  const settled = files?.settled(report, sound) ?? { report, sound }
  return present(settled.report, directory, context, settled)
}

export function runCommand(finish: Finish, context: CliContext): Command {
  const command = newCommand(
    'run',
    'probe the deployment that the environment describes, and report',
    '0 conformant, 1 a requirement failed, or a waiver or a recorded observation fails the\n' +
      'run, 2 the configuration or the command line is wrong and nothing was sent, 3 no failure but\n' +
      'something got no verdict, nothing was judged, the run was interrupted, or its reports could not\n' +
      'be written.',
  )
    .option('--service <name...>', 'probe these services only')
    .option(
      '--requirement <pattern...>',
      'judge these requirements only: ids, their beginnings, or globs',
    )
    .option('--reports <directory>', 'write the reports there', 'reports')
    .option('--waivers <file>', 'take deviations that are listed there for known ones')
    .option('--baseline <file>', 'compare observations with those of this file')
    .option('--pin', 'let an observation that differs from the baseline fail the run')
    .option('--update-baseline', 'write the observations of this run to the baseline')
    .option('--history <file>', 'add the run to this file, and tell what is new since the last one')
  return withEmbeddedOptions(command)
    .option('--no-embedded', 'take it for a mistake when no deployment is configured')
    .action((options: RunOptions) => finish(run(options, context)))
}
