import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { FleetMember } from '../fleet/fleet.ts'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { envFileOption } from './options.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { terminalOptions } from './terminal-options.ts'
import { UsageError } from './usage-error.ts'

const NOT_WRITTEN = 3

export interface MergeOptions {
  output: string
  allowMissing?: boolean
  /** Whether what is there and is no page of this command may be replaced. */
  overwrite?: boolean
}

/** A path from one folder to a file, as a relative URL. */
function relativeUrl(folder: string, file: string): string {
  const path = relative(folder, file).split(/[\\/]/)
  return path.map(encodeURIComponent).join('/')
}

/** Where the page of a report is, seen from the page that is written. */
function pageBeside(report: string, output: string): Pick<FleetMember, 'page'> {
  const page = join(dirname(report), 'report.html')
  return existsSync(page) ? { page: relativeUrl(dirname(output), page) } : {}
}

/** @throws UsageError for a file that is no report, or is missing and must not be */
async function readMembers(
  files: readonly string[],
  { allowMissing = false }: MergeOptions,
  output: string,
  directory: string,
): Promise<FleetMember[]> {
  const { digest } = await import('../fleet/fleet.ts')
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const seen = new Map<string, string>()
  return files.map((file): FleetMember => {
    if (file.trim() === '') throw new UsageError('merge: one of the reports has no name.')
    try {
      const { path, report } = readReport(resolve(directory, file))
      const real = realpathSync(path)
      const twice = seen.get(real)
      if (twice !== undefined) {
        throw new UsageError(`merge: ${file} and ${twice} are the same report.`)
      }
      if (existsSync(output) && realpathSync(output) === real) {
        throw new UsageError(`--output: ${file} is one of the reports, and would be lost.`)
      }
      seen.set(real, file)
      return { path: file, run: digest(report), ...pageBeside(path, output) }
    } catch (error) {
      if (!(error instanceof UnreadableReportError)) throw error
      if (error.missing && allowMissing) {
        const missing = resolve(directory, file)
        if ([missing, join(missing, 'report.json')].includes(output)) {
          throw new UsageError(`--output: ${file} is where one of the reports belongs.`)
        }
        return { path: file }
      }
      const hint = error.missing ? ' --allow-missing shows it as a deployment without report.' : ''
      throw new UsageError(`merge: ${error.message}${hint}`)
    }
  })
}

/**
 * Writes a page with the reports side by side. Needs no configuration and sends nothing.
 *
 * @returns the worst exit status of the runs
 * @throws UsageError for a file that is no report, and for a page in the place of something else
 */
export async function merge(
  files: readonly string[],
  options: MergeOptions,
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const { directory, output, errors, environment, redactor } = surroundings
  if (options.output.trim() === '') throw new UsageError('--output names no file.')
  const path = resolve(directory, options.output)
  const members = await readMembers(files, options, path, directory)
  const { requireReplaceablePage } = await import('./merged-page-file.ts')
  requireReplaceablePage(path, options.overwrite)
  const { ReportNotWrittenError, replaceFile } = await import('../reports/replace-files.ts')
  const { mergeReports } = await import('../fleet/fleet.ts')
  const fleet = mergeReports(members)
  const { fleetPage } = await import('../fleet/page.ts')
  const { mergedText } = await import('../fleet/text.ts')
  let notWritten: Error | undefined
  try {
    replaceFile(path, fleetPage(fleet))
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    notWritten = error
  }
  const sound = notWritten === undefined
  const status = fleet.status || (sound ? 0 : NOT_WRITTEN)
  const text = mergedText(fleet, {
    ...terminalOptions(surroundings),
    status,
    ...(sound ? { file: relative(directory, path) } : {}),
  })
  // On GitHub Actions the lines of the output can be commands.
  output.write(environment.GITHUB_ACTIONS === 'true' ? withoutWorkflowCommands(text) : text)
  if (notWritten === undefined) return status
  const message = redactor.redact(notWritten.message)
  errors.write(`plumbline: ${message}. Name another file with --output.\n`)
  return status
}

export function mergeCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('merge')
    .description('put the reports of several deployments side by side on one page')
    .argument('<report...>', 'report.json of each deployment, or the folder that it is in')
    .option('--output <file>', 'write the page there', 'reports/merged.html')
    .option('--overwrite', 'replace that file even when it is no page of this command')
    .option('--allow-missing', 'show a report that does not exist as a deployment without one')
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nExit status: the worst of the runs; 0 all conformant, 1 a run failed, 2 a file is no report\n' +
        'or the page would replace something else, 3 no failure but a run without a verdict, or a\n' +
        'missing report that is allowed.',
    )
    .action((files: string[], options: MergeOptions) => finish(merge(files, options, surroundings)))
}
