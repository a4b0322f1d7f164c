import {
  codeSpan,
  idSpan,
  idSpans,
  type MarkdownSection,
  markdownDocument,
  plainText,
  tableHead,
  tableRow,
} from '../reports/markdown.ts'
import { shortened } from '../reports/printable.ts'
import { abbreviatedIds, groupByReason } from '../reports/reason-groups.ts'
import type { Comparison, ComparisonOutcome } from './compare.ts'
import { comparedRunText, outcomeText, type Section, sections, standingText } from './sections.ts'
import type { ChangedResult } from './transitions.ts'

const valueLength = 300
const reasonLength = 400
const sectionsLength = 2000

const marks: Record<ComparisonOutcome, string> = {
  worse: '❌',
  'no worse': '✅',
  incomparable: '⚠️',
  incomplete: '⚠️',
}

function head(comparison: Comparison): string[] {
  const { outcome, before, after, conditions } = comparison
  const runs = Object.entries({ before, after }).map(
    ([name, run]) =>
      `- ${name}: ${codeSpan(run.file, valueLength)}, ${codeSpan(comparedRunText(run), valueLength)}`,
  )
  const differing = conditions.map(({ text }) => `- ${codeSpan(text, reasonLength)}`)
  const note = differing.length === 0 ? [] : ['The runs differ in more than the server:', '']
  return [
    `## ${marks[outcome]} ${plainText(outcomeText(comparison))}`,
    '',
    ...runs,
    '',
    ...note,
    ...differing,
    ...(differing.length === 0 ? [] : ['']),
  ]
}

/** The verdicts, what was expected and what came both times. */
function failureRow(result: ChangedResult): string {
  const { requirement, statement, before, after, expected, actual, actualBefore, reason } = result
  return tableRow([
    idSpan(requirement),
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
      brief ? codeSpan(abbreviatedIds(ids), sectionsLength) : idSpans(ids),
    ])
  })
}

function content({ content, status }: Section): Pick<MarkdownSection, 'head' | 'rows'> {
  switch (content.layout) {
    case 'failures':
      return {
        head: tableHead([
          'Requirement',
          'Statement',
          'Verdict',
          'Expected',
          'Actual before',
          'Actual',
        ]),
        rows: content.results.map(failureRow),
      }
    case 'reasons':
      return {
        head: tableHead(['Number', 'Reason', 'Requirements']),
        rows: reasonRows(content.results, status === 3),
      }
    case 'ids':
      return { head: [], rows: content.ids.map((id) => `- ${idSpan(id)}`) }
    case 'details':
      return {
        head: tableHead([content.of, 'What changed']),
        rows: content.groups.map(({ names, details }) =>
          tableRow([idSpans(names), codeSpan(details.join('; '), reasonLength)]),
        ),
      }
  }
}

/**
 * The comparison as GitHub-flavored Markdown of at most 60,000 characters, for a comment on a pull
 * request: what is worse first, the rest folded. Text of the reports stands in code spans.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const all = sections(comparison)
    .map((section): MarkdownSection => {
      const { title, folded, count } = section
      return { title, folded, count, ...content(section) }
    })
    .sort((one, other) => Number(one.folded) - Number(other.folded))
  return markdownDocument(head(comparison), all, 'with `--format json`')
}
