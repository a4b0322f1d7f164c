import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import { shellWord } from '../probe/curl.ts'
import { firstTexts } from '../reports/reason-text.ts'
import { formatCommand } from '../reports/report-text.ts'
import { replaceFiles } from '../reports/write-files.ts'
import { createNormalizer } from '../results/normalize.ts'
import {
  type Deviation,
  deviationsOf,
  type RequirementResult,
  type RunReport,
  type Waiver,
} from '../results/run-report.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { matchWaiver } from '../runs/waivers/match-waiver.ts'
import { toPattern, toWaivedDeviations, toWaiverContent } from '../runs/waivers/waiver-content.ts'
import {
  changedWaivers,
  readWaivers,
  readWaiverTemplates,
  type WaiverTemplate,
  waiverProblems,
} from '../runs/waivers/waivers-file.ts'
import { counted } from '../text/quantities.ts'
import { didYouMean } from '../text/suggestions.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { today } from './operator-files.ts'
import { selectItems } from './prepare-run.ts'
import { pruneWaivers } from './prune-waivers.ts'

interface WaiveOptions extends Partial<Pick<Waiver, 'reason' | 'owner' | 'expires' | 'link'>> {
  eachCase?: boolean
  from?: string
  prune?: boolean
  reports: string
  waivers: string
}

