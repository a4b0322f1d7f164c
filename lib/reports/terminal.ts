import { defaultSampling } from '../conformance/sampling.ts'
import { serviceName } from '../results/ids.ts'
import type { RequirementResult } from '../results/run-report.ts'
import type { RunSnapshot } from '../results/snapshot.ts'
import { abbreviatedIds } from './abbreviate-ids.ts'
import { baselineCountsText, counted, embeddedNote, requestsText } from './format.ts'
import { type ReportModel, reportModel } from './model.ts'
import { printableLine, printableSentence } from './printable.ts'
import { newFailuresText, newsText } from './run-changes.ts'
import { allSections, observationRows } from './terminal-sections.ts'
import {
  hanging,
  type Paint,
  type TerminalStyle,
  terminalStyle,
  verdictColors,
  verdictPaint,
} from './terminal-style.ts'
import { verdictCountsText } from './verdict-labels.ts'

interface TerminalSummaryOptions {
  color: boolean
  width: number
  reportFiles: string[]
  /** Exit status, where it is not the one that the results give. */
  status?: number
  previous?: RunSnapshot | undefined
  /** Sentences to stand before the verdict, each of which is fit for a terminal. */
  notes?: readonly string[] | undefined
  /** What fails and what got no verdict are told, and the verdict. */
  quiet?: boolean | undefined
  /** What was observed is told too, and not only where it is. */
  verbose?: boolean | undefined
}

function header({ report: { tool, run, target } }: ReportModel, { colors }: TerminalStyle) {
  const services = Object.entries(target).map(([key, { baseUrl, embedded }]) => ({
    name: printableSentence(serviceName(key)),
    address: `${printableLine(baseUrl)}${embedded === true ? ' (embedded reference)' : ''}`,
  }))
  const widest = Math.max(0, ...services.map(({ name }) => name.length))
  const title = colors.bold(`Plumbline ${printableSentence(tool.version)}`)
  const { seed: usual } = defaultSampling
  const seed = (run.seed ?? usual) === usual ? '' : `, seed ${run.seed}`
  return [
    `${title}, run ${printableSentence(run.id)}, ${run.startedAt}${seed}`,
    ...services.map(({ name, address }) => `  ${name.padEnd(widest)}  ${address}`),
  ]
}

function totals(
  { report, summary, failed, changes }: ReportModel,
  { reportFiles, notes = [], verbose }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const ids = (results: RequirementResult[]) =>
    printableSentence(abbreviatedIds(results.map(({ requirement }) => requirement)))
  const news = changes?.news.map(
    (one) => `${one.results.length} ${newsText(one)} (${ids(one.results)})`,
  )
  const seen = report.observations.length
  const page = reportFiles.find((name) => name.endsWith('report.html'))
  const labelled = (label: string, text: string | undefined, color?: Paint) =>
    text ? hanging(`${label}: `, text, style, color) : []
  return [
    '',
    `${counted(report.results.length, 'requirement', 'requirements')}: ${verdictCountsText(summary.counts, verdictPaint(style.colors))}`,
    // Once more: where there are many, most of the failures are far above the screen by now.
    ...labelled('failed', ids(failed.map(({ result }) => result)), style.colors.red),
    ...(news ? hanging('', `new since the last run: ${news.join('; ') || 'nothing'}`, style) : []),
    ...labelled('beside the baseline', report.baseline && baselineCountsText(report.baseline)),
    requestsText(report),
    ...(page === undefined || seen === 0 || verbose
      ? []
      : labelled(
          `${counted(seen, 'observation', 'observations')} recorded`,
          `${printableLine(page)}#observations`,
        )),
    ...labelled('reports', reportFiles.map(printableLine).join(', ')),
    ...notes.flatMap((note) => hanging('', note, style)),
  ]
}

function verdictRows(
  { report, summary, title, failed, changes, shortfall = [] }: ReportModel,
  { status = summary.exitStatus }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const isDoubtful = status !== summary.exitStatus
  const paint = colors[isDoubtful ? 'yellow' : verdictColors[summary.toldVerdict]]
  const age = changes && failed.length > 0 && newFailuresText(changes)
  const doubt = isDoubtful && 'standard error says what went wrong beside it'
  const reasons = [title, age, doubt, embeddedNote(report)].filter(Boolean)
  const text = `${reasons.join('; ')} (exit status ${status})`
  const lost = shortfall.flatMap(({ label, text }) =>
    hanging(`${label}: `, printableSentence(text), style, colors.yellow),
  )
  return ['', ...lost, ...hanging('', text, style, (row) => colors.bold(paint(row)))]
}

/** A terminal shows the end: what matters least comes first, the verdict last. Nothing can steer it. */
export function terminalSummary(
  report: ReportModel['report'],
  options: TerminalSummaryOptions,
): string {
  const style = terminalStyle(options)
  const model = reportModel(report, options)
  const verdict = verdictRows(model, options, style)
  const { quiet = false } = options
  const sections = allSections(model, style, quiet)
  if (quiet) return [...sections, ...verdict].slice(1).join('\n')
  const observed = options.verbose ? observationRows(model, style) : []
  const rows = [
    ...header(model, style),
    ...observed,
    ...sections,
    ...totals(model, options, style),
    ...verdict,
  ]
  return `${rows.join('\n')}\n`
}
