import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { ajv } from '../conformance/ajv.ts'
import { readRegularFile } from '../environment/read-file.ts'
import { reportFileNames } from '../reports/report-files.ts'
import { parsedJson } from '../reports/schema-errors.ts'
import { replaceFiles } from '../reports/write-files.ts'
import { MissingReportError, readReport } from '../runs/compare/read-report.ts'
import { digest, type FleetMember, mergedText, mergeReports } from '../runs/fleet/fleet.ts'
import { fleetPage, isFleetPage } from '../runs/fleet/page.ts'
import { type CliContext, logError, terminalOptions, UsageError, writeOutput } from './context.ts'
import { readNamedFile, writeProblem } from './files.ts'

export interface MergeOptions {
  output: string
  /** As `report=name`. */
  name?: string[]
  names?: string
  allowMissing?: boolean
  overwrite?: boolean
}

function readMember(
  file: string,
  output: string,
  allowMissing: boolean,
  directory: string,
): FleetMember {
  try {
    const { path, report } = readReport(file, directory)
    if (existsSync(output) && realpathSync(path) === realpathSync(output)) {
      throw new UsageError(`--output: ${file} is one of the reports, and would be lost.`)
    }
    const member = { path: file, run: digest(report) }
    const page = join(dirname(path), 'report.html')
    if (!existsSync(page)) return member
    // A relative URL from the page that is written.
    const steps = relative(dirname(output), page).split(/[\\/]/)
    return { ...member, page: steps.map(encodeURIComponent).join('/') }
  } catch (error) {
    if (!(error instanceof MissingReportError)) throw error
    if (allowMissing) return { path: file }
    const hint = '--allow-missing shows it as a deployment without report.'
    throw new UsageError(`merge: ${error.message} ${hint}`)
  }
}

const namesSchema = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: '\\S' },
}

/** What operators call the deployments, by the place of the report; an option beats the file. */
function readNames(
  { name = [], names }: MergeOptions,
  places: ReadonlySet<string>,
  directory: string,
) {
  const text = names === undefined ? '{}' : readNamedFile('--names', names, directory)
  const read = parsedJson(text, ajv.compile<Record<string, string>>(namesSchema), 'object of names')
  if ('problem' in read) throw new UsageError(`--names: ${names} ${read.problem}.`)
  const given = name.map((each): [string, string] => {
    const [, report = '', called = ''] = /^(.+?)=(.*\S.*)$/.exec(each) ?? []
    if (places.has(reportLocation(report, directory))) return [report, called]
    throw new UsageError(`--name ${each} names none of the reports: write REPORT=NAME.`)
  })
  return new Map(
    [...Object.entries(read.value), ...given].map(([report, called]) => {
      return [reportLocation(report, directory), called]
    }),
  )
}

/** The same report may be named twice, by its folder and by overlapping globs. */
function reportLocation(file: string, directory: string): string {
  return resolve(directory, file).replace(/[\\/]report\.json$/, '')
}

/**
 * Lets a page take the place of nothing but an earlier page of `merge`, unless asked otherwise; of a
 * file with the name of a run's report in no case.
 */
function requireReplaceable(path: string, overwrite: boolean): void {
  const refused = (why: string) => new UsageError(`--output: ${path} ${why} Nothing was written.`)
  try {
    if (isFleetPage(readRegularFile(path))) return
  } catch {}
  const isThere = existsSync(path)
  const reserved = isThere ? reportFileNames : ['report.json']
  if (reserved.includes(basename(path))) {
    throw refused('is of the reports of a run, which merge never replaces. Name another file.')
  }
  if (!isThere) return
  if (!statSync(path).isFile()) throw refused('is no regular file.')
  if (overwrite) return
  throw refused('is there already, and is no page of merge. --overwrite replaces it.')
}

/** Writes a page with the reports side by side. @returns the worst exit status of the runs */
export async function action(
  files: readonly string[],
  options: MergeOptions,
  context: CliContext,
): Promise<number> {
  const { output, allowMissing = false, overwrite = false } = options
  const { directory } = context
  const path = resolve(directory, output)
  const once = new Map(files.map((file) => [file.trim() && reportLocation(file, directory), file]))
  const names = readNames(options, new Set(once.keys()), directory)
  const members = [...once].map(([place, file]) => {
    return { ...readMember(file, path, allowMissing, directory), name: names.get(place) }
  })
  requireReplaceable(path, overwrite)
  const fleet = mergeReports(members)
  const problem = writeProblem(() => replaceFiles([{ path, content: fleetPage(fleet) }]))
  const status = fleet.status || (problem === undefined ? 0 : 3)
  const page = problem === undefined ? { file: relative(directory, path) } : {}
  writeOutput(mergedText(fleet, { ...terminalOptions(context), status, ...page }), context)
  if (problem !== undefined) logError(`${problem}. Name another file with --output.`, context)
  return status
}

export const define = (command: Command) =>
  command
    .argument('<report...>', 'report.json of each deployment, or the folder that it is in')
    .option('--output <file>', 'write the page there', 'reports/merged.html')
    .option(
      '--name <report=name>',
      'what a deployment is called, by its report as it is named here; may be repeated',
      (text: string, all: string[] = []) => [...all, text],
    )
    .option('--names <file>', 'the same for several, from a JSON file: {"REPORT": "NAME"}')
    .option('--overwrite', 'replace that file even when it is no page of this command')
    .option('--allow-missing', 'show a report that does not exist as a deployment without one')
