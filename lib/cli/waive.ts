import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { shellWord } from '../probe/curl.ts'
import { abbreviatedIds, formatCommand } from '../reports/report-text.ts'
import { environmentOption } from '../reports/rerun-commands.ts'
import type { Waiver } from '../results/run-report.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { unneededWaivers, waiverFor } from '../runs/waivers/apply.ts'
import { changedWaivers, readWaivers, waiverProblems } from '../runs/waivers/waivers-file.ts'
import { counted } from '../text/quantities.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { openFile } from './files.ts'
import { selectItems } from './select.ts'

type WaiverTexts = Omit<Waiver, 'requirement' | 'cases'>

interface WaiveOptions extends Partial<WaiverTexts> {
  prune?: boolean
  reports: string
  waivers: string
}

const idOf = ({ requirement }: { requirement: string }) => requirement

/** @throws UsageError for a text that a waiver must not have */
function parseTexts({ reason, owner, expires, link }: WaiveOptions): WaiverTexts {
  if (reason === undefined) {
    throw new UsageError("waive: required option '--reason <text>' not specified.")
  }
  const given = Object.entries({ reason, owner, expires, link })
  const texts = Object.fromEntries(
    given.flatMap(([name, text]) => (text === undefined ? [] : [[name, text.trim()]])),
  ) as WaiverTexts
  const problems = waiverProblems(texts)
  const today = new Date().toISOString().slice(0, 10)
  if (problems.length === 0 && (texts.expires ?? today) < today)
    problems.push(`--expires ${texts.expires} is in the past: name a later day`)
  if (problems.length > 0) throw new UsageError(`waive: ${problems.join('; ')}.`)
  return texts
}

/** Writes waivers for the failures of the last run, or removes unused waivers. Needs no configuration and sends nothing. */
export async function action(
  patterns: readonly string[],
  options: WaiveOptions,
  { directory, program, errors, output, redactor }: CliContext,
): Promise<number> {
  const { waivers: name, prune } = options
  const texts = prune ? undefined : parseTexts(options)
  const report = readReport(options.reports, directory)
  const { run, waivers: reviewed } = report
  if (prune && reviewed === undefined) {
    throw new UsageError(`waive: run ${run.id} had no --waivers: run with ${name} first.`)
  }
  const { path, read, write } = openFile('--waivers', name, directory, 'update')
  const text = prune || existsSync(path) ? read() : ''
  const entries = readWaivers(text, name, !prune)
  const isJson = path.endsWith('.json')

  function writeChanges(changes: Parameters<typeof changedWaivers>[1], rows: string[]): number {
    const problem = write(changedWaivers(text, changes, isJson))
    if (problem === undefined) output.write(`${safeForTerminal(rows.join('\n'), redactor)}\n`)
    else logError(`${problem}.`, { errors, redactor })
    return problem === undefined ? 0 : 3
  }

  if (texts === undefined) {
    const unneeded = unneededWaivers(reviewed ?? [], entries)
    const removed = selectItems(unneeded, idOf, patterns, (pattern) => {
      return `waive: ${pattern} matches no entry that run ${run.id} did not need.`
    })
    return writeChanges({ removed: new Set(removed.map(idOf)) }, [
      `${name}: ${counted(removed.length, 'entry', 'entries')} removed`,
      ...removed.map(({ requirement, state }) => `  ${requirement}: ${state}`),
    ])
  }
  const present = new Set(entries.map(idOf))
  const all = report.results.filter(({ verdict }) => verdict === 'fail')
  if (all.length === 0) throw new UsageError(`waive: nothing failed in run ${run.id}.`)
  const failed = selectItems(all, idOf, patterns, (pattern) => {
    return `waive: ${pattern} matches no failure of run ${run.id}. Failures: ${abbreviatedIds(all.map(idOf))}.`
  })
  const added = failed.filter((one) => !present.has(idOf(one)))
  if (added.length === 0) {
    throw new UsageError(
      `waive: ${name} has entries for all failures; remove an entry to write it again.`,
    )
  }
  const files = [...new Set([...(run.waiversFiles ?? []), name])]
  const use = ['run', ...environmentOption(run), '--waivers', ...files].map(shellWord).join(' ')
  return writeChanges({ added: added.map((one) => waiverFor(one, texts, report)) }, [
    `${name}: ${counted(added.length, 'entry', 'entries')} added`,
    ...added.map(({ requirement }) => `  ${requirement}`),
    `Use it in runs against the same target: ${formatCommand(use, program)}`,
  ])
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
