import { printableLine, printableSentence } from '../reports/printable.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { hanging, heading, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import type { DoctorReport } from './doctor-report.ts'
import { type Finding, type FindingKind, isProblem } from './finding.ts'
import { nextStepRows, notJudgedRows, openRows } from './outlook-lists.ts'
import { outlookTable, percentJudged } from './outlook-table.ts'

const serviceWidth = 18

function serviceOf(requirement: string): string {
  return requirement.split('/')[0] ?? ''
}

function isOurs({ target }: DoctorReport): boolean {
  return Object.values(target).some(({ embedded }) => embedded === true)
}

function requestsMade({ requests, findings, target }: DoctorReport): string {
  const answering = Object.keys(target).filter((key) => target[key]?.answers)
  const isRefused = findings.some(
    ({ kind, service }) => kind === 'target' && answering.map(serviceName).includes(service),
  )
  return (
    `${counted(requests, 'GET request', 'GET requests')} made, repeats included, and nothing else.` +
    (isRefused ? ' Refused credentials were not tried again.' : '')
  )
}

function header(report: DoctorReport, style: TerminalStyle): string[] {
  const { target, tool } = report
  const services = Object.entries(target).flatMap(([key, { baseUrl, embedded }]) =>
    hanging(
      `  ${printableSentence(serviceName(key)).padEnd(serviceWidth)}  `,
      `${printableLine(baseUrl)}${embedded ? ' (embedded reference)' : ''}`,
      style,
    ),
  )
  const made = isOurs(report)
    ? 'No deployment is configured: a run would probe the one that comes with Plumbline.'
    : requestsMade(report)
  return [
    style.colors.bold(`plumbline ${tool.version} doctor`),
    ...services,
    '',
    ...hanging('', made, style),
  ]
}

function findingRows(
  title: string,
  findings: readonly Finding[],
  kinds: readonly FindingKind[],
  paint: Paint,
  style: TerminalStyle,
): string[] {
  const some = findings.filter(({ kind }) => kinds.includes(kind))
  if (some.length === 0) return []
  return [
    ...heading(title, some.length, (text) => style.colors.bold(paint(text))),
    ...some.flatMap(({ service, text }) =>
      hanging(`  ${service.padEnd(serviceWidth)}  `, printableSentence(text), style),
    ),
  ]
}

const columns =
  'skipped: judged once what is missing is there, see the next steps. left out: it cannot be tested, ' +
  'or the server or its settings do not show it.'

function outlookRows(
  { requirements, target }: DoctorReport,
  inTrouble: (service: string) => boolean,
  style: TerminalStyle,
): string[] {
  if (requirements.length === 0) return []
  const isPart = Object.values(target).some(({ answers }) => !answers)
  const isMended = requirements.some(({ requirement }) => inTrouble(serviceOf(requirement)))
  const part = isPart ? ' of the services that answer' : ''
  const mended = isMended ? ', once the problems below are mended' : ''
  const [titles = '', ...rows] = outlookTable(requirements, (service) => !inTrouble(service))
  return [
    '',
    style.colors.bold(`What a run would judge${part}${mended}`),
    style.colors.dim(titles.trimEnd()),
    ...rows,
    ...hanging('  ', columns, style, style.colors.dim),
  ]
}

function conclusion(report: DoctorReport): string {
  const { status, findings, requirements, target } = report
  const judged = requirements.filter(({ outlook }) => outlook === 'judged').length
  const all = { judged, total: requirements.length }
  const share = `${all.judged} of ${all.total} requirements (${percentJudged(all)} %)`
  const judges = all.judged === 0 ? 'a run would judge nothing' : `a run would judge ${share}`
  const exit = `(exit status ${status})`
  if (status === 0 && isOurs(report)) {
    return `ready: ${judges}, of the embedded deployment and none of yours ${exit}`
  }
  if (status === 0) return `ready: ${judges} ${exit}`
  const problems = findings.filter(isProblem).length
  if (problems === 0) return `not ready: ${judges} ${exit}`
  const toMend = `not ready: ${counted(problems, 'problem', 'problems')} to mend`
  if (requirements.length === 0) return `${toMend} ${exit}`
  const isPart = Object.values(target).some(({ answers }) => !answers)
  return `${toMend}; ${isPart ? 'of the services that answer,' : 'then'} ${judges} ${exit}`
}

/**
 * Everything for a terminal. What is wrong comes last: it is what the reader sees. Of a service with
 * a problem there is no more than its row in the table, and of one that does not answer not even
 * that.
 */
export function doctorText(report: DoctorReport, style: TerminalStyle): string {
  const { findings, status } = report
  const { colors } = style
  const troubled = new Set<string>(findings.filter(isProblem).map(({ service }) => service))
  const inTrouble = (service: string) => troubled.has(service)
  const isWell = (requirement: string) => !inTrouble(serviceOf(requirement))
  const requirements = report.requirements.filter(({ requirement }) => isWell(requirement))
  const nextSteps = report.nextSteps.filter(({ adds, completes }) =>
    [...adds, ...completes].every(isWell),
  )
  const unprobed = troubled.size === 0 ? report.unprobed : []
  const plain: Paint = (text) => text
  return [
    ...header(report, style),
    ...findingRows('In order', findings, ['good'], colors.green, style),
    ...findingRows('A GET cannot tell', findings, ['untold'], plain, style),
    ...outlookRows(report, inTrouble, style),
    ...notJudgedRows(requirements, style),
    ...openRows(requirements, style),
    ...nextStepRows({ nextSteps, unprobed }, style),
    ...findingRows('Warnings', findings, ['warning'], colors.yellow, style),
    ...findingRows('Problems', findings, ['configuration', 'target'], colors.red, style),
    '',
    ...hanging('', conclusion(report), style, (row) =>
      colors.bold(status === 0 ? colors.green(row) : colors.red(row)),
    ),
  ].join('\n')
}
