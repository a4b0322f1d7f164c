import { sectionOf } from '../results/ids.ts'
import { counted } from '../text/quantities.ts'
import type { Entry, ReportModel, Section } from './facts.ts'
import { requestsText, targetTexts } from './report-text.ts'
import { runCommand, variablesText } from './rerun-commands.ts'
import { runSections } from './run-document.ts'
import {
  lineRows,
  sectionLines,
  type TerminalLine,
  type TerminalStyle,
} from './terminal-document.ts'
import { runVerdictStyles, verdictCountsText } from './verdict-labels.ts'

interface TerminalSummaryOptions extends TerminalStyle {
  reportFiles: string[]
  /** True to show only failures, inconclusive requirements, leaked resources, and the verdict. */
  quiet?: boolean | undefined
  /** True to show all observations, not only their location. */
  verbose?: boolean | undefined
}

const headerLines = ({ report: { tool, run, target } }: ReportModel): TerminalLine[] => [
  { row: `Plumbline ${tool.version}, run ${run.id}, ${run.startedAt}`, color: 'bold' },
  ...targetTexts(target).map((text): TerminalLine => ['  ', text]),
]

const noteLines = (notes: readonly string[]) => notes.map((note): TerminalLine => ['', note])

function totalLines({ report, outcome, reminders }: ReportModel, reportFiles: readonly string[]) {
  const number = counted(report.results.length, 'requirement')
  const total = `${number}: ${verdictCountsText(outcome.counts)}`
  const reports = reportFiles.length > 0 ? [`reports: ${reportFiles.join(', ')}`] : []
  return noteLines([total, requestsText(report), ...reports, ...reminders])
}

const MAX_FAILURES = 12
const MAX_DETAILED: Record<string, number> = { failed: MAX_FAILURES, inconclusive: 6 }
const MAX_FOLDED_ENTRIES = 20

/** Returns the command that judges the failures again, or their sections if there are many, and its variables. */
function rerunLines({ failed, report }: ReportModel, repeated: readonly Entry[]): TerminalLine[] {
  const exchanges = repeated.flatMap(({ evidence }) =>
    evidence && evidence.commands.length > 0 ? evidence.exchange : [],
  )
  const variables = variablesText(exchanges, report)
  const ids = failed.map(({ result }) => result.requirement)
  const sections = new Set(ids.map(sectionOf))
  const isLong = failed.length > MAX_FAILURES
  const rerun: TerminalLine[] = [
    '',
    ['  ', 'Re-run the failures:', 'dim'],
    { command: runCommand(isLong ? [...sections] : ids, report) },
  ]
  return [
    ...(failed.length > 0 ? rerun : []),
    ...(variables === undefined ? [] : (['', ['  ', variables, 'dim']] as const)),
  ]
}

/** Returns the sections of a run, least important first, failures last. Only the first failures and reasons have their exchanges. */
function reportLines(model: ReportModel, { quiet, verbose }: TerminalSummaryOptions) {
  const shown = new Set<string>()
  const sections = runSections(model)
    .toReversed()
    .filter(({ id, folded }) =>
      quiet ? !folded || id === 'leaked-resources' : verbose || id !== 'observations',
    )
    .map(({ entries, notes = [], ...section }): Section => {
      const max = MAX_DETAILED[section.id ?? ''] ?? 0
      const short = entries.slice(max).map((entry) => ({ ...entry, evidence: undefined }))
      const isShort = entries.slice(max).some(({ evidence }) => evidence)
      const further = `Exchanges and commands of entries after the first ${max}: in report.html.`
      return {
        ...section,
        entries: [...entries.slice(0, max), ...short],
        notes: [...(isShort && max > 0 ? [further] : []), ...notes],
      }
    })
  const lines = sections.flatMap((section) =>
    sectionLines(section, section.folded ? MAX_FOLDED_ENTRIES : undefined, shown),
  )
  const entries = sections.flatMap((section) => section.entries)
  return [...lines, ...rerunLines(model, entries)]
}

/** Returns the summary for a terminal, which shows the end: the verdict comes last. */
export function terminalSummary(model: ReportModel, options: TerminalSummaryOptions): string {
  const { outcome, title, reminders } = model
  const sections = reportLines(model, options)
  const { color } = runVerdictStyles[outcome.displayVerdict]
  const totals = options.quiet ? noteLines(reminders) : totalLines(model, options.reportFiles)
  return lineRows(
    [
      ...(options.quiet ? [] : headerLines(model)),
      ...sections,
      ...(totals.length > 0 ? (['', ...totals] as const) : []),
      '',
      ['', `${title} (exit status ${outcome.exitStatus})`, [color, 'bold']],
    ],
    options,
  )
    .slice(options.quiet ? 1 : 0)
    .join('\n')
}
