import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import type { FleetMember } from '../fleet/fleet.ts'
import { printableSentence } from '../reports/printable.ts'
import { reportFileNames } from '../reports/report-files.ts'
import { type CliContext, UsageError } from './context.ts'
import { type Finish, newCommand } from './options.ts'
import { terminalOptions, writeOutput } from './output.ts'

const NOT_WRITTEN = 3

/** A page tells what it is behind its style, which is some ten thousand characters long. */
const ENOUGH_BYTES = 262_144

export interface MergeOptions {
  output: string
  allowMissing?: boolean
  /** Whether what is there and is no page of this command may be replaced. */
  overwrite?: boolean
}

/** Where the page of a report is, as a relative URL from the page that is written. */
function pageBeside(report: string, output: string): Pick<FleetMember, 'page'> {
  const page = join(dirname(report), 'report.html')
  if (!existsSync(page)) return {}
  const path = relative(dirname(output), page).split(/[\\/]/)
  return { page: path.map(encodeURIComponent).join('/') }
}

/** Where a path leads by links, whether or not there is something yet. */
function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return join(realPlace(dirname(path)), basename(path))
}

/**
 * @throws UsageError for a file that is no report, is given twice, would be lost to the page, or is
 *   missing and must not be
 */
async function readMembers(
  files: readonly string[],
  output: string,
  { allowMissing = false }: MergeOptions,
  directory: string,
): Promise<FleetMember[]> {
  const { digest } = await import('../fleet/fleet.ts')
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const seen = new Map<string, string>()
  const written = realPlace(output)
  return files.map((file): FleetMember => {
    if (file.trim() === '') throw new UsageError('merge: one of the reports has no name.')
    try {
      const { path, report } = readReport(resolve(directory, file))
      const real = realpathSync(path)
      const twice = seen.get(real)
      if (twice !== undefined) {
        throw new UsageError(`merge: ${file} and ${twice} are the same report.`)
      }
      if (real === written) {
        throw new UsageError(`--output: ${file} is one of the reports, and would be lost.`)
      }
      seen.set(real, file)
      return { path: file, run: digest(report), ...pageBeside(path, output) }
    } catch (error) {
      if (!(error instanceof UnreadableReportError)) throw error
      if (error.missing && allowMissing) {
        const place = realPlace(resolve(directory, file))
        if ([place, join(place, 'report.json')].includes(written)) {
          throw new UsageError(`--output: ${file} is where one of the reports belongs.`)
        }
        return { path: file }
      }
      const hint = error.missing ? ' --allow-missing shows it as a deployment without report.' : ''
      throw new UsageError(`merge: ${error.message}${hint}`)
    }
  })
}

/** The beginning of a file; an empty text where it cannot be read. */
function beginningOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(ENOUGH_BYTES)
      return buffer.toString('utf8', 0, readSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/**
 * Lets a page take the place of nothing but an earlier page of `merge`, unless asked otherwise; of a
 * file with the name of a run's report in no case.
 *
 * @throws UsageError when something else is there
 */
async function requireReplaceable(path: string, overwrite: boolean): Promise<void> {
  if (!existsSync(path)) return
  const refused = (why: string) =>
    new UsageError(`--output: ${printableSentence(path)} ${why} Nothing was written.`)
  if (!statSync(path).isFile()) throw refused('is no regular file.')
  const { isFleetPage } = await import('../fleet/page.ts')
  if (isFleetPage(beginningOf(path))) return
  if (reportFileNames.some((name) => name === basename(path))) {
    throw refused('is of the reports of a run, which merge never replaces. Name another file.')
  }
  if (overwrite) return
  throw refused(
    'is there already, and is no page of merge. Name another file, or replace it with --overwrite.',
  )
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
  context: CliContext,
): Promise<number> {
  const { directory, errors, redactor } = context
  if (options.output.trim() === '') throw new UsageError('--output names no file.')
  const path = resolve(directory, options.output)
  const members = await readMembers(files, path, options, directory)
  await requireReplaceable(path, options.overwrite === true)
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
  const status = fleet.status || (notWritten === undefined ? 0 : NOT_WRITTEN)
  const text = mergedText(fleet, {
    ...terminalOptions(context),
    status,
    ...(notWritten === undefined ? { file: relative(directory, path) } : {}),
  })
  writeOutput(text, context)
  if (notWritten !== undefined) {
    const message = redactor.redact(notWritten.message)
    errors.write(`plumbline: ${message}. Name another file with --output.\n`)
  }
  return status
}

export function mergeCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'merge',
    'put the reports of several deployments side by side on one page',
    'the worst of the runs; 0 all conformant, 1 a run failed, 2 a file is no report\n' +
      'or the page would replace something else, 3 no failure but a run without a verdict, or a\n' +
      'missing report that is allowed.',
  )
    .argument('<report...>', 'report.json of each deployment, or the folder that it is in')
    .option('--output <file>', 'write the page there', 'reports/merged.html')
    .option('--overwrite', 'replace that file even when it is no page of this command')
    .option('--allow-missing', 'show a report that does not exist as a deployment without one')
    .action((files: string[], options: MergeOptions) => finish(merge(files, options, context)))
}
