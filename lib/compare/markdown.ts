import { type FittingSection, fittingLines } from '../reports/fitting-sections.ts'
import { codeSpan, plainText, tableHead, tableRow } from '../reports/markdown.ts'
import { shortened } from '../reports/printable.ts'
import { abbreviatedIds, groupByReason } from '../reports/reason-groups.ts'
import type { Comparison, ComparisonOutcome } from './compare.ts'
import type { ChangedResult } from './verdicts.ts'
import {
  comparedRunText,
  deviatingOtherwise,
  failingAlike,
  groupedObservations,
  outcomeText,
  standingText,
  timingText,
  withReasonNotLookedAt,
} from './words.ts'

/** A comment on GitHub has at most 65,536 characters; some are left for whoever quotes it. */
const longest = 60_000

const idLength = 120
const valueLength = 300
const reasonLength = 400
const idsOfGroup = 8
const sectionsLength = 2000

const marks: Record<ComparisonOutcome, string> = {
  worse: '❌',
  'no worse': '✅',
  incomparable: '⚠️',
  incomplete: '⚠️',
}

const nothing: FittingSection = { before: [], rows: [], after: [], more: () => [] }

function code(id: string): string {
  return codeSpan(id, idLength)
}

function codes(ids: readonly string[]): string {
  const shown = ids.slice(0, idsOfGroup).map(code)
  const more = ids.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function leftOut(count: number): string[] {
  return ['', `… and ${count} more, with \`--format json\`.`]
}

function table(title: string, titles: readonly string[], rows: readonly string[]): FittingSection {
  if (rows.length === 0) return nothing
  return { before: [`### ${title}`, '', ...tableHead(titles)], rows, after: [''], more: leftOut }
}

/** Folded until a reader opens it; its title is ours and never a deployment's. */
function fold(title: string, head: readonly string[], rows: readonly string[]): FittingSection {
  if (rows.length === 0) return nothing
  const before = ['<details>', `<summary>${title}</summary>`, '', ...head]
  return { before, rows, after: ['', '</details>', ''], more: leftOut }
}

function foldedIds(title: string, ids: readonly string[]): FittingSection {
  return fold(
    `${title} (${ids.length})`,
    [],
    ids.map((id) => `- ${code(id)}`),
  )
}

function ids(results: readonly ChangedResult[]): string[] {
  return results.map(({ requirement }) => requirement)
}

function head(comparison: Comparison): FittingSection {
  const { outcome, before, after, conditions } = comparison
  const run = (name: string, compared: Comparison['before']) =>
    `- ${name}: ${codeSpan(compared.file, valueLength)}, ${codeSpan(comparedRunText(compared), valueLength)}`
  return {
    before: [
      `## ${marks[outcome]} ${plainText(outcomeText(comparison))}`,
      '',
      run('before', before),
      run('after', after),
      '',
    ],
    rows: [],
    after: [
      ...(conditions.length === 0 ? [] : ['The runs differ in more than the server:', '']),
      ...conditions.map(({ text }) => `- ${codeSpan(text, reasonLength)}`),
      ...(conditions.length === 0 ? [] : ['']),
    ],
    more: () => [],
  }
}

function failureRow({
  requirement,
  statement,
  before,
  expected = '',
  ...told
}: ChangedResult): string {
  return tableRow([
    code(requirement),
    plainText(shortened(statement, valueLength)),
    standingText(before),
    codeSpan(expected, valueLength),
    codeSpan(told.actual ?? told.reason ?? '', valueLength),
  ])
}

/** Of what is told apart from the newly failing: with the verdicts, and what came both times. */
function deviationRow({
  requirement,
  before,
  after,
  expected = '',
  actual = '',
  actualBefore = '',
}: ChangedResult): string {
  return tableRow([
    code(requirement),
    `${standingText(before)} → ${standingText(after)}`,
    codeSpan(expected, valueLength),
    codeSpan(actualBefore, valueLength),
    codeSpan(actual, valueLength),
  ])
}

function deviations(title: string, results: readonly ChangedResult[]): FittingSection {
  return table(
    `${title} (${results.length})`,
    ['Requirement', 'Verdict', 'Expected', 'Actual before', 'Actual'],
    results.map(deviationRow),
  )
}

function byReason(
  title: string,
  results: readonly ChangedResult[],
  told: (ids: readonly string[]) => string,
): FittingSection {
  return table(
    `${title} (${results.length})`,
    ['Number', 'Reason', 'Requirements'],
    groupByReason(results).map(({ reason, results: members }) =>
      tableRow([String(members.length), codeSpan(reason, reasonLength), told(ids(members))]),
    ),
  )
}

/**
 * The comparison as GitHub-flavored Markdown of at most 60,000 characters, for a comment on a pull
 * request: what is worse first, the rest folded. Text of the reports stands in code spans.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { requirements, observations, timings } = comparison
  const sections: FittingSection[] = [
    head(comparison),
    table(
      `Newly failing (${requirements.newlyFailing.length})`,
      ['Requirement', 'Statement', 'Before', 'Expected', 'Actual'],
      requirements.newlyFailing.map(failureRow),
    ),
    byReason('Newly without a verdict', requirements.newlyUnjudged, codes),
    byReason(
      'Judged before, and not looked at after',
      requirements.notLookedAt.map(withReasonNotLookedAt),
      (left) => codeSpan(abbreviatedIds(left), sectionsLength),
    ),
    deviations('Deviating otherwise than before', deviatingOtherwise(requirements)),
    deviations('Newly deviating, and waived or advisory', requirements.newlyDeviating),
    deviations('No longer waived', requirements.noLongerWaived),
    table(
      `Slower endpoints (${timings.slower.length})`,
      ['Endpoint', 'Time'],
      timings.slower.map((timing) =>
        tableRow([code(`${timing.service} ${timing.endpoint}`), timingText(timing)]),
      ),
    ),
    foldedIds('Still failing', ids(failingAlike(requirements))),
    foldedIds('Mended', ids(requirements.mended)),
    foldedIds('Now waived or advisory', ids(requirements.newlyTolerated)),
    fold(
      `Judged less than before (${requirements.judgedLess.length})`,
      tableHead(['Requirement', 'Reason']),
      requirements.judgedLess.map(({ requirement, reason = '' }) =>
        tableRow([code(requirement), codeSpan(reason, reasonLength)]),
      ),
    ),
    foldedIds('Newly judged', ids(requirements.newlyJudged)),
    fold(
      `Observations that changed (${observations.changed.length})`,
      tableHead(['Observations', 'Before → after']),
      groupedObservations(observations.changed).map((group) =>
        tableRow([codes(group.ids), codeSpan(group.differences.join('; '), reasonLength)]),
      ),
    ),
    foldedIds(
      'Observed after only',
      observations.appeared.map(({ id }) => id),
    ),
    foldedIds(
      'Observed before only',
      observations.disappeared.map(({ id }) => id),
    ),
    foldedIds('New requirements', ids(requirements.newRows)),
    foldedIds('Requirements that are gone', ids(requirements.goneRows)),
    foldedIds('Judged after, and not asked for before', ids(requirements.notComparable)),
    fold(
      `Requirements that read differently (${requirements.changedStatements.length})`,
      tableHead(['Requirement', 'Part', 'Before', 'After']),
      requirements.changedStatements.map(({ requirement, part, before, after }) =>
        tableRow([
          code(requirement),
          part,
          codeSpan(before, valueLength),
          codeSpan(after, valueLength),
        ]),
      ),
    ),
    fold(
      `Faster endpoints (${timings.faster.length})`,
      tableHead(['Endpoint', 'Time']),
      timings.faster.map((timing) =>
        tableRow([code(`${timing.service} ${timing.endpoint}`), timingText(timing)]),
      ),
    ),
  ]
  return `${fittingLines(sections, longest).join('\n').trimEnd()}\n`
}
