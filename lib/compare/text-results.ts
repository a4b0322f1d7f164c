import { excerpt, printableSentence, printableText } from '../reports/printable.ts'
import { abbreviatedIds, groupByReason } from '../reports/reason-groups.ts'
import {
  field,
  hanging,
  heading,
  type Paint,
  type TerminalStyle,
} from '../reports/terminal-style.ts'
import { verdictWords } from '../reports/verdict-counts.ts'
import type { ChangedResult } from './verdicts.ts'
import { standingText } from './words.ts'

const margin = 5
const idsInFull = 10
const valueLimits = { characters: 600, lines: 8 }

/** A few ids in full, of many the sections that they share. */
export function idsText(ids: readonly string[]): string {
  return printableSentence(ids.length > idsInFull ? abbreviatedIds(ids) : ids.join(', '))
}

/** Ids alone: what needs no more of a reader than to know of it. */
export function briefSection(
  title: string,
  results: readonly ChangedResult[],
  style: TerminalStyle,
  paint: Paint = (text) => text,
): string[] {
  if (results.length === 0) return []
  return [
    ...heading(title, results.length, (text) => style.colors.bold(paint(text))),
    ...hanging('  ', idsText(results.map(({ requirement }) => requirement)), style),
  ]
}

/** Results by the reason that they share. */
export function reasonSection(
  title: string,
  results: readonly ChangedResult[],
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const { colors } = style
  return [
    ...heading(title, results.length, (text) => colors.bold(colors.yellow(text))),
    ...groupByReason(results).flatMap(({ reason, results: members }) => [
      ...hanging('  ', printableText(excerpt(reason, valueLimits)), style, colors.yellow),
      ...hanging(
        ' '.repeat(margin),
        `${standings(members)}${idsText(members.map(({ requirement }) => requirement))}`,
        style,
      ),
    ]),
  ]
}

/** `2 skipped, 1 inconclusive: `; for what was not looked at, whose reason says it, the number. */
function standings(results: readonly ChangedResult[]): string {
  const kinds = [...new Set(results.map(({ after }) => after))]
  if (!kinds.every((kind) => kind in verdictWords)) return `${results.length}: `
  const counts = kinds
    .map((kind) => {
      const count = results.filter(({ after }) => after === kind).length
      return `${count} ${standingText(kind)}`
    })
    .join(', ')
  return `${counts}: `
}

function cameBefore(actual: string | undefined): string {
  if (actual === undefined) return ''
  return `: ${actual === '' ? 'nothing was told' : printableText(excerpt(actual, valueLimits))}`
}

function failureRows(result: ChangedResult, position: number, style: TerminalStyle): string[] {
  const { colors } = style
  const value = (text: string) => printableText(excerpt(text, valueLimits))
  const { before, after, expected, actual, actualBefore, reason, requirement, statement } = result
  const told = expected === undefined && actual === undefined ? reason : undefined
  return [
    '',
    ...hanging(
      `${`${position}.`.padStart(margin - 1)} `,
      printableSentence(statement),
      style,
      colors.bold,
    ),
    ...hanging(' '.repeat(margin), printableSentence(requirement), style, colors.dim),
    ...field(margin, 'before', `${standingText(before)}${cameBefore(actualBefore)}`, style),
    ...(after === 'fail' ? [] : field(margin, 'after', standingText(after), style)),
    ...(expected === undefined
      ? []
      : field(margin, 'expected', value(expected), style, colors.green)),
    ...(actual === undefined ? [] : field(margin, 'actual', value(actual), style, colors.red)),
    ...(told === undefined ? [] : field(margin, 'reason', value(told), style)),
  ]
}

/** All of them, none left out, with what was expected and what came. */
export function deviationSection(
  title: string,
  results: readonly ChangedResult[],
  style: TerminalStyle,
  paint: Paint,
): string[] {
  if (results.length === 0) return []
  return [
    ...heading(title, results.length, (text) => style.colors.bold(paint(text))),
    ...results.flatMap((result, index) => failureRows(result, index + 1, style)),
  ]
}

/** What is newly failing, as `deviationSection` tells it, and where the evidence is. */
export function failureSection(results: readonly ChangedResult[], style: TerminalStyle): string[] {
  if (results.length === 0) return []
  const { colors } = style
  return [
    ...deviationSection('Newly failing', results, style, colors.red),
    '',
    ...hanging('  ', 'The report after has the exchange that shows each.', style, colors.dim),
  ]
}
