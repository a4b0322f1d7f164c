import {
  codeSpan,
  idSpan,
  idSpans,
  markdownDocument,
  plainText,
  tableHead,
  tableRow,
} from '../reports/markdown.ts'
import { shortened } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import type { Comparison } from './compare.ts'
import { comparedRunText, type Group, outcomeText, type Section, sections } from './sections.ts'
import { type ChangedResult, standingText } from './transitions.ts'

const valueLength = 300
const detailsLength = 400
const sectionsLength = 2000
const idsInFull = 8

const marks: Record<Comparison['outcome'], string> = {
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
  const differing = conditions.map(({ text }) => `- ${codeSpan(text, detailsLength)}`)
  const title = `## ${marks[outcome]} ${plainText(outcomeText(comparison))}`
  return [
    ...[title, '', ...runs, ''],
    ...(differing.length === 0
      ? []
      : ['The runs differ in more than the server:', '', ...differing, '']),
  ]
}

const failureHead = ['Requirement', 'Statement', 'Verdict', 'Expected', 'Actual before', 'Actual']

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

function groupRows({ ids, details }: Group): string[] {
  if (details.length === 0) return ids.map((id) => `- ${idSpan(id)}`)
  const names =
    ids.length > idsInFull ? codeSpan(abbreviatedIds(ids), sectionsLength) : idSpans(ids)
  return [tableRow([names, codeSpan(details.join('; '), detailsLength)])]
}

function headOf({ failures, groups }: Section): string[] {
  if (failures.length > 0) return tableHead(failureHead)
  const hasDetails = groups.some(({ details }) => details.length > 0)
  return hasDetails ? tableHead(['What', 'Details']) : []
}

/**
 * The comparison as GitHub-flavored Markdown of at most 60,000 characters, for a comment on a pull
 * request: what is worse first, the rest folded. Text of the reports stands in code spans.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const all = sections(comparison)
    .map((section) => ({
      ...section,
      head: headOf(section),
      rows: [...section.failures.map(failureRow), ...section.groups.flatMap(groupRows)],
    }))
    .sort((one, other) => Number(one.folded) - Number(other.folded))
  return markdownDocument(head(comparison), all, 'with `--format json`')
}
