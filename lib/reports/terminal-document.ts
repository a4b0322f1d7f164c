/** Lays out documents on a terminal. */
import { excerpt, printableLine, printableProse, printableText } from '../text/printable.ts'
import { type Entry, type Section, type Span, spanText, type Text } from './document.ts'
import { exchangeLines, requestLine, statusLine } from './exchange-text.ts'
import { creationText } from './rerun-commands.ts'
import { hanging, type TerminalStyle } from './terminal-style.ts'

type Color = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow'

/** Text to wrap after `first`, a complete row, or a command, which is not wrapped: it is there to be copied. */
export type TerminalLine =
  | ''
  | { row: string; color?: Color }
  | { command: string }
  | readonly [first: string, text: Text | undefined, color?: Color | readonly Color[] | undefined]

const MARGIN = 5

const indent = ' '.repeat(MARGIN)

const labelColors: Record<string, Color> = {
  expected: 'green',
  actual: 'red',
  also: 'red',
}

function labelled(label: string): string {
  return `${indent}${label.padEnd(10)}`
}

function printableSpan(span: Span): string {
  const text = spanText(span)
  if (typeof span === 'string' || !('code' in span || 'value' in span)) return printableProse(text)
  const limits = 'code' in span ? { characters: 600, lines: 8 } : { characters: 240, lines: 1 }
  return printableText(excerpt(text, limits))
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
    const texts = [text].flat().map(printableSpan)
    return hanging(first, texts.join(''), { colors, width }, painter(color))
  })
}

/** Returns the details with only the first further deviation; the report files have the others. */
function shortened(details: Entry['details'] = []) {
  const further = details.filter(({ label }) => label === 'also')
  const others = `; and ${further.length - 1} more in report.json`
  return details.flatMap(({ label, text }) => {
    if (text === undefined || further.slice(1).some((one) => one.text === text)) return []
    return { label, text: label === 'also' && further[1] ? [text, others].flat() : text }
  })
}

function entryLines({ number, title, name, details }: Entry, index: number): TerminalLine[] {
  const margin = (text: string) => `${text.padStart(MARGIN - 1)} `
  const first = number === undefined ? '  ' : margin(`${number} `)
  return [
    ...(title === undefined ? [] : (['', [margin(`${index + 1}.`), title, 'bold']] as const)),
    [title === undefined ? first : indent, name],
    ...shortened(details).map(({ label, text }): TerminalLine => {
      return label === undefined
        ? [indent, text, 'dim']
        : [labelled(label), text, labelColors[label]]
    }),
  ]
}

const excerptLimits = { characters: 480, lines: 6 }

/** Returns the lines of an exchange, with the commands that send it again. @param shown what is already there */
function evidenceLines({ evidence, verdict }: Entry, shown: Set<string>): TerminalLine[] {
  if (evidence === undefined) return []
  const { exchange, read, commands } = evidence
  if (shown.has(exchange.id)) return [[labelled('exchange'), `${exchange.id}, shown above`, 'dim']]
  shown.add(exchange.id)
  const body = read.isOutsideBody ? undefined : excerptLimits
  // The other fields of a failure are on the page.
  const headers = verdict === 'fail' ? 'read' : 'all'
  const lines = exchangeLines(exchange, { read, requestDetails: false, headers, body })
  const title = `${exchange.id}: ${requestLine(exchange)}: ${statusLine(exchange)}`
  const others = commands.filter(
    ({ creates, command }) => creates.length > 0 && !shown.has(command),
  )
  for (const { command } of others) shown.add(command)
  return [
    [labelled('exchange'), title, 'dim'],
    ...lines
      .slice(2)
      .filter(({ text }) => text !== '<')
      .map(({ text, isRead }): TerminalLine => {
        // The margin of a line that has what was read is marked.
        const before = isRead ? `${'!'.padStart(MARGIN - 1)} ` : indent
        return [`${before}${text.slice(0, 2)}`, { code: text.slice(2) }, isRead ? 'red' : undefined]
      }),
    ...others.flatMap(({ creates, command }): TerminalLine[] => [
      [indent, creationText(creates), 'dim'],
      { command },
    ]),
    [indent, others.length > 0 ? 'Then:' : undefined, 'dim'],
    ...commands.slice(-1).map(({ command }) => ({ command })),
  ]
}

/**
 * Returns the lines of a section; no lines if it has no entries.
 *
 * @param options `maxDetailed`: number of entries with their exchanges; `shown`: exchanges and commands that are already
 *   there, to which this section adds its own
 */
export function sectionLines(
  { title, entries, count = entries.length, color, notes = [] }: Section,
  { maxEntries = entries.length, maxDetailed = 0, shown = new Set<string>() } = {},
): TerminalLine[] {
  if (entries.length === 0) return []
  const omitted = entries.length - maxEntries
  const omission = omitted > 0 ? [`and ${omitted} more, in report.json`] : []
  return [
    '',
    ['', `${title} (${count})`, color ? [color, 'bold'] : 'bold'],
    ...entries
      .slice(0, maxEntries)
      .flatMap((entry, index) => [
        ...entryLines(entry, index),
        ...(index < maxDetailed ? evidenceLines(entry, shown) : []),
      ]),
    ...[...omission, ...notes].map((note): TerminalLine => ['  ', note, 'dim']),
  ]
}