/** Limits templates of known servers to one year, because a later release may behave differently. */
function requireWithinYear(expires: string): void {
  const day = today()
  const last = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
  if (expires <= last) return
  throw new UsageError(
    `waive: --expires ${expires} is more than a year ahead; with --from it is ${last} at the latest.`,
  )
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
function parseTexts({ reason, owner, expires, link, from }: WaiveOptions) {
  if (from === undefined && reason === undefined) {
    throw new UsageError(
      "waive: required option '--reason <text>' not specified; or use --from <file>, which has reasons.",
    )
  }
  if (owner === undefined || expires === undefined) {
    const missing = owner === undefined ? '--owner <name>' : '--expires <date>'
    throw new UsageError(`waive: required option '${missing}' not specified.`)
  }
  const texts = {
    reason: reason?.trim() ?? 'from the file',
    owner: owner.trim(),
    expires: expires.trim(),
    ...(link !== undefined && { link: link.trim() }),
  }
  const problems = waiverProblems(texts)
  if (problems.length > 0) throw new UsageError(`waive: ${problems.join('; ')}.`)
  if (texts.expires >= today()) return texts
  throw new UsageError(
    `waive: --expires ${texts.expires} is in the past: today is ${today()} in UTC.`,
  )
}

interface Plan {
  added: Waiver[]
  /** Lines about entries that stay. */
  existing: string[]
  /** Lines about deviations that no template covers. */
  unknown: string[]
}

/** Returns the entries for failures. @param templates undefined to waive every deviation with the same texts */
function planEntries(
  failed: readonly RequirementResult[],
  report: RunReport,
  entries: ReadonlyMap<string, Waiver>,
  {
    texts,
    templates,
    eachCase,
  }: {
    texts: ReturnType<typeof parseTexts>
    templates: readonly WaiverTemplate[] | undefined
    eachCase: boolean
  },
): Plan {
  const plan: Plan = { added: [], existing: [], unknown: [] }
  const normalize = createNormalizer(report)
  const toWaived = (deviations: readonly Deviation[]) =>
    toWaivedDeviations(deviations, normalize, report.cases)
  for (const result of failed) {
    const { requirement, cases } = result
    const deviations = deviationsOf(result, report.exchanges)
    const entry = entries.get(requirement)
    const template = templates?.findLast((one) => one.requirement === requirement)
    if (entry !== undefined) {
      const { others } = matchWaiver(entry, deviations, normalize, report.cases)
      const rows = toWaived(others).map((one) => `${one.actual} (${firstTexts(one.cases)})`)
      plan.existing.push(`  ${requirement}, until ${entry.expires}`)
      plan.existing.push(...rows.map((row) => `    not covered: ${row}`))
    } else if (templates !== undefined && template === undefined) {
      plan.unknown.push(`  ${requirement}`)
    } else {
      const { covered, others } = matchWaiver(template ?? {}, deviations, normalize)
      const patterns = others.map((one) => toPattern(one, normalize))
      plan.unknown.push(...patterns.map((text) => `  ${requirement}: ${text}`))
      if (covered.length === 0) continue
      const { reason, link } = template ?? texts
      plan.added.push({
        ...{ requirement, reason, owner: texts.owner, expires: texts.expires },
        ...(link !== undefined && { link }),
        ...(eachCase
          ? { deviations: toWaived(covered) }
          : toWaiverContent(covered, cases?.conforming ?? [], normalize, report.cases)),
      })
    }
  }
  return plan
}

/** Writes waivers for the failures of the last run, or removes unused waivers. Needs no configuration and sends nothing. */
export async function action(
  patterns: readonly string[],
  options: WaiveOptions,
  context: CliContext,
): Promise<number> {
  if (options.prune) return pruneWaivers(patterns, options, context)
  const { eachCase = false, reports, waivers: file, from } = options
  const { directory, output, redactor, program } = context
  const texts = parseTexts(options)
  const { report } = readReport(reports, directory)
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const entries = new Map(
    readWaivers(text, file, { mayBeEmpty: true }).map((entry) => [entry.requirement, entry]),
  )
  const failed = selectFailures(report, patterns)
  let templates: readonly WaiverTemplate[] | undefined
  if (from !== undefined) {
    requireWithinYear(texts.expires)
    templates = readWaiverTemplates(readNamedFile('--from', from, directory), from)
  }
  const plan = planEntries(failed, report, entries, { texts, templates, eachCase })
  const { added, existing, unknown } = plan
  if (added.length === 0) {
    throw new UsageError(
      existing.length === 0
        ? `waive: ${from} has no entry for these failures; nothing was written:\n${unknown.join('\n')}`
        : `waive: ${file} already has entries for all failures; edit their date or reason, or remove an entry to write it again:\n${existing.join('\n')}`,
    )
  }
  const isJson = file.endsWith('.json')
  const head = text.trim() === '' && !isJson ? schemaComment(path) : ''
  const content = head + changedWaivers(text, { added }, isJson)
  const problem = writeProblem(() => replaceFiles([{ path, content }]))
  if (problem !== undefined) {
    logError(`${problem}.`, context)
    return 3
  }
  const { run } = report
  const at = run.options.indexOf('--env-file')
  const envFile = at < 0 ? [] : run.options.slice(at, at + 2)
  const use = ['run', ...envFile, '--waivers', file].map(shellWord).join(' ')
  const list = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [title, ...rows]
  const rows = [
    `${file}: ${counted(added.length, 'entry', 'entries')} added, until ${texts.expires}`,
    ...added.map(({ requirement }) => `  ${requirement}`),
    ...list('Already there, unchanged:', existing),
    ...list(`Not in ${from}, still failing:`, unknown),
    `Use it in runs against the same target: ${formatCommand(use, program)}`,
  ]
  output.write(`${safeForTerminal(rows.join('\n'), redactor)}\n`)
  return 0
}

export const define = (command: Command) =>
  command
    .argument('[pattern...]', 'failures: ids, sections, names, or globs; without one, all failures')
    .option('--reason <text>', 'why the deviation is accepted for now')
    .addOption(
      new Option(
        '--from <file>',
        'use the reasons and deviations of this file, such as config/waivers/gitea.yaml, and skip other failures',
      ).conflicts(['reason', 'link']),
    )
    .option('--owner <name>', 'person or team responsible for the deviation')
    .option('--expires <date>', 'last day of the waiver: YYYY-MM-DD')
    .option('--each-case', 'list each case, so that any other case fails')
    .option('--link <url>', 'page with details, such as an issue')
    .addOption(
      new Option(
        '--prune',
        'instead, remove the entries that the last run did not need: unused and unknown ones',
      ).conflicts(['reason', 'from', 'owner', 'expires', 'eachCase', 'link']),
    )
    .option('--reports <directory>', 'directory of the report', 'reports')
    .option('--waivers <file>', 'the file to change, in YAML or JSON', 'waivers.yaml')
