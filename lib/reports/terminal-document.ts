/** Lays out documents on a terminal. */
import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types'
import {
  excerpt,
  printableLine,
  printableProse,
  printableText,
  wrapped,
} from '../text/printable.ts'
import { messagesOf, requestLine, statusLine } from './exchange-text.ts'
import { type Entry, type Section, type Span, spanText, type Text } from './facts.ts'
import type { ProgressStream } from './progress.ts'

type Paint = (text: string) => string

export interface TerminalStyle {
  colors: Colors
  width: number
}

/** Returns the style for a terminal; rows have at least 40 and at most 120 columns, unless the width is infinite. */
export function terminalStyle({ color, width }: { color: boolean; width: number }): TerminalStyle {
  const isWrapped = width !== Number.POSITIVE_INFINITY
  return {
    colors: picocolors.createColors(color),
    width: isWrapped ? Math.min(Math.max(width || 0, 40), 120) : width,
  }
}

interface Output {
  output: ProgressStream
  environment: NodeJS.ProcessEnv
}

/** Returns the style of an output: the width of COLUMNS or a terminal, and colors (https://no-color.org). */
export function styleOf({ output, environment }: Output): TerminalStyle {
  const { NO_COLOR = '', TERM, COLUMNS = '' } = environment
  const isTerminal = output.isTTY === true
  // The reader of a file or a pipe wraps its rows.
  const columns = isTerminal ? (output.columns ?? 80) : Number.POSITIVE_INFINITY
  const width = /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : columns
  return terminalStyle({ color: isTerminal && NO_COLOR === '' && TERM !== 'dumb', width })
}

export function heading(title: string, count: number, paint: Paint): string[] {
  return ['', paint(`${title} (${count})`)]
}

/** Wraps text to the width, with `first` before the first row. Rows are painted one by one, so that no color reaches the margin. */
export function hanging(
  first: string,
  text: string,
  style: TerminalStyle,
  paint: Paint = (row) => row,
): string[] {
  const margin = ' '.repeat(first.length)
  return wrapped(text, style.width - first.length).map((row, index) =>
    `${index === 0 ? first : margin}${row === '' ? '' : paint(row)}`.trimEnd(),
  )
}

type Color = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Text to wrap after `first`, a complete row, or a command, which is not wrapped: it is there to be copied. */
export type TerminalLine =
  | ''
  | { row: string; color?: Color }
  | { command: string }
  | readonly [first: string, text: Text, color?: Color | readonly Color[] | undefined]

const MARGIN = 5

const indent = ' '.repeat(MARGIN)

const labelColors: Record<string, Color> = { expected: 'green', actual: 'red', also: 'red' }

const labelled = (label: string) => `${indent}${label.padEnd(10)}`

const valueLimits = { characters: 600, lines: 8 }

const printableSpan = (span: Span): string =>
  typeof span === 'object' && 'code' in span
    ? printableText(excerpt(span.code, valueLimits))
    : printableProse(spanText(span))

/** Formats lines as rows. Text is escaped. */
export function lineRows(lines: readonly TerminalLine[], style: TerminalStyle): string[] {
  const { colors } = style
  const painter =
    (color: Color | readonly Color[] = []) =>
    (row: string) =>
      [color].flat().reduce((painted, name) => colors[name](painted), row)
  return lines.flatMap((line): string[] => {
    if (line === '') return [line]
    if ('row' in line) return [painter(line.color)(printableLine(line.row))]
    if ('command' in line) return [`${indent}${colors.cyan(printableText(line.command))}`]
    const [first, text, color] = line
    return hanging(first, [text].flat().map(printableSpan).join(''), style, painter(color))
  })
}

function entryLines({ number, title, name, details = [] }: Entry, index: number): TerminalLine[] {
  const margin = (text: string) => `${text.padStart(MARGIN - 1)} `
  const first = number === undefined ? '  ' : margin(`${number} `)
  return [
    ...(title === undefined ? [] : (['', [margin(`${index + 1}.`), title, 'bold']] as const)),
    [title === undefined ? first : indent, name],
    ...details.map(({ label, text }): TerminalLine => {
      return label === undefined
        ? [indent, text, 'dim']
        : [labelled(label), text, labelColors[label]]
    }),
  ]
}

const excerptLimits = { characters: 480, lines: 6 }

/** Returns the lines of an exchange, with the commands that send it again. @param shown what is already there */
function evidenceLines({ evidence }: Entry, shown: Set<string>): TerminalLine[] {
  if (evidence === undefined) return []
  const { exchange, reads, commands } = evidence
  if (shown.has(exchange.id)) return [[labelled('exchange'), `${exchange.id}, shown above`, 'dim']]
  const creations = commands.slice(0, -1).filter(({ command }) => !shown.has(command))
  for (const one of [exchange.id, ...creations.map(({ command }) => command)]) shown.add(one)
  const { head, body } = messagesOf(exchange, reads, excerptLimits).received
  // The other header fields are on the page.
  const marked = head.slice(1).filter(({ isMarked }) => isMarked)
  const isBodyShown = marked.length === 0 || body.some(({ isMarked }) => isMarked)
  const lines = [...marked, ...(isBodyShown ? body.filter(({ text }) => text !== '') : [])]
  const title = `${exchange.id}: ${requestLine(exchange)}: ${statusLine(exchange)}`
  return [
    [labelled('exchange'), title, 'dim'],
    ...lines.map(({ text, isMarked }): TerminalLine => {
      // The margin of a line that has what was read is marked.
      const before = isMarked ? `${'!'.padStart(MARGIN - 1)} ` : indent
      return [`${before}< `, { code: text }, isMarked ? 'red' : undefined]
    }),
    ...[...creations, ...commands.slice(-1)].flatMap(({ label, command }): TerminalLine[] => [
      [indent, label, 'dim'],
      { command },
    ]),
  ]
}

/** Returns the lines of a section. @param shown exchanges and commands that are already there, to which it adds its own */
export function sectionLines(
  { title, entries, count = entries.length, color, notes = [] }: Section,
  maxEntries = entries.length,
  shown = new Set<string>(),
): TerminalLine[] {
  if (entries.length === 0) return []
  const omitted = entries.length - maxEntries
  const omission = omitted > 0 ? [`and ${omitted} more, in report.json`] : []
  return [
    '',
    ['', `${title} (${count})`, color ? [color, 'bold'] : 'bold'],
    ...entries
      .slice(0, maxEntries)
      .flatMap((entry, index) => [...entryLines(entry, index), ...evidenceLines(entry, shown)]),
    ...[...omission, ...notes].map((note): TerminalLine => ['  ', note, 'dim']),
  ]
}
