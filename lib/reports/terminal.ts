import type { RequirementResult, RunReport, RunVerdict, Verdict } from '../conformance/result.ts'
import { Evidence } from './evidence.ts'
import { exitStatus, runVerdict, runVerdictText } from './exit-status.ts'
import { printableLine, printableSentence } from './printable.ts'
import { abbreviatedIds } from './reason-groups.ts'
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
}

/** Why a statement cannot be tested never changes: the catalogue tells it, one line is enough here. */
function withoutOwnReason(result: RequirementResult): RequirementResult {
  if (!result.reason?.startsWith('cannot be tested: ')) return result
  return { ...result, reason: 'cannot be tested ("plumbline requirements" tells why)' }
}

/** A camel-case service name as ids spell it: `codeHosting` becomes `code-hosting`. */
function serviceName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
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

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Milliseconds for a reader: `840 ms`, `12.3 s`, `3 min 05 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const tenths = Math.round(milliseconds / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

function totals(report: RunReport, reportFiles: readonly string[], style: TerminalStyle): string[] {
  const counts = countVerdicts(report.results)
  const retries = report.exchanges.filter(({ attempt }) => attempt > 1).length
  const duration = Date.parse(report.run.finishedAt) - Date.parse(report.run.startedAt)
  const failed = report.results.filter(({ verdict }) => verdict === 'fail')
  const failedIds = abbreviatedIds(failed.map(({ requirement }) => requirement))
  const paint = (verdict: Verdict, text: string) =>
    counts[verdict] === 0 ? text : verdictPaint(verdict, style)(text)
  return [
    '',
    `${counted(report.results.length, 'requirement', 'requirements')}: ${verdictCountsText(counts, paint)}`,
    // Once more: by now the failures themselves may be far above the screen.
    ...(failed.length === 0
      ? []
      : hanging('failed: ', printableSentence(failedIds), style, style.colors.red)),
    [
      counted(report.exchanges.length, 'request', 'requests'),
      ...(retries === 0 ? [] : [` (${counted(retries, 'retry', 'retries')})`]),
      ` in ${durationText(duration)}`,
    ].join(''),
    ...(reportFiles.length === 0 ? [] : [`reports: ${reportFiles.map(printableLine).join(', ')}`]),
  ]
}

function verdictPaint(verdict: Verdict, { colors }: TerminalStyle): Paint {
  if (verdict === 'pass') return colors.green
  if (verdict === 'fail') return colors.red
  return verdict === 'inconclusive' ? colors.yellow : (text) => text
}

/** Whoever meant to probe a deployment of theirs must see that none was. */
function embeddedNote({ target }: RunReport): string {
  const embedded = Object.values(target).some((service) => service.embedded === true)
  return embedded ? '; this was the embedded reference deployment, none of yours' : ''
}

function lastRow(
  report: RunReport,
  { status = exitStatus(report) }: TerminalSummaryOptions,
  style: TerminalStyle,
): string[] {
  const { colors } = style
  const paints: Record<RunVerdict, Paint> = {
    conformant: colors.green,
    nonconformant: colors.red,
    inconclusive: colors.yellow,
  }
  const paint = paints[runVerdict(report.results, report.run.interrupted === true)]
  const text = `${runVerdictText(report)}${embeddedNote(report)} (exit status ${status})`
  return ['', colors.bold(paint(text))]
}

/**
 * What a person reads after a run, ending with a line break. Failures come first and are never
 * left out; what has the same reason is told once; the verdict in words is the last line. Text from
 * the deployment cannot steer the terminal: control characters are written out.
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
    ...failedSection(having('fail'), shown, style),
    ...inconclusiveSection(having('inconclusive'), shown, style),
    ...variablesNote(shown, style),
    ...groupedSection('Skipped', having('skipped').map(withoutOwnReason), style),
    ...deviationSection('Advisory', having('advisory'), style),
    ...deviationSection('Waived', having('waived'), style),
    ...groupedSection('Passed with a reservation', reserved, style),
    ...observationSection(report.observations, style),
    ...leftBehindSection(report.leftBehind, style),
    ...totals(report, options.reportFiles, style),
    ...lastRow(report, options, style),
  ]
  return `${rows.join('\n')}\n`
}
