import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import picomatch from 'picomatch'
import type { RequirementResult, RunReport, Waiver } from '../conformance/result.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { didYouMean } from '../target/nearest.ts'
import { joinNames } from '../target/problems.ts'
import { safeForTerminal } from './defects.ts'
import { invocation, shellArgument } from './invocation.ts'
import { envFileOption } from './options.ts'
import { processSurroundings, type Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

export interface WaiveOptions {
  reports: string
  waivers: string
  reason: string
  owner: string
  expires: string
  link?: string
}

const NOT_WRITTEN = 3

const shownFailed = 3

/** What is to be said of a row that a pattern names and that did not fail. */
const words: Record<RequirementResult['verdict'], string> = {
  fail: 'failed',
  pass: 'passed',
  inconclusive: 'got no verdict',
  skipped: 'was skipped',
  waived: 'is waived already',
  advisory: 'is only advised of, which fails no run',
}

function matcherOf(pattern: string): (id: string) => boolean {
  if (pattern.trim() === '') throw new UsageError('waive: a pattern names nothing.')
  const matches = picomatch([pattern, `${pattern.replace(/\/$/, '')}/**`])
  return (id) => matches(id)
}

/** What there is to name, where nothing is near what was named. */
function failedText(failed: readonly RequirementResult[]): string {
  if (failed.length === 0) return 'Nothing failed in that run.'
  const shown = failed
    .slice(0, shownFailed)
    .map(({ requirement }) => printableSentence(requirement))
  const more = failed.length - shown.length
  return `What failed: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/**
 * A folder that does not exist is taken for a slip, and not made as that of reports is: entries in
 * a second file, which no run reads, would waive nothing.
 *
 * @throws UsageError
 */
function requireFolder(path: string, file: string): void {
  const folder = dirname(path)
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return
  const what = stat === undefined ? 'does not exist: correct the path, or make it' : 'is no folder'
  throw new UsageError(
    `waive: --waivers: ${printableSentence(file)} would stand in ${printableSentence(folder)}, ` +
      `which ${what}. Nothing was written.`,
  )
}

function noneFailed(pattern: string, { results, run }: RunReport): UsageError {
  const named = results.filter(({ requirement }) => matcherOf(pattern)(requirement))
  const shown = printableSentence(pattern)
  const [only] = named
  if (only === undefined) {
    const ids = results.map(({ requirement }) => requirement)
    const sections = ids.map((id) => id.slice(0, id.lastIndexOf('/')))
    const failed = results.filter(({ verdict }) => verdict === 'fail')
    const near = didYouMean(pattern, [...ids, ...sections])
    return new UsageError(
      `waive: the report has no requirement ${shown}.${near || ` ${failedText(failed)}`}`,
    )
  }
  const what =
    named.length === 1
      ? `${only.requirement} ${words[only.verdict]}`
      : `none of the ${named.length} requirements that ${shown} names failed`
  return new UsageError(
    `waive: ${what} in run ${printableSentence(run.id)}. Only what failed can be waived.`,
  )
}

function failing(report: RunReport, patterns: readonly string[]): string[] {
  const failed = report.results
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ requirement }) => requirement)
  if (patterns.length === 0) {
    if (failed.length > 0) return failed
    throw new UsageError(
      `waive: nothing failed in run ${printableSentence(report.run.id)}; there is nothing to waive.`,
    )
  }
  const matchers = patterns.map((pattern) => {
    const matches = matcherOf(pattern)
    if (!failed.some(matches)) throw noneFailed(pattern, report)
    return matches
  })
  return failed.filter((id) => matchers.some((matches) => matches(id)))
}

function entries(ids: readonly string[], options: WaiveOptions): Waiver[] {
  const { reason, owner, expires, link } = options
  return ids.map((requirement) => ({
    requirement,
    reason: reason.trim(),
    owner: owner.trim(),
    expires: expires.trim(),
    ...(link === undefined ? {} : { link: link.trim() }),
  }))
}

/**
 * The parser would tell of one that is missing at a time.
 *
 * @throws UsageError that names all options that are missing
 */
function requireComplete(options: Partial<WaiveOptions>): asserts options is WaiveOptions {
  const { reason, owner, expires } = options
  const missing = Object.entries({
    '--reason <text>': reason,
    '--owner <name>': owner,
    '--expires <date>': expires,
  }).flatMap(([flags, value]) => (value === undefined ? [flags] : []))
  if (missing.length > 0) throw new UsageError(`waive needs ${joinNames(missing)} too.`)
}

function thereText({ requirement, expires }: Waiver): string {
  return `  ${requirement}, until ${expires}`
}

/**
 * @param missing ids without an entry
 * @param there the entries of the others
 * @throws UsageError where nothing is left to add, for a pattern or at all
 */
function requireMissing(
  patterns: readonly string[],
  missing: readonly string[],
  there: readonly Waiver[],
  file: string,
): void {
  const named = (pattern: string) =>
    there.filter(({ requirement }) => matcherOf(pattern)(requirement))
  const idle = patterns.filter((pattern) => !missing.some(matcherOf(pattern)))
  const doubles = patterns.length === 0 ? there : [...new Set(idle.flatMap(named))]
  if (missing.length > 0 && idle.length === 0) return
  const what =
    patterns.length === 0
      ? 'all that failed'
      : `all that ${joinNames(idle.map(printableSentence))} names`
  throw new UsageError(
    `waive: ${printableSentence(file)} has an entry already for ${what}; change its date or reason ` +
      `there, or name other requirements:\n${doubles.map(thereText).join('\n')}`,
  )
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
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
  surroundings: Surroundings = processSurroundings(),
): Promise<number> {
  const { readReport, UnreadableReportError } = await import('../compare/read-report.ts')
  const { readWaivers, waiverProblems, waiversProblemsText } = await import('../waivers/read.ts')
  const { withAddedWaivers } = await import('../waivers/add.ts')
  const { ReportNotWrittenError, replaceFile } = await import('../reports/replace-files.ts')
  const { readNamedFile } = await import('./operator-file-access.ts')
  const { directory, environment, errors, output, redactor } = surroundings

  const read = () => {
    try {
      return readReport(resolve(directory, options.reports)).report
    } catch (error) {
      if (error instanceof UnreadableReportError) throw new UsageError(`waive: ${error.message}`)
      throw error
    }
  }
  const wrong = waiverProblems(options)
  if (wrong.length > 0) {
    throw new UsageError(`waive: ${wrong.map((problem) => `--${problem}`).join('; ')}.`)
  }
  if (options.expires.trim() < today()) {
    throw new UsageError(
      `waive: --expires ${options.expires} is over: today is ${today()}, in UTC. Name a later day.`,
    )
  }
  const failed = failing(read(), patterns)
  const path = resolve(directory, options.waivers)
  requireFolder(path, options.waivers)
  const text = existsSync(path) ? readNamedFile('--waivers', options.waivers, directory) : ''
  const existing = readWaivers(text, { mayBeEmpty: true })
  if ('problems' in existing) {
    throw new UsageError(waiversProblemsText(options.waivers, existing.problems))
  }
  const there = existing.waivers.filter(({ requirement }) => failed.includes(requirement))
  const ids = failed.filter((id) => there.every(({ requirement }) => requirement !== id))
  requireMissing(patterns, ids, there, options.waivers)
  const added = entries(ids, options)
  try {
    replaceFile(path, withAddedWaivers(text, added, path.endsWith('.json')))
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    errors.write(safeForTerminal(`plumbline: ${error.message}.\n`, redactor))
    return NOT_WRITTEN
  }
  const runCommand = invocation('run', environment)
  const lines = [
    `${options.waivers}: ${counted(added.length, 'entry', 'entries')} added, until ${added[0]?.expires}`,
    ...ids.map((id) => `  ${id}`),
    ...(there.length === 0
      ? []
      : ['There already, and left as they are:', ...there.map(thereText)]),
    `Give it to a run of the same deployment: ${runCommand} --waivers ${shellArgument(options.waivers)}`,
  ]
  output.write(`${safeForTerminal(lines.join('\n'), redactor)}\n`)
  return 0
}

export function waiveCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('waive')
    .description('take what failed in the last run for a known deviation, for a time')
    .argument(
      '[pattern...]',
      'of what failed: ids, their beginnings, or globs; without one, all that failed',
    )
    .option('--reports <directory>', 'where the report of that run is', 'reports')
    .option('--waivers <file>', 'the file to add to, in YAML or JSON', 'waivers.yaml')
    .option('--reason <text>', 'why the deviation is accepted for now; required')
    .option('--owner <name>', 'who answers for it; required')
    .option('--expires <date>', 'the last day on which it holds: YYYY-MM-DD; required')
    .option('--link <url>', 'where more is told')
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nExit status: 0 the entries were written, 2 there is nothing to waive or the command line or\n' +
        'a file is wrong, 3 the file could not be written.',
    )
    .action((patterns: string[], options: Partial<WaiveOptions>) => {
      requireComplete(options)
      return finish(waive(patterns, options, surroundings))
    })
}
