import type { RequirementResult } from '../conformance/result.ts'
import { curlCommand, secretVariables } from './curl.ts'
import { aboutText, type Evidence, exchangeTitle } from './evidence.ts'
import { exchangeLines } from './exchange-text.ts'
import { excerpt, printableSentence, printableText } from './printable.ts'
import { abbreviatedIds, groupByReason } from './reason-groups.ts'
import { field, hanging, heading, type TerminalStyle } from './terminal-style.ts'

const failuresInDetail = 12
const groupsInDetail = 6
const margin = 5
const bodyLimits = { characters: 480, lines: 8 }
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
  const options = { about: aboutText(result), requestDetails: false, body: bodyLimits }
  const indent = ' '.repeat(margin)
  return [
    ...field(margin, 'exchange', exchangeTitle(exchange, result), style, style.colors.dim),
    ...exchangeLines(exchange, options).flatMap((line) =>
      hanging(`${indent}${line.slice(0, 2)}`, line.slice(2), style),
    ),
    // Neither wrapped nor indented after its first row: it is there to be copied.
    `${indent}${style.colors.cyan(printableText(command))}`,
  ]
}

/** Whether the reason repeats what stands beside it: expected, actual and the request. */
function saysOnlyWhatDiffers({ reason, expected, actual }: RequirementResult): boolean {
  if (expected === undefined || actual === undefined) return false
  return reason?.endsWith(`: expected ${expected}, got ${actual}`) ?? false
}

function failureRows(
  result: RequirementResult,
  position: number,
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const level = result.level === 'wording' ? ' (wording)' : ''
  const rows = [
    '',
    ...hanging(
      `${`${position}.`.padStart(margin - 1)} `,
      printableSentence(result.statement),
      style,
      (row) => colors.bold(row),
    ),
    ...hanging(
      ' '.repeat(margin),
      `${printableSentence(result.requirement)}${level}`,
      style,
      colors.dim,
    ),
    ...field(margin, 'section', printableSentence(result.section), style),
  ]
  if (result.expected !== undefined) {
    rows.push(...field(margin, 'expected', value(result.expected), style, colors.green))
  }
  if (result.actual !== undefined) {
    rows.push(...field(margin, 'actual', value(result.actual), style, colors.red))
  }
  if (result.reason !== undefined && !saysOnlyWhatDiffers(result)) {
    rows.push(...field(margin, 'reason', value(result.reason), style))
  }
  if (position <= failuresInDetail) rows.push(...exchangeRows(result, shown, style))
  return rows
}

/**
 * Every failed requirement, none left out. The first dozen come with the exchange that shows them
 * and a command that repeats it; what the others rest on is in the report files.
 */
export function failedSection(
  results: readonly RequirementResult[],
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const rows = heading('Failed', results.length, (text) =>
    style.colors.bold(style.colors.red(text)),
  )
  for (const [index, result] of results.entries()) {
    rows.push(...failureRows(result, index + 1, shown, style))
  }
  if (results.length > failuresInDetail) {
    rows.push(
      '',
      ...hanging(
        '  ',
        `From number ${failuresInDetail + 1} on the exchanges are in the report files only.`,
        style,
        style.colors.dim,
      ),
    )
  }
  return rows
}

/** Requirements without a verdict: one entry for each reason, with one exchange as its example. */
export function inconclusiveSection(
  results: readonly RequirementResult[],
  shown: ShownEvidence,
  style: TerminalStyle,
): string[] {
  if (results.length === 0) return []
  const { colors } = style
  const rows = heading('Inconclusive', results.length, (text) => colors.bold(colors.yellow(text)))
  for (const [index, group] of groupByReason(results).entries()) {
    const ids = abbreviatedIds(group.results.map(({ requirement }) => requirement))
    const requirements = group.results.length === 1 ? 'requirement' : 'requirements'
    rows.push(
      '',
      ...hanging('  ', value(group.reason), style, colors.yellow),
      ...hanging(
        ' '.repeat(margin),
        `${group.results.length} ${requirements}: ${printableSentence(ids)}`,
        style,
      ),
    )
    const [example] = group.results.filter((result) => shown.evidence.of(result) !== undefined)
    if (index < groupsInDetail && example !== undefined) {
      rows.push(...exchangeRows(example, shown, style))
    }
  }
  return rows
}

/** Tells which variables the commands above expect, when they expect any. */
export function variablesNote({ commands }: ShownEvidence, style: TerminalStyle): string[] {
  const names = secretVariables(commands.join('\n')).map((name) => `$${name}`)
  if (names.length === 0) return []
  const text = `Set before repeating a request: ${names.join(', ')}`
  return ['', ...hanging('  ', text, style, style.colors.dim)]
}
