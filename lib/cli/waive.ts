import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { didYouMean } from '../environment/suggestions.ts'
import { counted } from '../reports/format.ts'
import { replaceKeptFile } from '../reports/write-files.ts'
import { createNormalizer } from '../results/normalize.ts'
import {
  type Deviation,
  deviationsOf,
  type RequirementResult,
  type RunReport,
  type Waiver,
} from '../results/run-report.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { withAddedWaivers } from '../runs/waivers/add.ts'
import { matchWaiver, toPattern } from '../runs/waivers/patterns.ts'
import {
  readWaivers,
  readWaiverTemplates,
  type WaiverTemplate,
  waiverProblems,
} from '../runs/waivers/read.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { today } from './operator-files.ts'
import { selectByPattern } from './prepare-run.ts'

interface WaiveOptions extends Omit<Waiver, 'requirement' | 'reason' | 'actual'> {
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

/** Returns the failures that one of the patterns names; all of them without a pattern. */
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
  return selectByPattern(
    failed,
    ({ requirement }) => requirement,
    patterns,
    (pattern) =>
      `waive: nothing that failed in run ${run.id} is named ${pattern}.` +
      (didYouMean(pattern, [...ids, ...sections]) || ` What failed: ${ids.join(', ')}.`),
  )
}

/** Returns the `actual` of an entry for these deviations; undefined if nothing was reported of them. */
function actualPatterns(
  deviations: readonly Deviation[],
  normalize: (text: string) => string,
): Waiver['actual'] {
  const texts = deviations.map((deviation) => toPattern(deviation, normalize))
  const [first, ...others] = new Set(texts.filter((text) => text !== ''))
  return first === undefined || others.length === 0 ? first : [first, ...others]
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
    throw new UsageError(`waive: ${wrong.join('; ')}.`)
  }
  const { expires } = given
  if (expires < today()) {
    throw new UsageError(`waive: --expires ${expires} is over: today is ${today()}, in UTC.`)
  }
  const { report } = readReport(reports, directory)
  const normalize = createNormalizer(report)
  const all = selectFailures(report, patterns)
  const known = new Map<string, WaiverTemplate>()
  if (from !== undefined) {
    requireWithinYear(expires)
    const deviations = readWaiverTemplates(readNamedFile('--from', from, directory), from)
    for (const deviation of deviations) known.set(deviation.requirement, deviation)
  }
  const candidates = all.map((result) => {
    const { requirement } = result
    const template = known.get(requirement)
    const deviations = deviationsOf(result, report.exchanges)
    const isKnown = from === undefined || template !== undefined
    const { covered, others } = matchWaiver(template ?? {}, deviations, normalize)
    const unknown = others.map(
      (deviation) => `  ${requirement}: ${toPattern(deviation, normalize)}`,
    )
    return {
      requirement,
      deviations,
      template,
      covered: isKnown ? covered : [],
      unknown: isKnown ? unknown : [`  ${requirement}`],
    }
  })
  const unknown = candidates.flatMap((candidate) => candidate.unknown)
  const failed = candidates.filter(({ covered }) => covered.length > 0)
  if (failed.length === 0) {
    throw new UsageError(
      `waive: ${from} has none of what failed; nothing was written:\n${unknown.join('\n')}`,
    )
  }
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = existsSync(path) ? readNamedFile('--waivers', file, directory) : ''
  const existing = readWaivers(text, file, { mayBeEmpty: true })
  const entryOf = (id: string) => existing.find(({ requirement }) => requirement === id)
  const thereText = failed.flatMap(({ requirement, deviations }) => {
    const entry = entryOf(requirement)
    if (entry === undefined) return []
    const { others } = matchWaiver(entry, deviations, normalize)
    const missing = others.map((one) => `    not in its actual: ${toPattern(one, normalize)}`)
    return [`  ${requirement}, until ${entry.expires}`, ...missing]
  })
  const added = failed
    .filter(({ requirement }) => entryOf(requirement) === undefined)
    .map(({ requirement, template, covered }): Waiver => {
      const { reason, link } = template ?? given
      const actual = template?.actual ?? actualPatterns(covered, normalize)
      return {
        ...{ requirement, reason, owner: given.owner, expires },
        ...(actual !== undefined && { actual }),
        ...(link !== undefined && { link }),
      }
    })
  if (added.length === 0) {
    throw new UsageError(
      `waive: ${file} has entries already for all of that; change their date, reason or actual there:\n` +
        thereText.join('\n'),
    )
  }
  const problem = writeProblem(() =>
    replaceKeptFile(path, withAddedWaivers(text, added, path.endsWith('.json'))),
  )
  if (problem !== undefined) {
    logError(`${problem}.`, context)
    return 3
  }
  const shellWord = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  const lines = [
    `${file}: ${counted(added.length, 'entry', 'entries')} added, until ${expires}`,
    ...added.map(({ requirement }) => `  ${requirement}`),
    ...(thereText.length === 0 ? [] : ['There already, and left as they are:', ...thereText]),
    ...(unknown.length === 0 ? [] : [`Not in ${from}, and still failing:`]),
    ...unknown,
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
        'use the reasons and the accepted deviations of this file, such as config/waivers/gitea.yaml, and leave out other failures',
      ).conflicts(['reason', 'link']),
    )
    .requiredOption('--owner <name>', 'who answers for it')
    .requiredOption('--expires <date>', 'the last day on which it holds: YYYY-MM-DD')
    .option('--link <url>', 'where more is told')
    .option('--reports <directory>', 'where the report of that run is', 'reports')
    .option('--waivers <file>', 'the file to add to, in YAML or JSON', 'waivers.yaml')
