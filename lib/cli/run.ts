import { basename, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import picocolors from 'picocolors'
import { findOpenLedgers } from '../ledger/read-ledger.ts'
import { Progress, type ProgressStream } from '../reports/progress.ts'
import { sweepCommand } from '../reports/rerun-commands.ts'
import {
  isAdvisory,
  isTestable,
  type Leniency,
  type Requirement,
  type Version,
  versions,
} from '../results/requirement.ts'
import type { Verdict } from '../results/run-report.ts'
import { coverageOf } from '../results/verdict.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { type ExecuteRunOptions, executeRun } from './execute-run.ts'
import { prepareDirectory, reportFolders, reportsFolder } from './files.ts'
import { type OperatorFileOptions, OperatorFiles } from './operator-files.ts'
import { atLeast, faultOption, formatOption, variantOption, waitOption } from './options.ts'
import { type PreparationOptions, prepareTarget, selectRequirements } from './prepare-run.ts'
import type { Presentation } from './present.ts'
import { catalogueOf, creationsOf } from './services.ts'
import { Suites } from './suite-runner.ts'

export interface RunOptions extends PreparationOptions, OperatorFileOptions, Presentation {
  requirement?: string[]
  asOf?: Version
  /** Returns the minimum number of judged requirements for a number of testable ones. */
  minJudged?: (testable: number) => number
  /** Maximum number of seconds to wait for the services. */
  wait?: number
}

/** Returns how a run was started, for the commands in its report. A rerun writes to its own reports folder. */
function startOf(options: RunOptions, reports: string, { redactor, program }: CliContext) {
  const { envFile, embedded, fault, variant, asOf, waivers } = options
  const redact = (text: string) => redactor.redact(text)
  const faults = [fault ?? []].flat()
  const rerun = [
    ...(envFile === undefined ? [] : ['--env-file', envFile]),
    ...(embedded === false ? ['--no-embedded'] : []),
    ...faults.flatMap((name) => ['--fault', name]),
    ...(typeof variant === 'string' ? ['--variant', variant] : []),
    ...(asOf === undefined ? [] : ['--as-of', asOf]),
    ...['--reports', basename(reports) === 'again' ? reports : join(reports, 'again')],
  ]
  return {
    options: rerun.map(redact),
    program: redact(program),
    reports: redact(reports),
    ...(waivers !== undefined && { waiversFiles: waivers.map(redact) }),
  }
}

function failureVerdicts(
  requirements: readonly Requirement[],
  waived: ReadonlySet<string>,
  leniency: Leniency,
): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  for (const requirement of requirements) {
    if (isAdvisory(requirement, leniency)) verdicts.set(requirement.id, 'advisory')
    if (waived.has(requirement.id)) verdicts.set(requirement.id, 'waived')
  }
  return verdicts
}

/** Returns the progress of a run, which loads the writers while the suites wait for responses. */
function createProgress(
  stream: ProgressStream,
  deviations: ReadonlyMap<string, Verdict>,
  skipped: number,
): ExecuteRunOptions['progress'] {
  const color = picocolors.isColorSupported
  const progress = new Progress(stream, { color, deviations, skipped })
  return {
    start: (count) => progress.start(count),
    add(result) {
      void import('./present.ts').catch(() => {})
      progress.add(result)
    },
    finish: () => progress.finish(),
  }
}

const OUT_OF_MEMORY =
  'the run was aborted: out of memory. Lower PROBE_CONCURRENCY or PROBE_MAX_BODY_BYTES, or ' +
  'allow more (NODE_OPTIONS=--max-old-space-size=4096).'

/** Probes the target, writes its reports, and returns the exit status. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  if (options.reports?.trim() === '') throw new UsageError('--reports names no directory.')
  const { errors, redactor } = context
  const files = await OperatorFiles.open(options, context)
  const prepared = await prepareTarget(options, context)
  const chosen = prepared.services.map(catalogueOf)
  const requirements = selectRequirements(chosen, options.requirement ?? [], context.program)
  const reports = options.reports ?? reportsFolder(prepared.embedded !== undefined)
  const directory = resolve(context.directory, reports)
  prepareDirectory(directory)
  const start = startOf(options, reports, context)
  const openLedgers = findOpenLedgers(directory, start.reports, creationsOf)
  const interruption = context.interruption(
    'Interrupted: deleting created resources. Press Ctrl-C again to stop immediately and delete them ' +
      `later with "${sweepCommand(start.reports, start)}".`,
  )
  const notices = options.quiet ? { write() {} } : errors
  if (prepared.embedded !== undefined) {
    const { baseUrl } = prepared.embedded
    notices.write(`No target is configured: probing the reference server at ${baseUrl}.\n`)
  }
  const all = chosen.flatMap((one): readonly Requirement[] => one.requirements)
  const { asOf } = options
  const { wording } = prepared.target.probe
  const skipped = all.length - requirements.filter(isTestable).length
  const verdicts = failureVerdicts(all, files.waived, { asOf, wording })
  const progress = createProgress(notices, verdicts, skipped)
  const waiting = options.wait ? await import('./wait-for-services.ts') : undefined
  const streams = { errors: notices, redactor }
  await waiting?.waitForServices(prepared, options.wait, streams, interruption)
  const executed = await executeRun(prepared, {
    requirements,
    directory,
    progress,
    interruption,
    log: (text) => errors.write(safeForTerminal(text, redactor)),
    suites: context.suites ?? new Suites(),
    asOf,
    complete(judged) {
      const minimum = options.minJudged?.(coverageOf(judged.results).testable)
      const coverage = coverageOf(judged.results, minimum)
      const run = { ...judged.run, ...start }
      return { ...judged, run, coverage, ...(openLedgers.length > 0 && { openLedgers }) }
    },
  })
  const { report, internalErrors, outOfMemory } = executed
  if (outOfMemory) logError(OUT_OF_MEMORY, context)
  logInternalErrors(internalErrors, context)
  const isComplete = internalErrors.length === 0 && !outOfMemory
  const { present } = await import('./present.ts')
  return present(files.finalizeRun(report, isComplete), directory, context, options)
}

export const action = run

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'probe only these services')
    .option(
      '--requirement <pattern...>',
      'judge only these requirements: ids, sections, names, or globs',
    )
    .option(
      '--min-judged <number>',
      'exit with status 3 if fewer requirements are judged: a number, or a share such as 50%',
      atLeast,
    )
    .addOption(
      new Option(
        '--as-of <version>',
        'report failures of requirements that later versions of Plumbline added as advisory',
      ).choices(versions),
    )
    .option('--quiet', 'show only failures, inconclusive requirements, and the verdict')
    .addOption(new Option('--verbose', 'show observations too').conflicts('quiet'))
    .addOption(
      formatOption(
        'json writes the report to standard output, and everything else to standard error',
        ['text', 'json'],
      ),
    )
    .option('--har', 'also write evidence.har, as if CI is true')
    .option('--waivers <file...>', 'accept the deviations that are listed in these files')
    .option(
      '--history <file>',
      'append the run to this file, and show since which run requirements fail',
    )
    .option(
      '--metrics <file>',
      'write metrics of the run in the Prometheus text format to this file',
    )
    .addOption(waitOption)
    .option(
      '--reports <directory>',
      `write the reports to this directory; default: ${reportFolders.join(', or without a target ')}`,
    )
    .addOption(faultOption)
    .addOption(variantOption)
    .addOption(
      new Option('--no-embedded', 'fail if no target is configured').conflicts([
        'fault',
        'variant',
      ]),
    )
