import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types'
import type { Verdict } from '../results/run-report.ts'
import { wrapped } from '../text/printable.ts'

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

export function heading(title: string, count: number, paint: Paint): string[] {
  return ['', paint(`${title} (${count})`)]
}

/**
 * Wraps text to the width, with `first` before the first row and the same number of spaces before the
 * others. Rows are painted one by one, so that no color reaches the margin.
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

export function verdictPaint(colors: TerminalStyle['colors']) {
  const paints = { pass: colors.green, fail: colors.red, inconclusive: colors.yellow }
  return (verdict: Verdict, text: string) =>
    verdict in paints ? paints[verdict as keyof typeof paints](text) : text
}
