import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
} from '../reports/printable.ts'
import { abbreviatedIds, groupByReason } from '../reports/reason-groups.ts'
import {
  field,
  hanging,
  heading,
  type Paint,
  type TerminalStyle,
  terminalStyle,
} from '../reports/terminal-style.ts'
import { verdictWords } from '../reports/verdict-counts.ts'
import type { Comparison } from './compare.ts'
import {
  comparedRunText,
  type Details,
  outcomeText,
  type Section,
  sections,
  standingText,
} from './sections.ts'
import type { ChangedResult } from './transitions.ts'

const margin = 5
const indent = ' '.repeat(margin)
const idsInFull = 10
const shownGroups = 40
const shownDetails = 12
const longestDetail = 240

function value(text: string): string {
  return printableText(excerpt(text, { characters: 600, lines: 8 }))
}

/** A few ids in full, of many the sections that they share. */
function idsText(ids: readonly string[]): string {
  return printableSentence(ids.length > idsInFull ? abbreviatedIds(ids) : ids.join(', '))
}

function header({ before, after, conditions }: Comparison, style: TerminalStyle): string[] {
  const { bold, yellow } = style.colors
  const runs = Object.entries({ before, after }).flatMap(([name, run]) => [
    ...hanging(`${name.padEnd(7)} `, printableLine(run.file), style, bold),
    ...hanging(' '.repeat(8), printableSentence(comparedRunText(run)), style),
  ])
  if (conditions.length === 0) return runs
  const title = 'The runs differ in more than the server'
  return [
    ...runs,
    ...heading(title, conditions.length, (text) => bold(yellow(text))),
    ...conditions.flatMap(({ text }) => hanging('  ', printableSentence(text), style)),
  ]
}

function failureRows(result: ChangedResult, index: number, style: TerminalStyle): string[] {
  const { bold, dim, green, red } = style.colors
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  const came = actualBefore === '' ? 'nothing was told' : value(actualBefore ?? '')
  const row = (label: string, text: string | undefined, paint?: Paint) =>
    text === undefined ? [] : field(margin, label, value(text), style, paint)
  const position = `${`${index + 1}.`.padStart(margin - 1)} `
  return [
    '',
    ...hanging(position, printableSentence(statement), style, bold),
    ...hanging(indent, printableSentence(requirement), style, dim),
    ...row('before', `${standingText(before)}${actualBefore === undefined ? '' : `: ${came}`}`),
    ...(after === 'fail' ? [] : row('after', standingText(after))),
    ...row('expected', expected, green),
    ...row('actual', actual, red),
    ...(expected === undefined && actual === undefined ? row('reason', reason) : []),
  ]
}

/** `2 skipped, 1 inconclusive`; for what was not looked at, whose reason says it, the number. */
function standingCounts(results: readonly ChangedResult[]): string {
  const standings = [...new Set(results.map(({ after }) => after))]
  if (!standings.every((standing) => standing in verdictWords)) return String(results.length)
  const counts = standings.map((standing) => {
    const count = results.filter(({ after }) => after === standing).length
    return `${count} ${standingText(standing)}`
  })
  return counts.join(', ')
}

function reasonRows(results: readonly ChangedResult[], style: TerminalStyle): string[] {
  return groupByReason(results).flatMap(({ reason, results: members }) => {
    const ids = idsText(members.map(({ requirement }) => requirement))
    return [
      ...hanging('  ', value(reason), style, style.colors.yellow),
      ...hanging(indent, `${standingCounts(members)}: ${ids}`, style),
    ]
  })
}

function detailRows(groups: readonly Details[], style: TerminalStyle): string[] {
  const { cyan, dim } = style.colors
  const more = (count: number, text: string) => (count > 0 ? [dim(text)] : [])
  const rows = groups.slice(0, shownGroups).flatMap(({ names, details }) => {
    const left = details.length - shownDetails
    return [
      ...hanging('  ', idsText(names), style),
      ...details
        .slice(0, shownDetails)
        .map((text) => shortened(printableSentence(text), longestDetail))
        .flatMap((text) => hanging(indent, text, style, cyan)),
      ...more(left, `${indent}and ${left} more differences`),
    ]
  })
  const left = groups.length - shownGroups
  return [...rows, ...more(left, `  and ${left} more, with --format json`)]
}

function contentRows({ content }: Section, style: TerminalStyle): string[] {
  switch (content.layout) {
    case 'failures':
      return content.results.flatMap((result, index) => failureRows(result, index, style))
    case 'reasons':
      return reasonRows(content.results, style)
    case 'ids':
      return hanging('  ', idsText(content.ids), style)
    case 'details':
      return detailRows(content.groups, style)
  }
}

function sectionRows(section: Section, style: TerminalStyle): string[] {
  const { bold, dim, green, red, yellow } = style.colors
  const paints = { bad: red, doubtful: yellow, good: green, plain: (text: string) => text }
  const rows = [
    ...heading(section.title, section.count, (text) => bold(paints[section.tone](text))),
    ...contentRows(section, style),
  ]
  if (section.status !== 1 || section.content.layout !== 'failures') return rows
  const evidence = 'The report after has the exchange that shows each.'
  return [...rows, '', ...hanging('  ', evidence, style, dim)]
}

/**
 * The comparison for a terminal, ending with a line break: in what else the runs differ, then what
 * matters least, and at the end what is newly failing and the outcome in one row. Text of the reports
 * cannot steer the terminal.
 */
export function comparisonText(
  comparison: Comparison,
  options: { color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const { bold, green, red, yellow } = style.colors
  const paints = { worse: red, 'no worse': green, incomparable: yellow, incomplete: yellow }
  const rows = [
    ...header(comparison, style),
    ...sections(comparison)
      .reverse()
      .flatMap((section) => sectionRows(section, style)),
    '',
    // One row, however long: whoever looks at the last one alone sees all of it.
    bold(paints[comparison.outcome](outcomeText(comparison))),
  ]
  return `${rows.join('\n')}\n`
}
