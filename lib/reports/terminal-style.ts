import picocolors from 'picocolors'
import type { Verdict } from '../results/run-report.ts'
import type { DisplayVerdict } from '../results/verdict.ts'
import { wrapped } from './printable.ts'

/** The colour of a verdict on a run. */
export const verdictColors = {
  conformant: 'green',
  nonconformant: 'red',
  inconclusive: 'yellow',
  thin: 'cyan',
  deviating: 'yellow',
} as const satisfies Record<DisplayVerdict, string>

export type Paint = (text: string) => string

export interface TerminalStyle {
  colors: ReturnType<typeof picocolors.createColors>
  /** Columns of a line of text. */
  width: number
}

/** Returns a style for a terminal of the given width; text is set between 40 and 120 columns wide. */
export function terminalStyle(options: { color: boolean; width: number }): TerminalStyle {
  const width = Number.isFinite(options.width) ? options.width : 0
  return {
    colors: picocolors.createColors(options.color),
    width: Math.min(Math.max(width, 40), 120),
  }
}

export function heading(title: string, count: number, paint: Paint): string[] {
  return ['', paint(`${title} (${count})`)]
}

/**
 * Text wrapped to the width, after `first` on the first row and after as many spaces on the
 * following ones. Every row is painted by itself, so that no colour reaches into the margin.
 */
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

export function labelled(indent: string, label: string): string {
  return `${indent}${label.padEnd(10)}`
}

export function verdictPaint(colors: TerminalStyle['colors']) {
  const paints = { pass: colors.green, fail: colors.red, inconclusive: colors.yellow }
  return (verdict: Verdict, text: string) =>
    verdict in paints ? paints[verdict as keyof typeof paints](text) : text
}
