import type { Section } from '../reports/document.ts'
import { addressText } from '../reports/report-text.ts'
import { lineRows, sectionLines, type TerminalLine } from '../reports/terminal-document.ts'
import type { TerminalStyle } from '../reports/terminal-style.ts'
import { toServiceName } from '../results/ids.ts'
import { MIN_CONFORMANT_SHARE } from '../results/verdict.ts'
import { counted } from '../text/quantities.ts'
import { type DoctorReport, type FindingKind, isProblem } from './doctor-report.ts'

const NUMBER_WIDTH = 12
const forecastLabels = {
  judged: 'judged',
  skipped: 'skipped',
  notCovered: 'cannot be observed here',
} as const
const forecastStates = Object.keys(forecastLabels) as (keyof typeof forecastLabels)[]

const testableOf = (requirements: DoctorReport['requirements']) =>
  requirements.filter(({ untestable }) => !untestable)

function percent(some: number, all: number): string {
  return `${all === 0 ? 0 : Math.floor((100 * some) / all)} %`
}

/** Returns a table with a row for each service, each section, and all requirements. */
function table({ requirements, findings }: DoctorReport): TerminalLine[] {
  const testable = testableOf(requirements)
  if (testable.length === 0) return []
  const prefixes = testable.flatMap(({ requirement }) => {
    const [service = '', section = ''] = requirement.split('/')
    return [service, `${service}/${section}`]
  })
  const groups = [...new Set(prefixes)].map((prefix) => ({
    title: prefix.replace(/.*\//, '  '),
    group: testable.filter(({ requirement }) => requirement.startsWith(`${prefix}/`)),
  }))
  const isOneService = groups[0]?.group.length === testable.length
  if (!isOneService) groups.push({ title: 'all', group: testable })
  const width = Math.max(...groups.map(({ title }) => title.length)) + 2
  const widths = Object.values(forecastLabels).map(({ length }) =>
    Math.max(NUMBER_WIDTH, length + 2),
  )
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell, index) => String(cell).padStart(widths[index] ?? NUMBER_WIDTH)).join('')}`
  const condition = findings.some(isProblem) ? ' after the problems below are fixed' : ''
  const rows = groups.map(({ title, group }) => {
    const counts = forecastStates.map(
      (state) => group.filter(({ forecast }) => forecast === state).length,
    )
    return row(title, [...counts, group.length, percent(counts[0] ?? 0, group.length)])
  })
  const untestable = requirements.length - testable.length
  const untestableText =
    untestable === 0 ? '' : ` ${counted(untestable, 'requirement')} cannot be tested.`
  const note =
    'skipped: something is missing, see the next steps. The third column depends on the ' +
    `server and its settings; use --format json for the reasons.${untestableText}`
  return [
    '',
    ['', `Requirements that a run would judge${condition}`, 'bold'],
    { row: row('', [...Object.values(forecastLabels), 'of']), color: 'dim' },
    ...rows.map((text) => ({ row: text })),
    ['  ', note, 'dim'],
  ]
}

function steps({ nextSteps, unprobed }: DoctorReport, writeCommand?: string): Section {
  const entries = [
    ...nextSteps.map(({ texts, variables, adds }) => ({
      title: `${texts.join(' ')} (${counted(adds.length, 'requirement')} more)`,
      name: { ids: adds },
      details: [{ text: variables.join(', ') || undefined }],
    })),
    ...unprobed.map(({ service, variable, judged, requirements }) => ({
      name:
        `Set ${variable}, and a run probes your ${service} service. With all its variables, a ` +
        `run judges up to ${judged} of its ${requirements} requirements.`,
    })),
  ]
  const created = `Run "${writeCommand}" to create an environment file with all variables.`
  const notes = writeCommand === undefined ? [] : [created]
  return { title: 'Next steps: each adds to those before it', entries, notes }
}

function conclusion(
  { status, findings, requirements, nextSteps: [first] }: DoctorReport,
  isEmbedded: boolean,
): string {
  const problems = findings.filter(isProblem).length
  if (problems > 0) return `not ready: ${counted(problems, 'problem')} to fix`
  if (status !== 0) return 'not ready: a run would judge nothing'
  const judged = requirements.filter(({ forecast }) => forecast === 'judged').length
  const all = testableOf(requirements).length
  const suffix = isEmbedded ? ', of the reference server, not of your deployment' : ''
  const text = `a run would judge ${judged} of ${all} testable requirements (${percent(judged, all)})${suffix}`
  if (first === undefined || judged >= MIN_CONFORMANT_SHARE * all) return `ready: ${text}`
  return `ready, but ${text}: take the first step for ${first.adds.length} more`
}

/**
 * Formats a report for a terminal. Problems come last; next steps are shown only without problems.
 *
 * @param writeCommand command that creates an environment file; absent if one was just created
 */
export function doctorText(
  report: DoctorReport,
  style: TerminalStyle,
  writeCommand?: string,
): string {
  const { findings, status, target, tool, requests } = report
  const found = (title: string, kinds: readonly FindingKind[], color?: Section['color']) => {
    const matching = findings.filter(({ kind }) => kinds.includes(kind))
    const entries = matching.map(({ service, text }) => ({ name: `${service}: ${text}` }))
    return sectionLines({ title, color, entries })
  }
  const isEmbedded = Object.values(target).some(({ embedded }) => embedded)
  const scope = isEmbedded
    ? 'No deployment is configured: a run would probe the reference server.'
    : `${counted(requests, 'GET request')} sent, including retries, and nothing else.`
  const end = `${conclusion(report, isEmbedded)} (exit status ${status})`
  const lines: TerminalLine[] = [
    ['', `plumbline ${tool.version} doctor`, 'bold'],
    ...Object.entries(target).map(([key, place]): TerminalLine => {
      return ['  ', `${toServiceName(key)}: ${addressText(place)}`]
    }),
    '',
    ['', scope],
    ...found('OK', ['ok'], 'green'),
    ...found('Unknown (needs more than GET)', ['unknown']),
    ...table(report),
    ...(findings.some(isProblem) ? [] : sectionLines(steps(report, writeCommand))),
    ...found('Warnings', ['warning'], 'yellow'),
    ...found('Problems', ['configuration', 'target'], 'red'),
    '',
    ['', end, [status === 0 ? 'green' : 'red', 'bold']],
  ]
  return lineRows(lines, style).join('\n')
}
