import type { RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { type Changes, type EarlierRun, newFailuresText } from './changes.ts'
import { exitStatus } from './exit-status.ts'
import { baselineCountsText } from './list-words.ts'
import { type ReportModel, reportModel } from './model.ts'
import { printableLine, printableSentence } from './printable.ts'
import { abbreviatedIds } from './reason-groups.ts'
import { counted, embeddedNote, requestsText, serviceName } from './run-words.ts'
import { TerminalSections } from './terminal-sections.ts'
import { hanging, type Paint, type TerminalStyle, terminalStyle } from './terminal-style.ts'
import { verdictCountsText } from './verdict-counts.ts'

/** How the summary is set, and what it points to. */
export interface TerminalSummaryOptions {
  color: boolean
  /** Of the terminal, in characters. */
  width: number
  /** Paths of the files that hold the whole run. */
  reportFiles: string[]
  /** Exit status, where it is not the one that the results give. */
  status?: number
  /** The report of the run before, to tell what is new. */
  previous?: EarlierRun | undefined
  /** Sentences to stand before the verdict, each of which is fit for a terminal. */
  notes?: readonly string[] | undefined
}

function header(report: RunReport, style: TerminalStyle): string[] {
  const { colors } = style
  const services = Object.entries(report.target).map(([key, { baseUrl, embedded }]) => ({
    name: printableSentence(serviceName(key)),
    address: `${printableLine(baseUrl)}${embedded === true ? ' (embedded reference)' : ''}`,
  }))
  const widest = Math.max(0, ...services.map(({ name }) => name.length))
  return [
    `${colors.bold(`Plumbline ${printableSentence(report.tool.version)}`)}, run ${printableSentence(report.run.id)}, ${report.run.startedAt}`,
    ...services.map(({ name, address }) => `  ${name.padEnd(widest)}  ${address}`),
  ]
}

/** What changed since the run before. */
function newsText({ news }: Changes): string {
  const parts = news.map(({ what, results }) => {
    const ids = abbreviatedIds(results.map(({ requirement }) => requirement))
    return `${results.length} ${what} (${ids})`
  })
  return parts.length === 0 ? 'nothing' : printableSentence(parts.join('; '))
}

function totals(
  { report, counts, failed, changes }: ReportModel,
  options: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const failedIds = abbreviatedIds(failed.map(({ result }) => result.requirement))
  const paint = (verdict: Verdict, text: string) =>
    counts[verdict] === 0 ? text : verdictPaint(verdict, style)(text)
  const files = options.reportFiles.map(printableLine)
  const labelled = (label: string, text: string | undefined, color?: Paint) =>
    text === undefined || text === '' ? [] : hanging(`${label}: `, text, style, color)
  return [
    '',
    `${counted(report.results.length, 'requirement', 'requirements')}: ${verdictCountsText(counts, paint)}`,
    // Once more: where there are many, most of the failures are far above the screen by now.
    ...labelled('failed', printableSentence(failedIds), style.colors.red),
    ...(changes === undefined
      ? []
      : hanging('', `new since the last run: ${newsText(changes)}`, style)),
    ...labelled('beside the baseline', report.baseline && baselineCountsText(report.baseline)),
    requestsText(report),
    ...labelled('reports', files.join(', ')),
    ...(options.notes ?? []).flatMap((note) => hanging('', note, style)),
  ]
}

function verdictPaint(verdict: Verdict, { colors }: TerminalStyle): Paint {
  if (verdict === 'pass') return colors.green
  if (verdict === 'fail') return colors.red
  return verdict === 'inconclusive' ? colors.yellow : (text) => text
}

function lastRow(
  { report, verdict, title, failed, changes }: ReportModel,
  { status = exitStatus(report) }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const paints: Record<RunVerdict, Paint> = {
    conformant: colors.green,
    nonconformant: colors.red,
    inconclusive: colors.yellow,
  }
  const doubt = status === exitStatus(report) ? '' : 'standard error says what went wrong beside it'
  const paint = doubt === '' ? paints[verdict] : colors.yellow
  const age = changes === undefined || failed.length === 0 ? '' : newFailuresText(changes)
  const reasons = [title, age, doubt, embeddedNote(report)].filter((text) => text !== '')
  // One row, however long: whoever looks at the last one alone sees all of it.
  return ['', colors.bold(paint(`${reasons.join('; ')} (exit status ${status})`))]
}

/**
 * What a person reads after a run, ending with a line break. A terminal shows the end of it: what
 * matters least comes first, then what got no verdict and every failure, none left out; the counts
 * and the verdict in words are last. What has the same reason is told once. Text from the deployment
 * cannot steer the terminal: control characters are written out.
 */
export function terminalSummary(report: RunReport, options: TerminalSummaryOptions): string {
  const style = terminalStyle(options)
  const model = reportModel(report, options)
  const rows = [
    ...header(report, style),
    ...new TerminalSections(model, style).rows(),
    ...totals(model, options, style),
    ...lastRow(model, options, style),
  ]
  return `${rows.join('\n')}\n`
}
