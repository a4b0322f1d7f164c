import { toServiceName } from '../results/ids.ts'
import { counted } from '../text/quantities.ts'
import type { Facts } from './facts.ts'
import type { ReportModel } from './model.ts'
import { abbreviatedIds, addressText, requestsText, runNotes } from './report-text.ts'
import { requiredVariables, runCommand, variablesText } from './rerun-commands.ts'
import { runSections } from './run-document.ts'
import { lineRows, sectionLines, type TerminalLine } from './terminal-document.ts'
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

function countsRow({ report, outcome }: ReportModel, { colors }: TerminalStyle): string {
  const untestable = untestableText(outcome) ?? ''
  const counts = verdictCountsText(outcome.counts, verdictPaint(colors))
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

const MAX_DETAILED = { failed: 12, inconclusive: 6 } as const
const MAX_FOLDED_ENTRIES = 20

/** Returns the command that judges the failures again, or their sections if there are many, and its variables. */
function rerunLines({ failed, inconclusive, report }: ReportModel): TerminalLine[] {
  const shown = [
    ...failed.slice(0, MAX_DETAILED.failed),
    ...inconclusive.slice(0, MAX_DETAILED.inconclusive),
  ]
  const repeated = shown.flatMap((one) => {
    const { evidence } = 'example' in one ? (one.example ?? {}) : (one as Facts)
    return evidence && evidence.commands.length > 0 ? evidence.exchange : []
  })
  const variables = variablesText(requiredVariables(repeated, report))
  const ids = failed.map(({ result }) => result.requirement)
  const sections = new Set(ids.map((id) => id.split('/').slice(0, 2).join('/')))
  const isLong = failed.length > MAX_DETAILED.failed
  const note = `Exchanges from number ${MAX_DETAILED.failed + 1} on are only in the report files.`
  const rerun: TerminalLine[] = [
    '',
    ['  ', 'Re-run the failures:', 'dim'],
    { command: runCommand(isLong ? [...sections] : ids, report) },
  ]
  return [
    ['  ', isLong ? note : undefined, 'dim'],
    ...(failed.length > 0 ? rerun : []),
    ...(variables === undefined ? [] : (['', ['  ', variables, 'dim']] as const)),
  ]
}

/**
 * Returns the sections of a run, least important first, failures last. Only the first failures and reasons
 * have their exchanges.
 */
function reportLines(
  model: ReportModel,
  { quiet, verbose }: Pick<TerminalSummaryOptions, 'quiet' | 'verbose'>,
): TerminalLine[] {
  const shown = new Set<string>()
  const sections = runSections(model)
    .toReversed()
    .filter(({ id, folded }) => (quiet ? !folded : verbose || id !== 'observations'))
  const lines = sections.flatMap((section) => {
    const maxDetailed = MAX_DETAILED[section.id as keyof typeof MAX_DETAILED]
    const maxEntries = section.folded ? MAX_FOLDED_ENTRIES : undefined
    return sectionLines(section, { maxEntries, maxDetailed, shown })
  })
  return [...lines, ...rerunLines(model)]
}

function verdictLines(model: ReportModel): TerminalLine[] {
  const { report, outcome, title } = model
  const { exitStatus, displayVerdict } = outcome
  const { color } = runVerdictStyles[displayVerdict]
  const reasons = [title, ...runNotes(report)]
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
