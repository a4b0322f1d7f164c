import { basename, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import picocolors from 'picocolors'
import type { Requirement } from '../conformance/requirement.ts'
import { defaultSampling } from '../conformance/sampling.ts'
import { Progress } from '../reports/progress.ts'
import type { Verdict } from '../results/result.ts'
import { coverageOf } from '../results/verdict.ts'
import {
  type CliContext,
  complain,
  complainOfDefects,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { readFailedSamples } from './failed-samples.ts'
import { prepareDirectory } from './files.ts'
import { type OperatorFileOptions, openOperatorFiles } from './operator-files.ts'
import { atLeast, faultOption, formatOption, seed, variantOption } from './options.ts'
import {
  describeTarget,
  type PreparationOptions,
  prepareTarget,
  selectRequirements,
} from './prepare-run.ts'
import { type Presentation, present } from './present.ts'
import { probeTarget } from './probe-target.ts'
import { catalogueOf } from './services.ts'
import { Suites } from './suites.ts'

export interface RunOptions extends PreparationOptions, OperatorFileOptions, Presentation {
  requirement?: string[]
  reports: string
  /** Of the samples that checks draw. */
  seed?: number
  /** Of so many requirements that can be judged, how many have to be. */
  minJudged?: (judgeable: number) => number
}

/** For a run that judges one of the requirements again: of this one, that leaves the reports alone. */
function optionsForAnother(options: RunOptions): string[] {
  const { envFile, embedded, fault, variant, seed, reports } = options
  const faults = [fault ?? []].flat()
  return [
    ...(envFile === undefined ? [] : ['--env-file', envFile]),
    ...(embedded === false ? ['--no-embedded'] : []),
    ...faults.flatMap((name) => ['--fault', name]),
    ...(typeof variant === 'string' ? ['--variant', variant] : []),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...['--reports', basename(reports) === 'again' ? reports : join(reports, 'again')],
  ]
}

/** Probes the target and reports. */
export async function run(options: RunOptions, context: CliContext): Promise<number> {
  if (options.reports.trim() === '') throw new UsageError('--reports names no directory.')
  const { errors, redactor } = context
  const directory = resolve(context.directory, options.reports)
  const { history } = options
  const files = openOperatorFiles(options, context)
  const prepared = await prepareTarget(options, context)
  const asked = prepared.services.map(catalogueOf)
  const requirements = selectRequirements(asked, options.requirement ?? [])
  prepareDirectory(directory)
  const interruption = context.interruption()
  if (prepared.embedded !== undefined && !options.quiet) {
    errors.write(
      'No deployment is configured: probing the embedded reference deployment ' +
        `at ${prepared.embedded.baseUrl}.\n`,
    )
  }
  const known = asked.flatMap((one): readonly Requirement[] => one.requirements)
  const isAdvised = prepared.target.probe.wording === 'advisory'
  const deviations = new Map<string, Verdict>()
  for (const { id, level } of known) {
    if (isAdvised && level === 'wording') deviations.set(id, 'advisory')
    if (files.waived.has(id)) deviations.set(id, 'waived')
  }
  const testable = requirements.filter((row) => !row.judged.includes('untestable'))
  const progress = new Progress(options.quiet ? { write() {} } : errors, {
    color: picocolors.isColorSupported,
    deviations,
    skipped: known.length - testable.length,
  })
  const place = describeTarget(prepared.target, prepared.embedded !== undefined)
  const historyFile = history === undefined ? undefined : resolve(context.directory, history)
  const {
    report: judged,
    defects,
    outOfMemory,
  } = await probeTarget(prepared, {
    requirements,
    directory,
    sampling: {
      seed: options.seed ?? defaultSampling.seed,
      failed: await readFailedSamples(place, { reports: directory, history: historyFile }),
    },
    progress,
    interruption,
    tell: (text) => errors.write(safeForTerminal(text, redactor)),
    suites: context.suites ?? new Suites({ manyRuns: false }),
  })
  const { judgeable } = coverageOf(judged.results)
  const coverage = coverageOf(judged.results, options.minJudged?.(judgeable))
  const another = optionsForAnother(options).map((word) => redactor.redact(word))
  const report = { ...judged, run: { ...judged.run, options: another }, coverage }
  if (outOfMemory) {
    complain(
      'the run broke off because it ran out of memory: lower PROBE_CONCURRENCY or ' +
        'PROBE_MAX_BODY_BYTES, or allow more (NODE_OPTIONS=--max-old-space-size=4096).',
      context,
    )
  }
  complainOfDefects(defects, context)
  const sound = defects.length === 0 && !outOfMemory
  const settled = files.settled(report, sound)
  return present(settled, directory, context, options)
}

export { run as action }

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'probe these services only')
    .option(
      '--requirement <pattern...>',
      'judge these requirements only: ids, sections, names, or globs',
    )
    .option(
      '--min-judged <number>',
      'end with status 3 where fewer requirements are judged: a number, or a share such as 50%',
      atLeast,
    )
    .option(
      '--seed <number>',
      'draw the samples of another seed; "today" draws others each day (UTC), 0 draws none',
      seed,
    )
    .option('--reports <directory>', 'write the reports there', 'reports')
    .option('--quiet', 'say only what fails, what got no verdict, and the verdict')
    .addOption(new Option('--verbose', 'say what was observed too').conflicts('quiet'))
    .addOption(
      formatOption('json writes the report to standard output, and all else to standard error', [
        'text',
        'json',
      ]),
    )
    .option('--waivers <file>', 'take deviations that are listed there for known ones')
    .option('--baseline <file>', 'compare observations with those of this file')
    .addOption(
      new Option('--pin', 'fail the run where the baseline differs').conflicts('updateBaseline'),
    )
    .option('--update-baseline', 'write the observations of this run to the baseline')
    .option('--history <file>', 'add the run to this file, and tell what is new since the last one')
    .addOption(faultOption)
    .addOption(variantOption)
    .addOption(
      new Option('--no-embedded', 'ask for a configured deployment').conflicts([
        'fault',
        'variant',
      ]),
    )
