import { printableLine, printableSentence } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { hanging, heading, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import {
  type DoctorReport,
  type FindingKind,
  isProblem,
  type RequirementOutlook,
} from './doctor-report.ts'

const serviceWidth = 18
const numberWidth = 9
const outlooks = ['judged', 'skipped', 'left out'] as const

function isEmbedded({ target }: DoctorReport): boolean {
  return Object.values(target).some(({ embedded }) => embedded === true)
}

function header(report: DoctorReport, style: TerminalStyle): string[] {
  const { target, tool, requests } = report
  const services = Object.entries(target).flatMap(([key, { baseUrl, embedded }]) =>
    hanging(
      `  ${printableSentence(serviceName(key)).padEnd(serviceWidth)}  `,
      `${printableLine(baseUrl)}${embedded ? ' (embedded reference)' : ''}`,
      style,
    ),
  )
  const made = isEmbedded(report)
    ? 'No deployment is configured: a run would probe the one that comes with Plumbline.'
    : `${counted(requests, 'GET request', 'GET requests')} made, repeats included, and nothing else.`
  const title = style.colors.bold(`plumbline ${tool.version} doctor`)
  return [title, ...services, '', ...hanging('', made, style)]
}

function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups]
}

/** Whole percent, rounded down, so that 100 % is all. */
function percent(some: number, all: number): number {
  return all === 0 ? 0 : Math.floor((100 * some) / all)
}

/** The table: each service and its sections, and everything. */
function tableRows({ requirements, findings }: DoctorReport, style: TerminalStyle): string[] {
  if (requirements.length === 0) return []
  const part = ({ requirement }: RequirementOutlook, index: number) =>
    requirement.split('/')[index] ?? ''
  const services = groupedBy(requirements, (row) => part(row, 0))
  const groups = services.flatMap(([service, group]) => [
    [service, group] as const,
    ...groupedBy(group, (row) => `  ${part(row, 1)}`),
  ])
  if (services.length > 1) groups.push(['all', [...requirements]])
  const width = Math.max(...groups.map(([title]) => title.length)) + 2
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(numberWidth)).join('')}`
  return [
    '',
    style.colors.bold(
      `What a run would judge${findings.some(isProblem) ? ', once the problems below are mended' : ''}`,
    ),
    style.colors.dim(row('', [...outlooks, 'of'])),
    ...groups.map(([title, group]) => {
      const counts = outlooks.map((wanted) => group.filter((one) => one.outlook === wanted).length)
      return row(title, [...counts, group.length, `${percent(counts[0] ?? 0, group.length)} %`])
    }),
    ...hanging(
      '  ',
      'skipped: judged once what is missing is there, see the next steps. left out: it cannot be ' +
        'tested, or the server or its settings do not show it; --format json tells which and why.',
      style,
      style.colors.dim,
    ),
  ]
}

/** What to set next, and the services without a base URL. */
function nextStepRows({ nextSteps, unprobed }: DoctorReport, style: TerminalStyle): string[] {
  if (nextSteps.length === 0 && unprobed.length === 0) return []
  const { bold, dim } = style.colors
  const margin = '      '
  return [
    '',
    bold('Next steps, beginning with what most requirements wait for'),
    ...nextSteps.flatMap(({ texts, variables, adds }, index) => [
      ...hanging(
        `  ${`${index + 1}.`.padStart(3)} `,
        `${texts.join(' ')} (${counted(adds.length, 'requirement', 'requirements')} more)`,
        style,
      ),
      ...(variables.length === 0 ? [] : hanging(margin, variables.join(', '), style)),
      ...hanging(margin, abbreviatedIds(adds), style, dim),
    ]),
    ...unprobed.flatMap(({ service, variable, judged, requirements }) =>
      hanging(
        '    - ',
        `Set ${variable}, and a run probes your ${service} service. With all its variables set, a ` +
          `run judges up to ${judged} of its ${requirements} requirements.`,
        style,
      ),
    ),
    ...hanging('  ', 'config/staging.env.example has every variable.', style, dim),
  ]
}

function conclusion(report: DoctorReport): string {
  const { status, findings, requirements } = report
  const judged = requirements.filter(({ outlook }) => outlook === 'judged').length
  const all = requirements.length
  const share = `a run would judge ${judged} of ${all} requirements (${percent(judged, all)} %)`
  const problems = findings.filter(isProblem).length
  const exit = `(exit status ${status})`
  if (problems > 0) {
    return `not ready: ${counted(problems, 'problem', 'problems')} to mend ${exit}`
  }
  if (status !== 0) return `not ready: a run would judge nothing ${exit}`
  const whose = isEmbedded(report) ? ', of the embedded deployment and none of yours' : ''
  return `ready: ${share}${whose} ${exit}`
}

/**
 * Everything for a terminal. What is wrong comes last: it is what the reader sees, and what to do next
 * is told where nothing is.
 */
export function doctorText(report: DoctorReport, style: TerminalStyle): string {
  const { findings, status } = report
  const { bold, green, red, yellow } = style.colors
  const rowsOf = (title: string, kinds: readonly FindingKind[], paint: Paint) => {
    const some = findings.filter(({ kind }) => kinds.includes(kind))
    if (some.length === 0) return []
    return [
      ...heading(title, some.length, (text) => bold(paint(text))),
      ...some.flatMap(({ service, text }) =>
        hanging(`  ${service.padEnd(serviceWidth)}  `, printableSentence(text), style),
      ),
    ]
  }
  return [
    ...header(report, style),
    ...rowsOf('In order', ['good'], green),
    ...rowsOf('A GET cannot tell', ['untold'], (text) => text),
    ...tableRows(report, style),
    ...(findings.some(isProblem) ? [] : nextStepRows(report, style)),
    ...rowsOf('Warnings', ['warning'], yellow),
    ...rowsOf('Problems', ['configuration', 'target'], red),
    '',
    ...hanging('', conclusion(report), style, (row) => bold(status === 0 ? green(row) : red(row))),
  ].join('\n')
}
