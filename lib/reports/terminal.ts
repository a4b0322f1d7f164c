import type { RequirementResult, RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { baselineCountsText } from './baseline-words.ts'
import { changesSince, type EarlierRun } from './changes.ts'
import { newFailuresText, newsOf } from './changes-words.ts'
import { Evidence } from './evidence.ts'
import { exitStatus, failsBesideVerdict, runVerdict, runVerdictText } from './exit-status.ts'
import { printableLine, printableSentence } from './printable.ts'
import { abbreviatedIds, withoutOwnReason } from './reason-groups.ts'
import { counted, embeddedNote, requestsText, serviceName } from './run-words.ts'
import {
  deviationSection,
  groupedSection,
  leftBehindSection,
  observationSection,
} from './terminal-lists.ts'
import { hanging, type Paint, type TerminalStyle, terminalStyle } from './terminal-style.ts'
import {
  failedSection,
  inconclusiveSection,
  type ShownEvidence,
  variablesNote,
} from './terminal-verdicts.ts'
import {
  baselineSection,
  unjudgedWaiverSection,
  waivedSection,
  waiverProblemSection,
} from './terminal-waivers.ts'
import { countVerdicts, verdictCountsText } from './verdict-counts.ts'

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

/** What changed since the run before; nothing where there is none to compare with. */
function newsRows(
  report: RunReport,
  { previous }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const changes = changesSince(previous, report)
  if (changes === undefined) return []
  const parts = newsOf(changes).map(({ what, results }) => {
    const ids = abbreviatedIds(results.map(({ requirement }) => requirement))
    return `${results.length} ${what} (${ids})`
  })
  const text = parts.length === 0 ? 'nothing' : printableSentence(parts.join('; '))
  return hanging('', `new since the last run: ${text}`, style)
}

/** How many of the failures are new; nothing where there is nothing to compare with. */
function failuresText(report: RunReport, previous: EarlierRun | undefined): string {
  const changes = changesSince(previous, report)
  const failed = report.results.some(({ verdict }) => verdict === 'fail')
  return changes === undefined || !failed ? '' : newFailuresText(changes)
}

function totals(
  report: RunReport,
  options: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const counts = countVerdicts(report.results)
  const failed = report.results.filter(({ verdict }) => verdict === 'fail')
  const failedIds = abbreviatedIds(failed.map(({ requirement }) => requirement))
  const paint = (verdict: Verdict, text: string) =>
    counts[verdict] === 0 ? text : verdictPaint(verdict, style)(text)
  const files = options.reportFiles.map(printableLine)
  return [
    '',
    `${counted(report.results.length, 'requirement', 'requirements')}: ${verdictCountsText(counts, paint)}`,
    // Once more: where there are many, most of the failures are far above the screen by now.
    ...(failed.length === 0
      ? []
      : hanging('failed: ', printableSentence(failedIds), style, style.colors.red)),
    ...newsRows(report, options, style),
    ...baselineRows(report, style),
    requestsText(report),
    ...(files.length === 0 ? [] : hanging('reports: ', files.join(', '), style)),
    ...(options.notes ?? []).flatMap((note) => hanging('', note, style)),
  ]
}

function baselineRows({ baseline }: RunReport, style: TerminalStyle): string[] {
  return baseline === undefined
    ? []
    : hanging('beside the baseline: ', baselineCountsText(baseline), style)
}

function verdictPaint(verdict: Verdict, { colors }: TerminalStyle): Paint {
  if (verdict === 'pass') return colors.green
  if (verdict === 'fail') return colors.red
  return verdict === 'inconclusive' ? colors.yellow : (text) => text
}

function lastRow(
  report: RunReport,
  { previous, status = exitStatus(report) }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const paints: Record<RunVerdict, Paint> = {
    conformant: colors.green,
    nonconformant: colors.red,
    inconclusive: colors.yellow,
  }
  const doubt = status === exitStatus(report) ? '' : 'standard error says what went wrong beside it'
  const verdict = runVerdict(report.results, report.run.interrupted === true)
  const decided = failsBesideVerdict(report) ? colors.red : paints[verdict]
  const paint = doubt === '' ? decided : colors.yellow
  const reasons = [
    runVerdictText(report),
    failuresText(report, previous),
    doubt,
    embeddedNote(report),
  ].filter((text) => text !== '')
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
  const shown: ShownEvidence = {
    evidence: new Evidence(report.exchanges),
    commands: [],
    exchanges: new Set<string>(),
  }
  const having = (verdict: Verdict): RequirementResult[] =>
    report.results.filter((result) => result.verdict === verdict)
  const reserved = having('pass').filter(({ reason }) => reason !== undefined)
  const rows = [
    ...header(report, style),
    ...observationSection(report.observations, style),
    ...groupedSection('Passed with a reservation', reserved, style),
    ...groupedSection('Skipped', having('skipped').map(withoutOwnReason), style),
    ...waivedSection(having('waived'), report, style),
    ...deviationSection('Advisory', having('advisory'), style),
    ...unjudgedWaiverSection(report, style),
    ...leftBehindSection(report.leftBehind, style),
    ...(report.baseline?.pinned === true ? [] : baselineSection(report, style)),
    ...inconclusiveSection(having('inconclusive'), shown, style),
    ...failedSection(having('fail'), shown, style),
    ...variablesNote(shown, style),
    ...(report.baseline?.pinned === true ? baselineSection(report, style) : []),
    ...waiverProblemSection(report, style),
    ...totals(report, options, style),
    ...lastRow(report, options, style),
  ]
  return `${rows.join('\n')}\n`
}
