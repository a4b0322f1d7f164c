import { codeSpan, markdownDocument, plainText } from '../../reports/markdown.ts'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  truncate,
} from '../../reports/printable.ts'
import { lineRows, type TerminalLine } from '../../reports/terminal-sections.ts'
import { labelled, terminalStyle } from '../../reports/terminal-style.ts'
import { type Comparison, comparisonStatus } from './compare.ts'
import {
  type ComparisonItem,
  comparedRunText,
  outcomeText,
  runDifferencesTitle,
  sections,
} from './sections.ts'

const indent = ' '.repeat(5)
const VALUE_LIMITS = { characters: 600, lines: 8 }

const statusMarks = { 0: '✅', 1: '❌', 3: '⚠️' } as const
const statusColors = { 0: 'green', 1: 'red', 3: 'yellow' } as const
const labelColors: Record<string, 'green' | 'red'> = { expected: 'green', actual: 'red' }

function itemLines({ title, names, details }: ComparisonItem, index: number): TerminalLine[] {
  const value = (text: string) => printableText(excerpt(text, VALUE_LIMITS))
  // Failures have details and a number.
  const first = details.length === 0 ? '  ' : `${index + 1}. `.padStart(indent.length)
  return [
    ...(title === undefined ? [] : (['', [first, value(title), 'bold']] as const)),
    [title === undefined ? '  ' : indent, printableSentence(names)],
    ...details.map(({ label, text }): TerminalLine => {
      const first = label === undefined ? indent : labelled(indent, label)
      return [first, value(text), label === undefined ? 'dim' : labelColors[label]]
    }),
  ]
}

/** Formats a comparison for a terminal, most important last. Text of the reports is escaped. */
export function comparisonText(
  comparison: Comparison,
  options: { color: boolean; width: number },
): string {
  const style = terminalStyle(options)
  const { before, after } = comparison
  const runs = Object.entries({ before, after }).flatMap(([name, run]): TerminalLine[] => [
    [`${name.padEnd(7)} `, printableLine(run.file), 'bold'],
    [' '.repeat(8), printableSentence(comparedRunText(run))],
  ])
  const lines: TerminalLine[] = [
    ...runs,
    ...sections(comparison)
      .reverse()
      .flatMap(({ title, count, color, items }): TerminalLine[] => [
        '',
        ['', `${title} (${count})`, color ?? 'bold'],
        ...items.flatMap(itemLines),
      ]),
    '',
    // Not wrapped, so that the last line is complete.
    style.colors[statusColors[comparisonStatus(comparison)]](outcomeText(comparison)),
  ]
  return `${lineRows(lines, style).join('\n')}\n`
}

function markdownItem({ title, names, details }: ComparisonItem): string {
  const titleText = title === undefined ? '' : `: ${plainText(truncate(title, 300))}`
  return [
    `- ${codeSpan(names, 2000)}${titleText}`,
    ...details.map(({ label, text }) => {
      return `  - ${label === undefined ? '' : `${label}: `}${codeSpan(text, 400)}`
    }),
  ].join('\n')
}

/** Formats a comparison as Markdown of at most 60,000 characters. Text of the reports is escaped. */
export function comparisonMarkdown(comparison: Comparison): string {
  const { before, after } = comparison
  const runs = Object.entries({ before, after }).map(
    ([name, run]) =>
      `- ${name}: ${codeSpan(run.file, 300)}, ${codeSpan(comparedRunText(run), 300)}`,
  )
  const all = sections(comparison).map(({ title, count, folded = false, items }) => {
    return { title, count, folded, head: [], rows: items.map(markdownItem) }
  })
  const place = ({ title, folded }: (typeof all)[number]) =>
    title === runDifferencesTitle ? -1 : Number(folded)
  const mark = statusMarks[comparisonStatus(comparison)]
  return markdownDocument(
    [`## ${mark} ${plainText(outcomeText(comparison))}`, '', ...runs, ''],
    // Other differences explain changes of verdicts.
    all.sort((one, other) => place(one) - place(other)),
    'with `--format json`',
  )
}
