import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { RunReport, Waiver } from '../conformance/result.ts'
import { didYouMean } from '../environment/nearest.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { type CliContext, UsageError } from './context.ts'
import { readNamedFile, requireWritableInPlace } from './files.ts'
import { invocation, shellArgument } from './npm.ts'
import { type Finish, newCommand } from './options.ts'
import { safeForTerminal } from './output.ts'
import { matcherOf } from './requirements.ts'

export interface WaiveOptions {
  reports: string
  waivers: string
  reason: string
  owner: string
  expires: string
  link?: string
}

const NOT_WRITTEN = 3

/**
 * Ids of what failed and one of the patterns names; without a pattern, of all that failed.
 *
 * @throws UsageError for a pattern that names nothing that failed
 */
function failing({ results, run }: RunReport, patterns: readonly string[]): string[] {
  const failed = results
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ requirement }) => requirement)
  const runId = printableSentence(run.id)
  if (failed.length === 0) {
    throw new UsageError(`waive: nothing failed in run ${runId}; there is nothing to waive.`)
  }
  if (patterns.length === 0) return failed
  const matchers = patterns.map((pattern) => {
    if (pattern.trim() === '') throw new UsageError('waive: a pattern names nothing.')
    const matches = matcherOf(pattern)
    if (failed.some(matches)) return matches
    const sections = failed.map((id) => id.slice(0, id.lastIndexOf('/')))
    const what = `nothing that failed in run ${runId} is named ${printableSentence(pattern)}`
    const hint =
      didYouMean(pattern, [...failed, ...sections]) ||
      ` What failed: ${printableSentence(failed.join(', '))}.`
    throw new UsageError(`waive: ${what}.${hint}`)
  })
  return failed.filter((id) => matchers.some((matches) => matches(id)))
}

/**
 * Writes a waiver for what failed in the last run. Needs no configuration and sends nothing.
 *
 * @returns the exit status
 * @throws UsageError when nothing is to be waived, or a file cannot be used
 */
export async function waive(
  patterns: readonly string[],
  options: WaiveOptions,
  context: CliContext,
): Promise<number> {
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const { waiverProblems } = await import('../waivers/read.ts')
  const { withAddedWaivers } = await import('../waivers/add.ts')
  const { ReportNotWrittenError, replaceFile } = await import('../reports/replace-files.ts')
  const { parsedWaivers, today } = await import('./operator-files.ts')
  const { directory, environment, errors, output, redactor } = context
  const { reports, waivers: file, reason, owner, expires, link } = options

  const read = () => {
    try {
      return readReport(resolve(directory, reports)).report
    } catch (error) {
      if (error instanceof UnreadableReportError) throw new UsageError(`waive: ${error.message}`)
      throw error
    }
  }
  const wrong = waiverProblems(options)
  if (wrong.length > 0) {
    throw new UsageError(`waive: ${wrong.map((problem) => `--${problem}`).join('; ')}.`)
  }
  if (expires.trim() < today()) {
    throw new UsageError(
      `waive: --expires ${expires} is over: today is ${today()}, in UTC. Name a later day.`,
    )
  }
  const failed = failing(read(), patterns)
  const path = requireWritableInPlace('--waivers', file, directory)
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const existing = parsedWaivers(text, file, { mayBeEmpty: true })
  const there = existing.filter(({ requirement }) => failed.includes(requirement))
  const ids = failed.filter((id) => there.every(({ requirement }) => requirement !== id))
  const thereText = there.map((waiver) => `  ${waiver.requirement}, until ${waiver.expires}`)
  if (ids.length === 0) {
    throw new UsageError(
      `waive: ${printableSentence(file)} has entries already for all of that; change their date or ` +
        `reason there:\n${thereText.join('\n')}`,
    )
  }
  const added = ids.map(
    (requirement): Waiver => ({
      requirement,
      reason: reason.trim(),
      owner: owner.trim(),
      expires: expires.trim(),
      ...(link === undefined ? {} : { link: link.trim() }),
    }),
  )
  try {
    replaceFile(path, withAddedWaivers(text, added, path.endsWith('.json')))
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    errors.write(safeForTerminal(`plumbline: ${error.message}.\n`, redactor))
    return NOT_WRITTEN
  }
  const lines = [
    `${file}: ${counted(ids.length, 'entry', 'entries')} added, until ${expires.trim()}`,
    ...ids.map((id) => `  ${id}`),
    ...(there.length === 0 ? [] : ['There already, and left as they are:', ...thereText]),
    `Give it to a run of the same deployment: ${invocation('run', environment)} --waivers ${shellArgument(file)}`,
  ]
  output.write(`${safeForTerminal(lines.join('\n'), redactor)}\n`)
  return 0
}

export function waiveCommand(finish: Finish, context: CliContext): Command {
  return newCommand(
    'waive',
    'take what failed in the last run for a known deviation, for a time',
    '0 the entries were written, 2 there is nothing to waive or the command line or\n' +
      'a file is wrong, 3 the file could not be written.',
  )
    .argument(
      '[pattern...]',
      'of what failed: ids, their beginnings, or globs; without one, all that failed',
    )
    .requiredOption('--reason <text>', 'why the deviation is accepted for now')
    .requiredOption('--owner <name>', 'who answers for it')
    .requiredOption('--expires <date>', 'the last day on which it holds: YYYY-MM-DD')
    .option('--link <url>', 'where more is told')
    .option('--reports <directory>', 'where the report of that run is', 'reports')
    .option('--waivers <file>', 'the file to add to, in YAML or JSON', 'waivers.yaml')
    .action((patterns: string[], options: WaiveOptions) =>
      finish(waive(patterns, options, context)),
    )
}
