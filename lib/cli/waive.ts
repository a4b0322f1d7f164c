import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { readReport } from '../compare/read-report.ts'
import type { RunReport, Waiver } from '../conformance/result.ts'
import { didYouMean } from '../environment/nearest.ts'
import { replaceKeptFile } from '../reports/replace-files.ts'
import { counted } from '../reports/run-words.ts'
import { withAddedWaivers } from '../waivers/add.ts'
import { type Deviation, readDeviations, readWaivers, waiverProblems } from '../waivers/read.ts'
import { type CliContext, complain, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { today } from './operator-files.ts'
import { selectNamed } from './prepare-run.ts'

interface WaiveOptions extends Omit<Waiver, 'requirement' | 'reason'> {
  reason?: string
  from?: string
  reports: string
  waivers: string
}

/** What is known of a kind of server is looked at again after a year: its next release may not do it. */
function requireWithinYear(expires: string): void {
  const day = today()
  const last = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
  if (expires <= last) return
  throw new UsageError(
    `waive: --expires ${expires} is more than a year ahead; with --from it is ${last} at the latest.`,
  )
}

/** Ids of what failed and one of the patterns names; without a pattern, of all that failed. */
function failing({ results, run }: RunReport, patterns: readonly string[]): readonly string[] {
  const failed = results.flatMap((one) => (one.verdict === 'fail' ? one.requirement : []))
  if (failed.length === 0) {
    throw new UsageError(`waive: nothing failed in run ${run.id}; there is nothing to waive.`)
  }
  const sections = failed.map((id) => id.slice(0, id.lastIndexOf('/')))
  return selectNamed(
    failed,
    (id) => id,
    patterns,
    (pattern) =>
      `waive: nothing that failed in run ${run.id} is named ${pattern}.` +
      (didYouMean(pattern, [...failed, ...sections]) || ` What failed: ${failed.join(', ')}.`),
  )
}

/** Writes a waiver for what failed in the last run. Needs no configuration and sends nothing. */
export async function action(
  patterns: readonly string[],
  { reports, waivers: file, link, from, ...texts }: WaiveOptions,
  context: CliContext,
): Promise<number> {
  const { directory, output, redactor } = context
  if (from === undefined && texts.reason === undefined) {
    throw new UsageError(
      "waive: required option '--reason <text>' not specified, nor --from <file>, which has reasons.",
    )
  }
  const given = {
    reason: texts.reason?.trim() ?? 'that of --from',
    owner: texts.owner.trim(),
    expires: texts.expires.trim(),
    ...(link !== undefined && { link: link.trim() }),
  }
  const wrong = waiverProblems(given)
  if (wrong.length > 0) {
    throw new UsageError(`waive: ${wrong.map((problem) => problem.replace('/', '--')).join('; ')}.`)
  }
  const { expires } = given
  if (expires < today()) {
    throw new UsageError(`waive: --expires ${expires} is over: today is ${today()}, in UTC.`)
  }
  const all = failing(readReport(reports, directory).report, patterns)
  const known = new Map<string, Deviation>()
  if (from !== undefined) {
    requireWithinYear(expires)
    const deviations = readDeviations(readNamedFile('--from', from, directory), from)
    for (const deviation of deviations) known.set(deviation.requirement, deviation)
  }
  const unknown = from === undefined ? [] : all.filter((id) => !known.has(id))
  const failed = all.filter((id) => !unknown.includes(id))
  if (failed.length === 0) {
    throw new UsageError(
      `waive: ${from} has none of what failed; nothing was written:\n  ${unknown.join('\n  ')}`,
    )
  }
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const existing = readWaivers(text, file, { mayBeEmpty: true })
  const there = existing.filter(({ requirement }) => failed.includes(requirement))
  const ids = failed.filter((id) => there.every(({ requirement }) => requirement !== id))
  const thereText = there.map((waiver) => `  ${waiver.requirement}, until ${waiver.expires}`)
  if (ids.length === 0) {
    throw new UsageError(
      `waive: ${file} has entries already for all of that; change their date or reason there:\n` +
        thereText.join('\n'),
    )
  }
  const added = ids.map((requirement): Waiver => {
    const { reason, link } = known.get(requirement) ?? given
    return { requirement, ...given, reason, ...(link !== undefined && { link }) }
  })
  const problem = writeProblem(() =>
    replaceKeptFile(path, withAddedWaivers(text, added, path.endsWith('.json'))),
  )
  if (problem !== undefined) {
    complain(`${problem}.`, context)
    return 3
  }
  const shellWord = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  const lines = [
    `${file}: ${counted(ids.length, 'entry', 'entries')} added, until ${expires}`,
    ...ids.map((id) => `  ${id}`),
    ...(there.length === 0 ? [] : ['There already, and left as they are:', ...thereText]),
    ...(unknown.length === 0 ? [] : [`Not in ${from}, and still failing:`]),
    ...unknown.map((id) => `  ${id}`),
    `Give it to a run of the same deployment: plumbline run --waivers ${shellWord}`,
  ]
  output.write(`${safeForTerminal(lines.join('\n'), redactor)}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .argument(
      '[pattern...]',
      'of what failed: ids, sections, names, or globs; without one, all that failed',
    )
    .option('--reason <text>', 'why the deviation is accepted for now')
    .addOption(
      new Option(
        '--from <file>',
        'take the reasons from that file, such as config/waivers/gitea.yaml, and leave out what it does not have',
      ).conflicts(['reason', 'link']),
    )
    .requiredOption('--owner <name>', 'who answers for it')
    .requiredOption('--expires <date>', 'the last day on which it holds: YYYY-MM-DD')
    .option('--link <url>', 'where more is told')
    .option('--reports <directory>', 'where the report of that run is', 'reports')
    .option('--waivers <file>', 'the file to add to, in YAML or JSON', 'waivers.yaml')
