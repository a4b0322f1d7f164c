import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
} from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import {
  hanging,
  heading,
  labelled,
  type Paint,
  type TerminalStyle,
  terminalStyle,
} from '../reports/terminal-style.ts'
import type { Comparison } from './compare.ts'
import { comparedRunText, type Group, outcomeText, type Section, sections } from './sections.ts'
import { type ChangedResult, standingText } from './transitions.ts'

const margin = 5
const indent = ' '.repeat(margin)
const idsInFull = 10
const shownGroups = 40
const shownDetails = 12
const longestDetail = 240

function value(text: string): string {
  return printableText(excerpt(text, { characters: 600, lines: 8 }))
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
  const came = actualBefore === undefined ? '' : `: ${actualBefore || 'nothing was reported'}`
  const row = (label: string, text: string | undefined, paint?: Paint) =>
    text === undefined ? [] : hanging(labelled(indent, label), value(text), style, paint)
  return [
    '',
    ...hanging(`${index + 1}. `.padStart(margin), printableSentence(statement), style, bold),
    ...hanging(indent, printableSentence(requirement), style, dim),
    ...row('before', `${standingText(before)}${came}`),
    ...(after === 'fail' ? [] : row('after', standingText(after))),
    ...row('expected', expected, green),
    ...row('actual', actual, red),
    ...(expected === undefined && actual === undefined ? row('reason', reason) : []),
  ]
}

function groupRows({ ids, details, tally }: Group, style: TerminalStyle): string[] {
  const { cyan, dim, yellow } = style.colors
  // A few ids in full, of many the sections that they share.
  const names = printableSentence(ids.length > idsInFull ? abbreviatedIds(ids) : ids.join(', '))
  if (tally !== undefined) {
    return [
      ...details.flatMap((reason) => hanging('  ', value(reason), style, yellow)),
      ...hanging(indent, `${tally}: ${names}`, style),
    ]
  }
  const left = details.length - shownDetails
  return [
    ...hanging('  ', names, style),
    ...details.slice(0, shownDetails).flatMap((text) => {
      return hanging(indent, shortened(printableSentence(text), longestDetail), style, cyan)
    }),
    ...(left > 0 ? [dim(`${indent}and ${left} more differences`)] : []),
  ]
}

function sectionRows(section: Section, style: TerminalStyle): string[] {
  const { title, count, tone, status, failures, groups } = section
  const { bold, dim, green, red, yellow } = style.colors
  const paints = { bad: red, doubtful: yellow, good: green, plain: (text: string) => text }
  const left = groups.length - shownGroups
  const evidence = 'The report after has the exchange that shows each.'
  return [
    ...heading(title, count, (text) => bold(paints[tone](text))),
    ...failures.flatMap((result, index) => failureRows(result, index, style)),
    ...groups.slice(0, shownGroups).flatMap((group) => groupRows(group, style)),
    ...(left > 0 ? [dim(`  and ${left} more, with --format json`)] : []),
    ...(status === 1 && failures.length > 0 ? ['', ...hanging('  ', evidence, style, dim)] : []),
  ]
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
