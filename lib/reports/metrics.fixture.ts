import { createRequire } from 'node:module'

interface ParsedMetric {
  name: string
  type: string
  metrics: { value: string; labels?: Record<string, string> }[]
}

// It has no types.
const parseText = createRequire(import.meta.url)('parse-prometheus-text-format')

/** Lines of the Prometheus text format 0.0.4 that the parser would accept in a wrong form. */
const lines = [
  /^# HELP [a-z_]+ \S.*$/,
  /^# TYPE [a-z_]+ gauge$/,
  /^[a-z_]+\{[a-z_]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\]|\\["\\n])*")*\} -?\d+(?:\.\d+)?$/,
]

/**
 * Returns the samples of each metric by name.
 *
 * @throws Error for a line that is not in the format, a missing HELP or TYPE line, or a repeated series
 */
export function parseMetrics(text: string) {
  const rows = text.split('\n')
  if (rows.pop() !== '') throw new Error('the last line has no end')
  for (const row of rows) {
    if (!lines.some((line) => line.test(row))) throw new Error(`not in the format: ${row}`)
  }
  const series = rows.filter((row) => !row.startsWith('#')).map((row) => row.replace(/ \S+$/, ''))
  if (new Set(series).size < series.length) throw new Error('a series is repeated')
  const parsed: ParsedMetric[] = parseText(text)
  const headings = rows.filter((row) => row.startsWith('#')).map((row) => row.split(' ')[2])
  const expected = parsed.flatMap(({ name }) => [name, name])
  if (headings.join() !== expected.join()) throw new Error(`headings: ${headings.join()}`)
  return Object.fromEntries(
    parsed.map(({ name, metrics }) => [
      name,
      metrics.map(({ value, labels = {} }) => ({ value: Number(value), labels })),
    ]),
  )
}
