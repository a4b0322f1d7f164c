import { type FittingSection, fittingLines } from '../reports/fitting-sections.ts'
import { codeSpan, plainText, tableHead, tableRow } from '../reports/markdown.ts'
import { shortened } from '../reports/printable.ts'
import { abbreviatedIds, groupByReason } from '../reports/reason-groups.ts'
import type { Comparison, ComparisonOutcome } from './compare.ts'
import { comparedRunText, outcomeText, type Section, sections, standingText } from './sections.ts'
import type { ChangedResult } from './transitions.ts'

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

function codes(ids: readonly string[]): string {
  const shown = ids.slice(0, idsOfGroup).map((id) => codeSpan(id, idLength))
  const more = ids.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function head(comparison: Comparison): FittingSection {
  const { outcome, before, after, conditions } = comparison
  const runs = Object.entries({ before, after }).map(
    ([name, run]) =>
      `- ${name}: ${codeSpan(run.file, valueLength)}, ${codeSpan(comparedRunText(run), valueLength)}`,
  )
  const differing = conditions.map(({ text }) => `- ${codeSpan(text, reasonLength)}`)
  return {
    before: [`## ${marks[outcome]} ${plainText(outcomeText(comparison))}`, '', ...runs, ''],
    rows: [],
    after:
      differing.length === 0
        ? []
        : ['The runs differ in more than the server:', '', ...differing, ''],
    more: () => [],
  }
}

/** The verdicts, what was expected and what came both times. */
function failureRow(result: ChangedResult): string {
  const { requirement, statement, before, after, expected, actual, actualBefore, reason } = result
  return tableRow([
    codeSpan(requirement, idLength),
    plainText(shortened(statement, valueLength)),
    `${standingText(before)} → ${standingText(after)}`,
    codeSpan(expected ?? '', valueLength),
    codeSpan(actualBefore ?? '', valueLength),
    codeSpan(actual ?? reason ?? '', valueLength),
  ])
}

/** Ids of what was not looked at are many and alike. */
function reasonRows(results: readonly ChangedResult[], brief: boolean): string[] {
  return groupByReason(results).map(({ reason, results: members }) => {
    const ids = members.map(({ requirement }) => requirement)
    return tableRow([
      String(members.length),
      codeSpan(reason, reasonLength),
      brief ? codeSpan(abbreviatedIds(ids), sectionsLength) : codes(ids),
    ])
  })
}

function content({ content, status }: Section): { titles: string[]; rows: string[] } {
  switch (content.layout) {
    case 'failures':
      return {
        titles: ['Requirement', 'Statement', 'Verdict', 'Expected', 'Actual before', 'Actual'],
        rows: content.results.map(failureRow),
      }
    case 'reasons':
      return {
        titles: ['Number', 'Reason', 'Requirements'],
        rows: reasonRows(content.results, status === 3),
      }
    case 'ids':
      return { titles: [], rows: content.ids.map((id) => `- ${codeSpan(id, idLength)}`) }
    case 'details':
      return {
        titles: [content.of, 'What changed'],
        rows: content.groups.map(({ names, details }) =>
          tableRow([codes(names), codeSpan(details.join('; '), reasonLength)]),
        ),
      }
  }
}

function leftOut(count: number): string[] {
  return ['', `… and ${count} more, with \`--format json\`.`]
}

/** Titles are ours and never a deployment's. */
function fitting(section: Section): FittingSection {
  const { titles, rows } = content(section)
  const title = `${section.title} (${section.count})`
  const columns = titles.length === 0 ? [] : tableHead(titles)
  return section.folded
    ? {
        before: ['<details>', `<summary>${title}</summary>`, '', ...columns],
        rows,
        after: ['', '</details>', ''],
        more: leftOut,
      }
    : { before: [`### ${title}`, '', ...columns], rows, after: [''], more: leftOut }
}

/**
 * The comparison as GitHub-flavored Markdown of at most 60,000 characters, for a comment on a pull
 * request: what is worse first, the rest folded. Text of the reports stands in code spans.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const all = sections(comparison)
  const parts = [
    head(comparison),
    ...all.filter(({ folded }) => !folded).map(fitting),
    ...all.filter(({ folded }) => folded).map(fitting),
  ]
  return `${fittingLines(parts, longest).join('\n').trimEnd()}\n`
}
