import { toServiceName } from '../results/ids.ts'
import { counted } from '../text/quantities.ts'
import type { ReportModel } from './model.ts'
import { abbreviatedIds, addressText, requestsText, runNotes } from './report-text.ts'
import { lineRows, type TerminalLine } from './terminal-document.ts'
import { reportLines } from './terminal-sections.ts'
import { type TerminalStyle, terminalStyle, verdictPaint } from './terminal-style.ts'
import { runVerdictStyles, untestableText, verdictCountsText } from './verdict-labels.ts'

interface TerminalSummaryOptions {
  color: boolean
  width: number
  reportFiles: string[]
  /** Sentences before the verdict. */
  notes?: readonly string[] | undefined
  /** True to show only failures, inconclusive requirements, and the verdict. */
  quiet?: boolean | undefined
  /** True to show all observations, not only their location. */
  verbose?: boolean | undefined
}

function headerLines({ report: { tool, run, target } }: ReportModel): TerminalLine[] {
  return [
    { row: `Plumbline ${tool.version}, run ${run.id}, ${run.startedAt}`, color: 'bold' },
    ...Object.entries(target).map(([key, place]): TerminalLine => {
      return ['  ', `${toServiceName(key)}: ${addressText(place)}`]
    }),
  ]
}

function countsRow({ report, summary }: ReportModel, { colors }: TerminalStyle): string {
  const untestable = untestableText(summary) ?? ''
  const counts = verdictCountsText(summary.counts, verdictPaint(colors))
  return `${counted(report.results.length, 'requirement')}${untestable && ` (${untestable})`}: ${counts}`
}

const noteLines = (notes: readonly (string | undefined)[]) =>
  notes.map((note): TerminalLine => ['', note])

function totalLines(
  { report, failed, reminders }: ReportModel,
  { reportFiles, notes = [], verbose }: TerminalSummaryOptions,
): TerminalLine[] {
  const { observations } = report
  const page = reportFiles.find((name) => name.endsWith('report.html'))
  const recorded = `${counted(observations.length, 'observation')} recorded: ${page}#observations`
  // Repeated, since a long list of failures has scrolled off the screen.
  const ids = abbreviatedIds(failed.map(({ result }) => result.requirement))
  return [
    ['', failed.length > 0 ? `failed: ${ids}` : undefined, 'red'],
    ...noteLines([
      requestsText(report),
      page === undefined || observations.length === 0 || verbose ? undefined : recorded,
      reportFiles.length > 0 ? `reports: ${reportFiles.join(', ')}` : undefined,
      ...notes,
      ...reminders,
    ]),
  ]
}

function verdictLines(model: ReportModel): TerminalLine[] {
  const { report, summary, outcome, title } = model
  const { exitStatus } = outcome
  const isDoubtful = exitStatus !== summary.exitStatus
  const color = isDoubtful ? 'yellow' : runVerdictStyles[summary.displayVerdict].color
  const doubt = isDoubtful && 'standard error says what went wrong'
  const reasons = [title, doubt, ...runNotes(report)].filter(Boolean)
  return ['', ['', `${reasons.join('; ')} (exit status ${exitStatus})`, [color, 'bold']]]
}

/** Returns the summary for a terminal, which shows the end: the verdict comes last. */
export function terminalSummary(model: ReportModel, options: TerminalSummaryOptions): string {
  const style = terminalStyle(options)
  const sections = reportLines(model, options)
  const verdict = verdictLines(model)
  if (options.quiet) {
    const notes = noteLines([...(options.notes ?? []), ...model.reminders])
    const lines = [...sections, ...(notes.length > 0 ? (['', ...notes] as const) : []), ...verdict]
    return lineRows(lines, style).slice(1).join('\n')
  }
  const totals = [...totalLines(model, options), ...verdict]
  return [
    ...lineRows([...headerLines(model), ...sections, ''], style),
    countsRow(model, style),
    ...lineRows(totals, style),
  ].join('\n')
}
