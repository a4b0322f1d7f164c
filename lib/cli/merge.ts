import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { reportFileNames } from '../reports/file-names.ts'
import { parsedJson } from '../reports/schema-errors.ts'
import { replaceFiles } from '../reports/write-files.ts'
import { MissingReportError, readReport } from '../runs/compare/read-report.ts'
import { digest, type FleetMember, mergeReports } from '../runs/fleet/fleet.ts'
import { fleetJson, fleetMarkdown, mergedText } from '../runs/fleet/fleet-text.ts'
import { fleetPage, isFleetPage } from '../runs/fleet/page.ts'
import { readHistory } from '../runs/history/history.ts'
import { isNames } from '../runs/validators.ts'
import { isMissing, readingProblem, readRegularFile } from '../text/read-file.ts'
import { type CliContext, logError, terminalOptions, UsageError, writeOutput } from './context.ts'
import { readNamedFile, writeProblem } from './files.ts'
import { formatOption } from './options.ts'

const DEFAULT_OUTPUT = 'reports/merged.html'

export interface MergeOptions {
  format: 'html' | 'markdown' | 'json'
  output?: string
  name?: string[]
  names?: string
  allowMissing?: boolean
  overwrite?: boolean
}

/** Returns the history next to a report; empty if there is none. An unreadable one is reported. */
function readHistoryOf(reportPath: string, context: CliContext) {
  const path = join(dirname(reportPath), 'history.ndjson')
  try {
    return readHistory(path).lines
  } catch (error) {
    if (!isMissing(error)) {
      logError(`merge: ${path} ${readingProblem(error)}. Its dates are left out.`, context)
    }
    return []
  }
}

function readMember(
  file: string,
  output: string,
  allowMissing: boolean,
  context: CliContext,
): FleetMember {
  try {
    const { path, report } = readReport(file, context.directory)
    if (existsSync(output) && realpathSync(path) === realpathSync(output)) {
      throw new UsageError(`--output: ${file} is a report to merge and would be overwritten.`)
    }
    const member = { path: file, run: digest(report, readHistoryOf(path, context)) }
    const page = join(dirname(path), 'report.html')
    if (!existsSync(page)) return member
    // The URL is relative to the written page.
    const steps = relative(dirname(output), page).split(/[\\/]/)
    return { ...member, page: steps.map(encodeURIComponent).join('/') }
  } catch (error) {
    if (!(error instanceof MissingReportError)) throw error
    if (allowMissing) return { path: file }
    const hint = 'Use --allow-missing to show it as a deployment without a report.'
    throw new UsageError(`merge: ${error.message} ${hint}`)
  }
}

/** Returns names of deployments by location of the report; an option overrides the file. */
function readNames(
  { name = [], names }: MergeOptions,
  locations: ReadonlySet<string>,
  directory: string,
) {
  const text = names === undefined ? '{}' : readNamedFile('--names', names, directory)
  const read = parsedJson<Record<string, string>>(text, isNames, 'object of names')
  if ('problem' in read) throw new UsageError(`--names: ${names} ${read.problem}.`)
  const fromOptions = name.map((each): [string, string] => {
    const [, report = '', displayName = ''] = /^(.+?)=(.*\S.*)$/.exec(each) ?? []
    if (locations.has(locate(report, directory))) return [report, displayName]
    throw new UsageError(`--name ${each} matches none of the reports: use REPORT=NAME.`)
  })
  return new Map(
    [...Object.entries(read.value), ...fromOptions].map(([report, displayName]) => {
      return [locate(report, directory), displayName]
    }),
  )
}

/** Returns the same location for a folder and its `report.json`. */
function locate(file: string, directory: string): string {
  return resolve(directory, file).replace(/[\\/]report\.json$/, '')
}

/**
 * Rejects an output file that exists, unless `merge` wrote it or `overwrite` is true. A report file of a run is
 * never replaced.
 */
function requireReplaceable(path: string, overwrite: boolean): void {
  const toError = (text: string) => new UsageError(`--output: ${path} ${text} Nothing was written.`)
  try {
    if (isFleetPage(readRegularFile(path))) return
  } catch {}
  const exists = existsSync(path)
  const reserved: readonly string[] = exists ? reportFileNames : ['report.json']
  if (reserved.includes(basename(path))) {
    throw toError('is a report file of a run, which merge never replaces. Name another file.')
  }
  if (!exists) return
  if (!statSync(path).isFile()) throw toError('is not a regular file.')
  if (overwrite) return
  throw toError('already exists and was not written by merge; use --overwrite to replace it.')
}

/** Writes a page with the reports side by side, or prints them, and returns the worst exit status. */
export async function action(
  files: readonly string[],
  options: MergeOptions,
  context: CliContext,
): Promise<number> {
  const { format, allowMissing = false, overwrite = false } = options
  if (format !== 'html' && (options.output !== undefined || overwrite)) {
    throw new UsageError(
      `merge: --format ${format} prints to standard output; use it without --output and --overwrite: merge … --format ${format} > FILE.`,
    )
  }
  const { output = DEFAULT_OUTPUT } = options
  const { directory } = context
  const path = resolve(directory, output)
  const distinct = new Map(files.map((file) => [file.trim() && locate(file, directory), file]))
  const names = readNames(options, new Set(distinct.keys()), directory)
  const members = [...distinct].map(([location, file]) => {
    return { ...readMember(file, path, allowMissing, context), name: names.get(location) }
  })
  const fleet = mergeReports(members)
  if (format !== 'html') {
    writeOutput(format === 'json' ? fleetJson(fleet) : fleetMarkdown(fleet), context)
    return fleet.status
  }
  requireReplaceable(path, overwrite)
  const problem = writeProblem(() => replaceFiles([{ path, content: fleetPage(fleet) }]))
  const status = fleet.status || (problem === undefined ? 0 : 3)
  const page = problem === undefined ? { file: relative(directory, path) } : {}
  writeOutput(mergedText(fleet, { ...terminalOptions(context), status, ...page }), context)
  if (problem !== undefined) logError(`${problem}. Name another file with --output.`, context)
  return status
}

export const define = (command: Command) =>
  command
    .argument('<report...>', 'report.json of each deployment, or its folder')
    .addOption(
      formatOption('a page, a comment, or data for programs', ['html', 'markdown', 'json']),
    )
    .option('--output <file>', `write the page to this file (default: ${DEFAULT_OUTPUT})`)
    .option(
      '--name <report=name>',
      'display name of a deployment, by its report as given here; may be repeated',
      (text: string, all: string[] = []) => [...all, text],
    )
    .option('--names <file>', 'the same for several, from a JSON file: {"REPORT": "NAME"}')
    .option('--overwrite', 'replace that file even if this command did not write it')
    .option('--allow-missing', 'show a report that does not exist as a deployment without one')
