import type { Section } from '../reports/facts.ts'
import { targetTexts } from '../reports/report-text.ts'
import {
  lineRows,
  sectionLines,
  type TerminalLine,
  type TerminalStyle,
} from '../reports/terminal-document.ts'
import { counted } from '../text/quantities.ts'
import { type DoctorReport, type FindingKind, isProblem } from './doctor-report.ts'

const testableOf = (requirements: DoctorReport['requirements']) =>
  requirements.filter(({ untestable }) => !untestable)

function forecasts({ requirements, findings }: DoctorReport): Section {
  const forecastLabels = {
    judged: 'judged',
    skipped: findings.some(isProblem) ? 'skipped' : 'skipped, see the next steps',
    notCovered: 'cannot be observed here (--format json has the reasons)',
  }
  const testable = testableOf(requirements)
  const entries = Object.entries(forecastLabels).flatMap(([state, name]) => {
    const ids = testable.flatMap((one) => (one.forecast === state ? one.requirement : []))
    return ids.length === 0 ? [] : { number: ids.length, name, details: [{ text: { ids } }] }
  })
  return { title: 'Requirements in a run', count: testable.length, entries }
}

function steps({ nextSteps, unprobed }: DoctorReport): Section {
  const entries = [
    ...nextSteps.map(({ text, variables, requirements }) => ({
      title: `${text} (${counted(requirements.length, 'requirement waits', 'requirements wait')} for it)`,
      name: { ids: requirements },
      details: variables.length > 0 ? [{ text: variables.join(', ') }] : [],
    })),
    ...unprobed.map(({ service, variable }) => ({
      name: `Set ${variable}, and a run probes your ${service} service.`,
    })),
  ]
  const notes = ['"doctor --write FILE" creates an environment file with all variables.']
  return { title: 'Next steps', entries, notes }
}

function conclusion({ status, findings, requirements }: DoctorReport): string {
  const problems = findings.filter(isProblem).length
  if (problems > 0) return `not ready: ${counted(problems, 'problem')} to fix`
  if (status !== 0) return 'not ready: a run would judge nothing'
  const judged = requirements.filter(({ forecast }) => forecast === 'judged').length
  return `ready: a run would judge ${judged} of ${testableOf(requirements).length} testable requirements`
}

/** Formats a report for a terminal, problems last. */
export function doctorText(report: DoctorReport, style: TerminalStyle) {
  const { findings, status, target, tool } = report
  const found = (title: string, kinds: readonly FindingKind[], color?: Section['color']) => {
    const matching = findings.filter(({ kind }) => kinds.includes(kind))
    const entries = matching.map(({ service, text }) => ({ name: `${service}: ${text}` }))
    return sectionLines({ title, color, entries })
  }
  const scope = Object.values(target).some(({ embedded }) => embedded)
    ? 'No deployment is configured: a run would probe the reference server.'
    : 'Only GET requests were sent.'
  const lines: TerminalLine[] = [
    ['', `plumbline ${tool.version} doctor`, 'bold'],
    ...targetTexts(target).map((text): TerminalLine => ['  ', text]),
    '',
    ['', scope],
    ...found('OK', ['ok'], 'green'),
    ...found('Unknown (needs more than GET)', ['unknown']),
    ...sectionLines(forecasts(report)),
    ...(findings.some(isProblem) ? [] : sectionLines(steps(report))),
    ...found('Warnings', ['warning'], 'yellow'),
    ...found('Problems', ['configuration', 'target'], 'red'),
    '',
    ['', `${conclusion(report)} (exit status ${status})`, [status === 0 ? 'green' : 'red', 'bold']],
  ]
  return lineRows(lines, style).join('\n')
}
