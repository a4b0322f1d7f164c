import { basename, join } from 'node:path'
import { type Command, Option } from 'commander'
import { type Version, versions } from '../results/requirement.ts'
import type { CliContext } from './context.ts'
import { reportFolders } from './files.ts'
import { atLeast, faultOption, formatOption, variantOption, waitOption } from './options.ts'
import type { PreparationOptions } from './prepare-run.ts'

export interface RunOptions extends PreparationOptions {
  requirement?: string[]
  asOf?: Version
  /** Returns the minimum number of judged requirements for a number of testable ones. */
  minJudged?: (testable: number) => number
  /** Maximum number of seconds to wait for the services. */
  wait?: number
  reports?: string
  waivers?: string[]
  history?: string
  metrics?: string
  /** Writes `evidence.har`; without it, only if the variable CI is true. */
  har?: boolean
  /** Shows only failures, inconclusive requirements, and the verdict. */
  quiet?: boolean
  verbose?: boolean
  format?: 'text' | 'json'
}

/** Returns how a run was started, for the commands in its report. A rerun writes to its own reports folder. */
export function startOf(options: RunOptions, reports: string, { redactor, program }: CliContext) {
  const { envFile, embedded, fault, variant, asOf, waivers } = options
  const redact = (text: string) => redactor.redact(text)
  const rerun = [
    ...(envFile === undefined ? [] : ['--env-file', envFile]),
    ...(embedded === false ? ['--no-embedded'] : []),
    ...[fault ?? []].flat().flatMap((name) => ['--fault', name]),
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
