import type { RequirementResult } from '../conformance/result.ts'
import { curlCommand, variablesOf } from './curl.ts'
import { type Evidence, exchangeLines, exchangeTitle, readParts, relatedText } from './evidence.ts'
import { countIn, type Failure, type ReportModel } from './model.ts'
import { excerpt, printableSentence, printableText } from './printable.ts'
import { abbreviatedIds } from './reason-groups.ts'
import { counted } from './run-words.ts'
import { field, hanging, heading, type Paint, type TerminalStyle } from './terminal-style.ts'

const failuresInDetail = 12
const groupsInDetail = 6
const margin = 5
/** Stands in the margin beside the line of an exchange that a result is about. */
const mark = '!'
const bodyLimits = { characters: 480, lines: 8 }
/** Where a header was read, the body is only there to be recognised. */
const bodyBesideHeader = { characters: 120, lines: 2 }
const valueLimits = { characters: 600, lines: 8 }

/** What the sections draw on: the evidence, and a place to note which of it they showed. */
export interface ShownEvidence {
  evidence: Evidence
  /** The commands shown so far. */
  commands: string[]
  /** Ids of the exchanges shown so far. */
  exchanges: Set<string>
}

function value(text: string): string {
  return printableText(excerpt(text, valueLimits))
}

function exchangeRows(
  result: RequirementResult,
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  const exchange = shown.evidence.of(result)
  if (exchange === undefined) return []
  if (shown.exchanges.has(exchange.id)) {
    return field(margin, 'exchange', `${exchange.id}, shown above`, style, style.colors.dim)
  }
  shown.exchanges.add(exchange.id)
  const command = curlCommand(exchange)
  shown.commands.push(command)
  const read = readParts([result])
  const aboutHeader = exchange.response?.headers.some(({ name }) => read.header(name)) ?? false
  const body = aboutHeader ? bodyBesideHeader : bodyLimits
  const lines = exchangeLines(exchange, { read, requestDetails: false, body })
  const indent = ' '.repeat(margin)
  return [
    ...field(margin, 'exchange', exchangeTitle(exchange, result), style, style.colors.dim),
    ...lines.flatMap(({ text, isRead }) => {
      const [first, rest] = [text.slice(0, 2), text.slice(2)]
      if (!isRead) return hanging(`${indent}${first}`, rest, style)
      return hanging(`${mark.padStart(margin - 1)} ${first}`, rest, style, style.colors.red)
    }),
    // Neither wrapped nor indented after its first row: it is there to be copied.
    `${indent}${style.colors.cyan(printableText(command))}`,
  ]
}

function failureRows(
  { result, reason, related }: Failure,
  position: number,
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const { requirement, statement, section, level, expected, actual } = result
  const indent = ' '.repeat(margin)
  const number = `${`${position}.`.padStart(margin - 1)} `
  const wording = level === 'wording' ? ' (wording)' : ''
  const told = (label: string, text: string | undefined, paint?: Paint) =>
    text === undefined ? [] : field(margin, label, value(text), style, paint)
  return [
    '',
    ...hanging(number, printableSentence(statement), style, colors.bold),
    ...hanging(indent, `${printableSentence(requirement)}${wording}`, style, colors.dim),
    ...field(margin, 'section', printableSentence(section), style),
    ...told('expected', expected, colors.green),
    ...told('actual', actual, colors.red),
    ...told('reason', reason),
    ...told('related', related.length === 0 ? undefined : relatedText(related)),
    ...(position <= failuresInDetail ? exchangeRows(result, shown, style) : []),
  ]
}

/**
 * Every failed requirement, none left out. The first dozen come with the exchange that shows them
 * and a command that repeats it; what the others rest on is in the report files.
 */
export function failedSection(
  { failed }: ReportModel,
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  if (failed.length === 0) return []
  const { bold, red, dim } = style.colors
  const note = `From number ${failuresInDetail + 1} on the exchanges are in the report files only.`
  return [
    ...heading('Failed', failed.length, (text) => bold(red(text))),
    ...failed.flatMap((failure, index) => failureRows(failure, index + 1, shown, style)),
    ...(failed.length > failuresInDetail ? ['', ...hanging('  ', note, style, dim)] : []),
  ]
}

/** Requirements without a verdict: one entry for each reason, with one exchange as its example. */
export function inconclusiveSection(
  { unjudged }: ReportModel,
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  if (unjudged.length === 0) return []
  const { bold, yellow } = style.colors
  const rows = unjudged.flatMap(({ reason, results, example, stopped }, index) => {
    const ids = printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
    const requirements = `${counted(results.length, 'requirement', 'requirements')}: ${ids}`
    const isShown = example !== undefined && !stopped && index < groupsInDetail
    return [
      '',
      ...hanging('  ', value(reason), style, yellow),
      ...hanging(' '.repeat(margin), requirements, style),
      ...(isShown ? exchangeRows(example, shown, style) : []),
    ]
  })
  return [...heading('Inconclusive', countIn(unjudged), (text) => bold(yellow(text))), ...rows]
}

/** Tells which variables the commands above expect, when they expect any. */
export function variablesNote(
  { commands }: ShownEvidence,
  { report }: ReportModel,
  style: TerminalStyle,
): string[] {
  const { configured, made } = variablesOf(commands.join('\n'), report)
  const named = (names: readonly string[], text: string) =>
    names.length === 0 ? [] : [`${names.map((name) => `$${name}`).join(', ')}, ${text}`]
  const parts = [
    ...named(configured, 'as it was for the run'),
    ...named(made, 'which the run made for itself: take one of your own of the same kind'),
  ]
  if (parts.length === 0) return []
  const text = `Set before repeating a request: ${parts.join('; ')}.`
  return ['', ...hanging('  ', text, style, style.colors.dim)]
}
