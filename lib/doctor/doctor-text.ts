import { printableLine, printableSentence } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { hanging, heading, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import {
  type DoctorReport,
  type Finding,
  type FindingKind,
  isProblem,
  type RequirementOutlook,
  type Step,
} from './doctor-report.ts'

const serviceWidth = 18
const numberWidth = 9
const outlooks = ['judged', 'skipped', 'left out'] as const

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

/** Whole percent, rounded down, so that 100 % is all. */
function percent(some: number, all: number): number {
  return all === 0 ? 0 : Math.floor((100 * some) / all)
}

function groupedBy(
  requirements: readonly RequirementOutlook[],
  keyOf: (requirement: RequirementOutlook) => string,
): [key: string, group: RequirementOutlook[]][] {
  const groups = new Map<string, RequirementOutlook[]>()
  for (const requirement of requirements) {
    const key = keyOf(requirement)
    groups.set(key, [...(groups.get(key) ?? []), requirement])
  }
  return [...groups]
}

/** The table: a heading, then each service, its sections where they are wanted, and everything. */
function outlookTable(
  requirements: readonly RequirementOutlook[],
  hasSections: (service: string) => boolean,
): string[] {
  const services = groupedBy(requirements, ({ requirement }) => serviceOf(requirement))
  const groups = services.flatMap(([service, group]) => [
    [service, group] as const,
    ...(hasSections(service)
      ? groupedBy(group, ({ requirement }) => `  ${requirement.split('/')[1]}`)
      : []),
  ])
  if (services.length > 1) groups.push(['all', [...requirements]])
  const width = Math.max(...groups.map(([title]) => title.length)) + 2
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(numberWidth)).join('')}`
  return [
    row('', [...outlooks, 'of', '']),
    ...groups.map(([title, group]) => {
      const counts = outlooks.map((wanted) => group.filter((one) => one.outlook === wanted).length)
      return row(title, [...counts, group.length, `${percent(counts[0] ?? 0, group.length)} %`])
    }),
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

/** Those of the column `left out`, by what leaves them out. */
function leftOutRows(requirements: readonly RequirementOutlook[], style: TerminalStyle): string[] {
  const leftOut = requirements.filter(({ outlook }) => outlook === 'left out')
  if (leftOut.length === 0) return []
  const groups = groupedBy(leftOut, ({ untestable, reason = '' }) =>
    untestable ? 'cannot be tested ("plumbline requirements" tells why)' : reason,
  )
  return [
    ...heading('Left out', leftOut.length, style.colors.bold),
    ...groups.flatMap(([text, group]) => [
      ...hanging('  ', printableSentence(text), style),
      ...hanging(
        '      ',
        abbreviatedIds(group.map(({ requirement }) => requirement)),
        style,
        style.colors.dim,
      ),
    ]),
  ]
}

function stepRows(step: Step, position: number, style: TerminalStyle): string[] {
  const { texts, variables, adds } = step
  const gain = `${counted(adds.length, 'requirement', 'requirements')} more`
  const margin = '      '
  return [
    ...hanging(`  ${`${position}.`.padStart(3)} `, `${texts.join(' ')} (${gain})`, style),
    ...(variables.length === 0 ? [] : hanging(margin, variables.join(', '), style)),
    ...hanging(margin, abbreviatedIds(adds), style, style.colors.dim),
  ]
}

/** What to set next, and the services without a base URL. */
function nextStepRows(
  { nextSteps, unprobed }: Pick<DoctorReport, 'nextSteps' | 'unprobed'>,
  style: TerminalStyle,
): string[] {
  if (nextSteps.length === 0 && unprobed.length === 0) return []
  const services = unprobed.map(({ service, variable, judged, requirements }) =>
    hanging(
      '    - ',
      `Set ${variable}, and a run probes your ${service} service. With all its variables set, a ` +
        `run judges up to ${judged} of its ${requirements} requirements.`,
      style,
    ),
  )
  return [
    '',
    style.colors.bold('Next steps, those first that add most'),
    ...nextSteps.flatMap((step, index) => stepRows(step, index + 1, style)),
    ...services.flat(),
    ...hanging('  ', 'config/staging.env.example has every variable.', style, style.colors.dim),
  ]
}

function conclusion(report: DoctorReport): string {
  const { status, findings, requirements, target } = report
  const judged = requirements.filter(({ outlook }) => outlook === 'judged').length
  const all = requirements.length
  const share = `${judged} of ${all} requirements (${percent(judged, all)} %)`
  const judges = judged === 0 ? 'a run would judge nothing' : `a run would judge ${share}`
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
  const nextSteps = report.nextSteps.filter(({ adds }) => adds.every(isWell))
  const unprobed = troubled.size === 0 ? report.unprobed : []
  const plain: Paint = (text) => text
  return [
    ...header(report, style),
    ...findingRows('In order', findings, ['good'], colors.green, style),
    ...findingRows('A GET cannot tell', findings, ['untold'], plain, style),
    ...outlookRows(report, inTrouble, style),
    ...leftOutRows(requirements, style),
    ...nextStepRows({ nextSteps, unprobed }, style),
    ...findingRows('Warnings', findings, ['warning'], colors.yellow, style),
    ...findingRows('Problems', findings, ['configuration', 'target'], colors.red, style),
    '',
    ...hanging('', conclusion(report), style, (row) =>
      colors.bold(status === 0 ? colors.green(row) : colors.red(row)),
    ),
  ].join('\n')
}
