import { DEFAULT_SEED } from '../conformance/seed.ts'
import { toServiceName } from '../results/ids.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { printableLine, printableSentence } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import type { ReportModel } from './model.ts'
import {
  abbreviatedIds,
  addressText,
  baselineCountsText,
  requestsText,
  runNotes,
} from './report-text.ts'
import { newFailuresText, newsText } from './run-changes.ts'
import { allSections, observationRows } from './terminal-sections.ts'
import {
  hanging,
  type Paint,
  type TerminalStyle,
  terminalStyle,
  verdictPaint,
} from './terminal-style.ts'
import { runVerdictStyles, untestableText, verdictCountsText } from './verdict-labels.ts'

interface TerminalSummaryOptions {
  color: boolean
  width: number
  reportFiles: string[]
  /** Printable sentences before the verdict. */
  notes?: readonly string[] | undefined
  /** True to show only failures, inconclusive requirements, and the verdict. */
  quiet?: boolean | undefined
  /** True to show all observations, not only their location. */
  verbose?: boolean | undefined
}

function header({ report: { tool, run, target } }: ReportModel, { colors }: TerminalStyle) {
  const services = Object.entries(target).map(([key, place]) => ({
    name: printableSentence(toServiceName(key)),
    address: addressText(place),
  }))
  const nameWidth = Math.max(0, ...services.map(({ name }) => name.length))
  const title = colors.bold(`Plumbline ${printableSentence(tool.version)}`)
  const seed = run.seed === DEFAULT_SEED ? '' : `, seed ${run.seed}`
  return [
    `${title}, run ${printableSentence(run.id)}, ${run.startedAt}${seed}`,
    ...services.map(({ name, address }) => `  ${name.padEnd(nameWidth)}  ${address}`),
  ]
}

function totals(
  { report, summary, failed, changes, reminders }: ReportModel,
  { reportFiles, notes = [], verbose }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const ids = (results: RequirementResult[]) =>
    printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
  const texts = changes?.news.map(
    (one) => `${one.results.length} ${newsText(one)} (${ids(one.results)})`,
  )
  const untestable = untestableText(summary) ?? ''
  const observationCount = report.observations.length
  const page = reportFiles.find((name) => name.endsWith('report.html'))
  const labelled = (label: string, text: string | undefined, color?: Paint) =>
    text ? hanging(`${label}: `, text, style, color) : []
  return [
    '',
    `${counted(report.results.length, 'requirement')}${untestable && ` (${untestable})`}: ${verdictCountsText(summary.counts, verdictPaint(style.colors))}`,
    // Repeated, since a long list of failures has scrolled off the screen.
    ...labelled('failed', ids(failed.map(({ result }) => result)), style.colors.red),
    ...(texts
      ? hanging('', `new since the last run: ${texts.join('; ') || 'nothing'}`, style)
      : []),
    ...labelled('baseline', report.baseline && baselineCountsText(report.baseline)),
    ...hanging('', requestsText(report), style),
    ...(page === undefined || observationCount === 0 || verbose
      ? []
      : labelled(
          `${counted(observationCount, 'observation')} recorded`,
          `${printableLine(page)}#observations`,
        )),
    ...labelled('reports', reportFiles.map(printableLine).join(', ')),
    ...noteRows([...notes, ...reminders], style),
  ]
}

const noteRows = (notes: readonly string[], style: TerminalStyle) =>
  notes.flatMap((note) => hanging('', note, style))

function verdictRows(
  { report, summary, outcome, title, failed, changes, coverageGap = [] }: ReportModel,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const { exitStatus } = outcome
  const isDoubtful = exitStatus !== summary.exitStatus
  const paint = colors[isDoubtful ? 'yellow' : runVerdictStyles[summary.displayVerdict].color]
  const age = changes && failed.length > 0 && newFailuresText(changes)
  const doubt = isDoubtful && 'standard error says what went wrong'
  const reasons = [title, age, doubt, ...runNotes(report)].filter(Boolean)
  const text = `${reasons.join('; ')} (exit status ${exitStatus})`
  const gaps = coverageGap.flatMap(({ label, text }) =>
    hanging(`${label}: `, printableSentence(text), style, colors.yellow),
  )
  return ['', ...gaps, ...hanging('', text, style, (row) => colors.bold(paint(row)))]
}

/** Returns the summary for a terminal, which shows the end: the verdict comes last. All text is printable. */
export function terminalSummary(model: ReportModel, options: TerminalSummaryOptions): string {
  const style = terminalStyle(options)
  const verdict = verdictRows(model, style)
  const { quiet = false } = options
  const sections = allSections(model, style, quiet)
  if (quiet) {
    const notes = noteRows([...(options.notes ?? []), ...model.reminders], style)
    return [...sections, ...(notes.length > 0 ? ['', ...notes] : []), ...verdict]
      .slice(1)
      .join('\n')
  }
  const observed = options.verbose ? observationRows(model, style) : []
  const rows = [
    ...header(model, style),
    ...observed,
    ...sections,
    ...totals(model, options, style),
    ...verdict,
  ]
  return rows.join('\n')
}
