import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { type Command, Option } from 'commander'
import { shellWord } from '../probe/curl.ts'
import { formatCommand } from '../reports/report-text.ts'
import { replaceFiles } from '../reports/write-files.ts'
import type { RequirementResult, RunReport, Waiver, WaiverState } from '../results/run-report.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { toCaseGlobs } from '../runs/waivers/case-globs.ts'
import {
  changedWaivers,
  readWaivers,
  type WaiverChanges,
  waiverProblems,
} from '../runs/waivers/waivers-file.ts'
import { counted } from '../text/quantities.ts'
import { didYouMean } from '../text/suggestions.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { today } from './operator-files.ts'
import { selectItems } from './prepare-run.ts'

interface WaiveOptions extends Partial<Pick<Waiver, 'reason' | 'owner' | 'expires' | 'link'>> {
  prune?: boolean
  reports: string
  waivers: string
}

/** Returns the failures that patterns name. */
function selectFailures(
  { results, run }: RunReport,
  patterns: readonly string[],
): readonly RequirementResult[] {
  const failed = results.filter(({ verdict }) => verdict === 'fail')
  if (failed.length === 0) {
    throw new UsageError(`waive: nothing failed in run ${run.id}; there is nothing to waive.`)
  }
  const ids = failed.map(({ requirement }) => requirement)
  const sections = ids.map((id) => id.slice(0, id.lastIndexOf('/')))
  return selectItems(
    failed,
    ({ requirement }) => requirement,
    patterns,
    (pattern) =>
      `waive: ${pattern} matches no failure of run ${run.id}.` +
      (didYouMean(pattern, [...ids, ...sections]) || ` Failures: ${ids.join(', ')}.`),
  )
}

/** Returns the comment with which editors find the schema; empty if its path has spaces, as no editor reads it. */
function schemaComment(file: string): string {
  // Compiled files are in a folder of the package.
  const module = import.meta.url.replace(/\.build\/(?=lib\/cli\/)/, '')
  const schema = fileURLToPath(new URL('../../suites/waivers.schema.json', module))
  const path = relative(dirname(file), schema)
  return /\s/.test(path) ? '' : `# yaml-language-server: $schema=${path}\n`
}

/** @throws UsageError for a text that a waiver must not have */
function parseTexts({ reason, owner, expires, link }: WaiveOptions) {
  if (reason === undefined) {
    throw new UsageError("waive: required option '--reason <text>' not specified.")
  }
  const texts = {
    reason: reason.trim(),
    ...(owner !== undefined && { owner: owner.trim() }),
    ...(expires !== undefined && { expires: expires.trim() }),
    ...(link !== undefined && { link: link.trim() }),
  }
  const problems = waiverProblems(texts)
  if (problems.length > 0) throw new UsageError(`waive: ${problems.join('; ')}.`)
  if (texts.expires === undefined || texts.expires >= today()) return texts
  throw new UsageError(
    `waive: --expires ${texts.expires} is in the past: today is ${today()} in UTC.`,
  )
}

/** Returns the entry for a failure, with globs of its cases if others conform. */
function toWaiver(
  { requirement, cases }: RequirementResult,
  texts: ReturnType<typeof parseTexts>,
  report: RunReport,
): Waiver {
  const ids = (numbers: readonly number[] = []) =>
    numbers.flatMap((number) => report.cases[number] ?? [])
  const others = ids(cases?.conforming)
  const globs = others.length === 0 ? [] : toCaseGlobs(ids(cases?.deviating), others)
  return { requirement, ...(globs.length > 0 && { cases: globs }), ...texts }
}

interface WaiversFile {
  path: string
  text: string
  entries: readonly Waiver[]
}

function openFile(file: string, directory: string, mayBeEmpty: boolean): WaiversFile {
  const path = requireWritable('--waivers', file, directory, 'updated')
  const isNew = mayBeEmpty && !existsSync(path)
  const text = isNew ? '' : readNamedFile('--waivers', file, directory)
  return { path, text, entries: readWaivers(text, file, { mayBeEmpty }) }
}

