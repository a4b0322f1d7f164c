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
  type WaivedDeviation,
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

/** Returns the failures that patterns name, and waived results whose entry may be rewritten. */
function selectFailures(
  { results, run }: RunReport,
  patterns: readonly string[],
  rewritable: ReadonlySet<string>,
): readonly RequirementResult[] {
  const failed = results.filter(({ requirement, verdict }) => {
    return verdict === 'fail' || (verdict === 'waived' && rewritable.has(requirement))
  })
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

/** Changes of the file for one failure, and lines about what it does not cover. */
interface Candidate {
  added?: Waiver
  rewritten?: { requirement: string; deviations: WaivedDeviation[]; lines: string[] }
  /** Lines about an entry that stays. */
  existing: string[]
  /** Lines about deviations that no template covers. */
  unknown: string[]
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
  const { expires, owner } = texts
  const { report } = readReport(reports, directory)
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const existing = new Map(
    readWaivers(text, file, { mayBeEmpty: true }).map((entry) => [entry.requirement, entry]),
  )
  const withoutCases = [...existing.values()].filter(({ deviations }) => deviations === undefined)
  const rewritable = eachCase ? withoutCases : []
  const ids = new Set(rewritable.map(({ requirement }) => requirement))
  const failed = selectFailures(report, patterns, ids)
  let templates: readonly WaiverTemplate[] | undefined
  if (from !== undefined) {
    requireWithinYear(expires)
    templates = readWaiverTemplates(readNamedFile('--from', from, directory), from)
  }
  const normalize = createNormalizer(report)
  const toWaived = (deviations: readonly Deviation[]) =>
    toWaivedDeviations(deviations, normalize, report.cases)
  const lines = (start: string, others: readonly Deviation[]) =>
    toWaived(others).map(({ actual, cases }) => `${start}: ${actual} (${firstTexts(cases)})`)

  /** Returns the change of the entry that a failure has. */
  function changed(entry: Waiver, result: RequirementResult, all: Deviation[]): Candidate {
    const { requirement } = result
    const { covered, others, unmatched } = matchWaiver(entry, all, normalize, report.cases)
    // The cases of deviations that were not kept are unknown.
    const isKept = result.furtherDeviations === undefined
    const rows = [`  ${requirement}, until ${entry.expires}`, ...lines('    not covered', others)]
    if (!ids.has(requirement) || !isKept || unmatched.length > 0) {
      // A deviation that is not in this run may be in the next one.
      const rest = ids.has(requirement) ? unmatched : []
      const unseen = rest.map((text) => `    not in this run: ${text}`)
      return { existing: [...rows, ...unseen], unknown: [] }
    }
    const rewritten = { requirement, deviations: toWaived(covered), lines: rows }
    return { rewritten, existing: [], unknown: [] }
  }

  const candidates = failed.map((result): Candidate => {
    const { requirement } = result
    const deviations = deviationsOf(result, report.exchanges)
    const entry = existing.get(requirement)
    if (entry !== undefined) return changed(entry, result, deviations)
    const template = templates?.findLast((one) => one.requirement === requirement)
    if (templates !== undefined && template === undefined) {
      return { existing: [], unknown: [`  ${requirement}`] }
    }
    const { covered, others } = matchWaiver(template ?? {}, deviations, normalize)
    const unknown = others.map((one) => `  ${requirement}: ${toPattern(one, normalize)}`)
    if (covered.length === 0) return { existing: [], unknown }
    const { reason, link } = template ?? texts
    const added = {
      ...{ requirement, reason, owner, expires },
      ...(link !== undefined && { link }),
      ...(eachCase
        ? { deviations: toWaived(covered) }
        : toWaiverContent(covered, result.cases?.conforming ?? [], normalize, report.cases)),
    }
    return { added, existing: [], unknown }
  })
  const unknown = candidates.flatMap((one) => one.unknown)
  const existingLines = candidates.flatMap((one) => one.existing)
  const added = candidates.flatMap((one) => one.added ?? [])
  const changes = candidates.flatMap((one) => one.rewritten ?? [])
  const rewritten = new Map(changes.map((one) => [one.requirement, one.deviations]))
  if (added.length + changes.length === 0) {
    throw new UsageError(
      existingLines.length === 0
        ? `waive: ${from} has no entry for these failures; nothing was written:\n${unknown.join('\n')}`
        : `waive: ${file} already has entries for all failures; edit their date or reason, or remove an entry to write it again:\n${existingLines.join('\n')}`,
    )
  }
  const isJson = file.endsWith('.json')
  const head = text.trim() === '' && !isJson ? schemaComment(path) : ''
  const content = head + changedWaivers(text, { added, rewritten }, isJson)
  const problem = writeProblem(() => replaceFiles([{ path, content }]))
  if (problem !== undefined) {
    logError(`${problem}.`, context)
    return 3
  }
  const at = report.run.options.indexOf('--env-file')
  const envFile = at < 0 ? [] : report.run.options.slice(at, at + 2)
  const use = ['run', ...envFile, '--waivers', file].map(shellWord).join(' ')
  const list = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [title, ...rows]
  const rows = [
    ...list(
      `${file}: ${counted(added.length, 'entry', 'entries')} added, until ${expires}`,
      added.map(({ requirement }) => `  ${requirement}`),
    ),
    ...list(
      `${file}: ${counted(changes.length, 'entry', 'entries')} rewritten, with the deviation of each case`,
      changes.flatMap(({ lines }) => lines),
    ),
    ...list('Already there, unchanged:', existingLines),
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
    .option(
      '--each-case',
      'list each case, so that any other case fails; also in existing entries without cases',
    )
    .option('--link <url>', 'page with details, such as an issue')
    .addOption(
      new Option(
        '--prune',
        'instead, remove the entries that the last run did not need: unused and unknown ones',
      ).conflicts(['reason', 'from', 'owner', 'expires', 'link']),
    )
    .option('--reports <directory>', 'directory of the report', 'reports')
    .option('--waivers <file>', 'the file to change, in YAML or JSON', 'waivers.yaml')
