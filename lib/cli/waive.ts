import { existsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, Option } from 'commander'
import { didYouMean } from '../environment/suggestions.ts'
import { shellWord } from '../probe/curl.ts'
import { counted, formatCommand } from '../reports/format.ts'
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
import { matchWaiver, toPattern } from '../runs/waivers/apply.ts'
import {
  readWaivers,
  readWaiverTemplates,
  type WaiverTemplate,
  waiverProblems,
  withAddedWaivers,
} from '../runs/waivers/waivers-file.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { today } from './operator-files.ts'
import { selectItems } from './prepare-run.ts'

interface WaiveOptions extends Omit<Waiver, 'requirement' | 'reason' | 'actual'> {
  reason?: string
  from?: string
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

/** Returns the `actual` of an entry for these deviations; undefined without reported values. */
function actualPatterns(
  deviations: readonly Deviation[],
  normalize: (text: string) => string,
): Waiver['actual'] {
  const texts = deviations.map((deviation) => toPattern(deviation, normalize))
  const [first, ...others] = new Set(texts.filter((text) => text !== ''))
  return first === undefined || others.length === 0 ? first : [first, ...others]
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

/**
 * Returns the deviations of a failure that a waiver covers, and lines for the others.
 *
 * @param templates undefined to cover every failure
 */
function toCandidate(
  result: RequirementResult,
  report: RunReport,
  templates: readonly WaiverTemplate[] | undefined,
  normalize: (text: string) => string,
) {
  const { requirement } = result
  const template = templates?.findLast((one) => one.requirement === requirement)
  const deviations = deviationsOf(result, report.exchanges)
  if (templates !== undefined && template === undefined) {
    return { requirement, deviations, template, covered: [], unknown: [`  ${requirement}`] }
  }
  const { covered, others } = matchWaiver(template ?? {}, deviations, normalize)
  const unknown = others.map((one) => `  ${requirement}: ${toPattern(one, normalize)}`)
  return { requirement, deviations, template, covered, unknown }
}

/** Writes waivers for the failures of the last run. Needs no configuration and sends nothing. */
export async function action(
  patterns: readonly string[],
  options: WaiveOptions,
  context: CliContext,
): Promise<number> {
  const { reports, waivers: file, from } = options
  const { directory, output, redactor, program } = context
  const texts = parseTexts(options)
  const { expires, owner } = texts
  const { report } = readReport(reports, directory)
  const normalize = createNormalizer(report)
  const all = selectFailures(report, patterns)
  let templates: readonly WaiverTemplate[] | undefined
  if (from !== undefined) {
    requireWithinYear(expires)
    templates = readWaiverTemplates(readNamedFile('--from', from, directory), from)
  }
  const candidates = all.map((result) => toCandidate(result, report, templates, normalize))
  const unknown = candidates.flatMap((candidate) => candidate.unknown)
  const failed = candidates.filter(({ covered }) => covered.length > 0)
  if (failed.length === 0) {
    throw new UsageError(
      `waive: ${from} has no entry for these failures; nothing was written:\n${unknown.join('\n')}`,
    )
  }
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const existing = readWaivers(text, file, { mayBeEmpty: true })
  const added: Waiver[] = []
  const existingLines: string[] = []
  for (const { requirement, deviations, template, covered } of failed) {
    const entry = existing.find((one) => one.requirement === requirement)
    if (entry !== undefined) {
      const { others } = matchWaiver(entry, deviations, normalize)
      const missing = others.map((one) => `    not in its actual: ${toPattern(one, normalize)}`)
      existingLines.push(`  ${requirement}, until ${entry.expires}`, ...missing)
      continue
    }
    const { reason, link } = template ?? texts
    const actual = template?.actual ?? actualPatterns(covered, normalize)
    added.push({
      ...{ requirement, reason, owner, expires },
      ...(actual !== undefined && { actual }),
      ...(link !== undefined && { link }),
    })
  }
  if (added.length === 0) {
    throw new UsageError(
      `waive: ${file} already has entries for all failures; edit their date, reason or actual:\n` +
        existingLines.join('\n'),
    )
  }
  const isJson = file.endsWith('.json')
  const head = text.trim() === '' && !isJson ? schemaComment(path) : ''
  const problem = writeProblem(() =>
    replaceFiles([{ path, content: head + withAddedWaivers(text, added, isJson) }]),
  )
  if (problem !== undefined) {
    logError(`${problem}.`, context)
    return 3
  }
  const at = report.run.options.indexOf('--env-file')
  const envFile = at < 0 ? [] : report.run.options.slice(at, at + 2)
  const use = ['run', ...envFile, '--waivers', file].map(shellWord).join(' ')
  const lines = [
    `${file}: ${counted(added.length, 'entry', 'entries')} added, until ${expires}`,
    ...added.map(({ requirement }) => `  ${requirement}`),
    ...(existingLines.length === 0 ? [] : ['Already there, unchanged:', ...existingLines]),
    ...(unknown.length === 0 ? [] : [`Not in ${from}, still failing:`]),
    ...unknown,
    `Use it in runs against the same target: ${formatCommand(use, program)}`,
  ]
  output.write(`${safeForTerminal(lines.join('\n'), redactor)}\n`)
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
    .requiredOption('--owner <name>', 'person or team responsible for the deviation')
    .requiredOption('--expires <date>', 'last day of the waiver: YYYY-MM-DD')
    .option('--link <url>', 'page with details, such as an issue')
    .option('--reports <directory>', 'directory of the report', 'reports')
    .option('--waivers <file>', 'the file to add to, in YAML or JSON', 'waivers.yaml')
