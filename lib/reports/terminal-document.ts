/** Lays out documents on a terminal. */
import { excerpt, printableLine, printableProse, printableText } from '../text/printable.ts'
import type { Entry, Section, Span, Text } from './document.ts'
import { abbreviatedIds } from './report-text.ts'
import { hanging, type TerminalStyle } from './terminal-style.ts'

type Color = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Text to wrap after `first`, a complete row, or a command, which is not wrapped: it is there to be copied. */
export type TerminalLine =
  | ''
  | { row: string; color?: Color }
  | { command: string }
  | readonly [first: string, text: Text | undefined, color?: Color | readonly Color[] | undefined]

const MARGIN = 5

export const indent = ' '.repeat(MARGIN)

const labelColors: Record<string, Color> = {
  expected: 'green',
  actual: 'red',
  also: 'red',
}

export function labelled(label: string): string {
  return `${indent}${label.padEnd(10)}`
}

function lineText(span: Exclude<Span, { code: string } | { value: unknown }>): string {
  if (typeof span === 'string') return span
  if ('ids' in span) return abbreviatedIds(span.ids)
  if ('observation' in span) return span.observation
  if ('address' in span) return span.address
  return span.url === undefined ? span.link : `${span.link}, ${span.url}`
}

function spanText(span: Span): string {
  if (typeof span === 'object' && 'code' in span) {
    return printableText(excerpt(span.code, { characters: 600, lines: 8 }))
  }
  if (typeof span === 'object' && 'value' in span) {
    const json = JSON.stringify(span.value) ?? 'nothing'
    return printableText(excerpt(json, { characters: 240, lines: 1 }))
  }
  return printableProse(lineText(span))
}

/** Formats lines as rows. Text is escaped. */
export function lineRows(lines: readonly TerminalLine[], { colors, width }: TerminalStyle) {
  const painter =
    (color: Color | readonly Color[] = []) =>
    (row: string) =>
      [color].flat().reduce((painted, name) => colors[name](painted), row)
  return lines.flatMap((line): string[] => {
    if (line === '') return [line]
    if ('row' in line) return [painter(line.color)(printableLine(line.row))]
    if ('command' in line) return [`${indent}${colors.cyan(printableText(line.command))}`]
    const [first, text, color] = line
    if (text === undefined) return []
    const texts = [text].flat().map(spanText)
    return hanging(first, texts.join(''), { colors, width }, painter(color))
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

/**
 * Returns the lines of a section; no lines if it has no entries.
 *
 * @param more returns lines to add to the entry with this index
 */
export function sectionLines(
  { title, entries, count = entries.length, color, notes = [] }: Section,
  more: (index: number) => readonly TerminalLine[] = () => [],
  maxEntries = entries.length,
): TerminalLine[] {
  if (entries.length === 0) return []
  const omitted = entries.length - maxEntries
  const omission = omitted > 0 ? [`and ${omitted} more, in report.json`] : []
  return [
    '',
    ['', `${title} (${count})`, color ? [color, 'bold'] : 'bold'],
    ...entries
      .slice(0, maxEntries)
      .flatMap((entry, index) => [...entryLines(entry, index), ...more(index)]),
    ...[...omission, ...notes].map((note): TerminalLine => ['  ', note, 'dim']),
  ]
}
