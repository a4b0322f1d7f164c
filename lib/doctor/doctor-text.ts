import { abbreviatedIds, addressText, counted, formatCommand } from '../reports/format.ts'
import { printableSentence } from '../reports/printable.ts'
import { hanging, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import { serviceName } from '../results/ids.ts'
import { type DoctorReport, type FindingKind, isProblem } from './doctor-report.ts'

const SERVICE_WIDTH = 18
const NUMBER_WIDTH = 12
const forecastLabels = { judged: 'judged', skipped: 'skipped', notCovered: 'not covered' } as const
const FORECAST_STATES = Object.keys(forecastLabels) as (keyof typeof forecastLabels)[]

/** Appends a text, wrapped with a hanging indent after `first`. */
type Add = (first: string, text: string, paint?: Paint) => void
type Colors = TerminalStyle['colors']

const serviceColumn = (service: string) => `  ${service.padEnd(SERVICE_WIDTH)}  `

function percent(some: number, all: number): number {
  return all === 0 ? 0 : Math.floor((100 * some) / all)
}

/** Adds a table with a row for each service, each section, and all requirements. */
function addTable({ requirements, findings }: DoctorReport, add: Add, { bold, dim }: Colors): void {
  if (requirements.length === 0) return
  const prefixes = requirements.flatMap(({ requirement }) => {
    const [service = '', section = ''] = requirement.split('/')
    return [service, `${service}/${section}`]
  })
  const groups = [...new Set(prefixes)].map((prefix) => ({
    title: prefix.replace(/.*\//, '  '),
    group: requirements.filter(({ requirement }) => requirement.startsWith(`${prefix}/`)),
  }))
  const isOneService = groups[0]?.group.length === requirements.length
  if (!isOneService) groups.push({ title: 'all', group: requirements })
  const width = Math.max(...groups.map(({ title }) => title.length)) + 2
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(NUMBER_WIDTH)).join('')}`
  const condition = findings.some(isProblem) ? ' after the problems below are fixed' : ''
  add('', '')
  add('', `Requirements that a run would judge${condition}`, bold)
  add(dim(row('', [...Object.values(forecastLabels), 'of'])), '')
  for (const { title, group } of groups) {
    const counts = FORECAST_STATES.map(
      (state) => group.filter((one) => one.forecast === state).length,
    )
    const share = `${percent(counts[0] ?? 0, group.length)} %`
    add(row(title, [...counts, group.length, share]), '')
  }
  add(
    '  ',
    'skipped: something is missing, see the next steps. not covered: untestable, or not observable ' +
      'with this server or its settings; use --format json for the reasons.',
    dim,
  )
}

function addNextSteps(
  { nextSteps, unprobed }: DoctorReport,
  add: Add,
  { bold, dim }: Colors,
  program: string | undefined,
): void {
  if (nextSteps.length === 0 && unprobed.length === 0) return
  const margin = '      '
  add('', '')
  add('', 'Next steps, by number of requirements', bold)
  for (const [index, { texts, variables, adds }] of nextSteps.entries()) {
    const more = `(${counted(adds.length, 'requirement')} more)`
    add(`  ${`${index + 1}.`.padStart(3)} `, `${texts.join(' ')} ${more}`)
    if (variables.length > 0) add(margin, variables.join(', '))
    add(margin, abbreviatedIds(adds), dim)
  }
  for (const { service, variable, judged, requirements } of unprobed) {
    add(
      '    - ',
      `Set ${variable}, and a run probes your ${service} service. With all its variables, a ` +
        `run judges up to ${judged} of its ${requirements} requirements.`,
    )
  }
  add(
    '  ',
    `Run "${formatCommand('doctor --write FILE', program)}" to create an environment file with all variables.`,
    dim,
  )
}

function conclusion({ status, findings, requirements }: DoctorReport, isEmbedded: boolean): string {
  const problems = findings.filter(isProblem).length
  if (problems > 0) return `not ready: ${counted(problems, 'problem')} to fix`
  if (status !== 0) return 'not ready: a run would judge nothing'
  const judged = requirements.filter(({ forecast }) => forecast === 'judged').length
  const all = requirements.length
  const share = `${judged} of ${all} requirements (${percent(judged, all)} %)`
  const suffix = isEmbedded ? ', of the reference server, not of your deployment' : ''
  return `ready: a run would judge ${share}${suffix}`
}

/** Formats a report for a terminal. Problems come last; next steps are shown only without problems. */
export function doctorText(report: DoctorReport, style: TerminalStyle, program?: string): string {
  const { findings, status, target, tool, requests } = report
  const { colors } = style
  const { bold, green, red, yellow } = colors
  const rows: string[] = []
  const add: Add = (first, text, paint) => {
    rows.push(...hanging(first, text, style, paint))
  }
  const addFindings = (title: string, kinds: readonly FindingKind[], paint: Paint) => {
    const matching = findings.filter(({ kind }) => kinds.includes(kind))
    if (matching.length === 0) return
    add('', '')
    add('', `${title} (${matching.length})`, (text) => bold(paint(text)))
    for (const { service, text } of matching) add(serviceColumn(service), printableSentence(text))
  }
  add('', `plumbline ${tool.version} doctor`, bold)
  for (const [key, place] of Object.entries(target)) {
    add(serviceColumn(printableSentence(serviceName(key))), addressText(place))
  }
  const isEmbedded = Object.values(target).some(({ embedded }) => embedded)
  const scope = isEmbedded
    ? 'No deployment is configured: a run would probe the reference server.'
    : `${counted(requests, 'GET request')} sent, including retries, and nothing else.`
  add('', '')
  add('', scope)
  addFindings('OK', ['ok'], green)
  addFindings('Unknown (needs more than GET)', ['unknown'], (text) => text)
  addTable(report, add, colors)
  if (!findings.some(isProblem)) addNextSteps(report, add, colors, program)
  addFindings('Warnings', ['warning'], yellow)
  addFindings('Problems', ['configuration', 'target'], red)
  add('', '')
  const paint: Paint = (row) => bold(status === 0 ? green(row) : red(row))
  add('', `${conclusion(report, isEmbedded)} (exit status ${status})`, paint)
  return rows.join('\n')
}