/** Writes the changed file, prints the rows, and returns the exit status. */
function writeChanges(
  { path, text }: WaiversFile,
  changes: WaiverChanges,
  rows: readonly string[],
  context: CliContext,
): number {
  const isJson = path.endsWith('.json')
  const head = text.trim() === '' && !isJson ? schemaComment(path) : ''
  const content = head + changedWaivers(text, changes, isJson)
  const problem = writeProblem(() => replaceFiles([{ path, content }]))
  if (problem !== undefined) {
    logError(`${problem}.`, context)
    return 3
  }
  context.output.write(`${safeForTerminal(rows.join('\n'), context.redactor)}\n`)
  return 0
}

/** Reasons for the removal of an entry, by its state in the run. */
const removable: Partial<Record<WaiverState, string>> = {
  unused: 'it is no longer needed',
  unknown: 'no requirement has this id',
}

/** Removes the waivers that the last run did not need. */
function pruneWaivers(
  patterns: readonly string[],
  file: string,
  { waivers: reviewed, run }: RunReport,
  context: CliContext,
): number {
  if (reviewed === undefined) {
    throw new UsageError(`waive: run ${run.id} had no --waivers: run with ${file} first.`)
  }
  const opened = openFile(file, context.directory, false)
  // The run says nothing about an entry that was changed after it.
  const unneeded = reviewed.filter(
    ({ state, requirement, cases }) =>
      removable[state] !== undefined &&
      opened.entries.some((one) =>
        isDeepStrictEqual([one.requirement, one.cases], [requirement, cases]),
      ),
  )
  const idOf = ({ requirement }: Waiver) => requirement
  const removed = selectItems(unneeded, idOf, patterns, (pattern) => {
    return `waive: ${pattern} matches no entry that run ${run.id} did not need.`
  })
  const rows = [
    `${file}: ${counted(removed.length, 'entry', 'entries')} removed`,
    ...removed.map(({ requirement, state }) => `  ${requirement}: ${removable[state]}`),
  ]
  return writeChanges(opened, { removed: new Set(removed.map(idOf)) }, rows, context)
}

/** Writes waivers for the failures of the last run, or removes unused waivers. Needs no configuration and sends nothing. */
export async function action(
  patterns: readonly string[],
  options: WaiveOptions,
  context: CliContext,
): Promise<number> {
  const { reports, waivers: file, prune } = options
  const { directory, program } = context
  const texts = prune ? undefined : parseTexts(options)
  const { report } = readReport(reports, directory)
  if (texts === undefined) return pruneWaivers(patterns, file, report, context)
  const opened = openFile(file, directory, true)
  const present = new Set(opened.entries.map(({ requirement }) => requirement))
  const failed = selectFailures(report, patterns)
  const existing = failed.flatMap(({ requirement }) =>
    present.has(requirement) ? requirement : [],
  )
  const added = failed
    .filter(({ requirement }) => !present.has(requirement))
    .map((result) => toWaiver(result, texts, report))
  const kept = existing.map((requirement) => `  ${requirement}`)
  if (added.length === 0) {
    throw new UsageError(
      `waive: ${file} already has entries for all failures; edit them, or remove an entry to write it again:\n${kept.join('\n')}`,
    )
  }
  const at = report.run.options.indexOf('--env-file')
  const envFile = at < 0 ? [] : report.run.options.slice(at, at + 2)
  const use = ['run', ...envFile, '--waivers', file].map(shellWord).join(' ')
  const rows = [
    `${file}: ${counted(added.length, 'entry', 'entries')} added`,
    ...added.map(({ requirement }) => `  ${requirement}`),
    ...(kept.length > 0 ? ['Already there, unchanged:', ...kept] : []),
    `Use it in runs against the same target: ${formatCommand(use, program)}`,
  ]
  return writeChanges(opened, { added }, rows, context)
}

export const define = (command: Command) =>
  command
    .argument('[pattern...]', 'failures: ids, sections, names, or globs; without one, all failures')
    .option('--reason <text>', 'why the deviation is accepted for now')
    .option('--owner <name>', 'person or team responsible for the deviation')
    .option('--expires <date>', 'last day of the waiver: YYYY-MM-DD')
    .option('--link <url>', 'page with details, such as an issue')
    .addOption(
      new Option(
        '--prune',
        'instead, remove the entries that the last run did not need: unused and unknown ones',
      ).conflicts(['reason', 'owner', 'expires', 'link']),
    )
    .option('--reports <directory>', 'directory of the report', 'reports')
    .option('--waivers <file>', 'the file to change, in YAML or JSON', 'waivers.yaml')
