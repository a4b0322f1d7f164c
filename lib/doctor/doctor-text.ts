import { abbreviatedIds } from '../reports/abbreviate-ids.ts'
import { counted } from '../reports/format.ts'
import { printableLine, printableSentence } from '../reports/printable.ts'
import { hanging, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import { serviceName } from '../results/ids.ts'
import { type DoctorReport, type FindingKind, isProblem } from './doctor-report.ts'

const serviceWidth = 18
const numberWidth = 9
const outlooks = ['judged', 'skipped', 'left out'] as const

/** Adds a text below what is there, wrapped behind what stands first. */
type Add = (first: string, text: string, paint?: Paint) => void
type Colors = TerminalStyle['colors']

const besideService = (service: string) => `  ${service.padEnd(serviceWidth)}  `

/** Whole percent, rounded down, so that 100 % is all. */
function percent(some: number, all: number): number {
  return all === 0 ? 0 : Math.floor((100 * some) / all)
}

/** A row for each service, for its sections, and for everything. */
function addTable({ requirements, findings }: DoctorReport, add: Add, { bold, dim }: Colors): void {
  if (requirements.length === 0) return
  const places = requirements.flatMap(({ requirement }) => {
    const [service = '', section = ''] = requirement.split('/')
    return [service, `${service}/${section}`]
  })
  const groups = [...new Set(places)].map((place) => ({
    title: place.replace(/.*\//, '  '),
    group: requirements.filter(({ requirement }) => requirement.startsWith(`${place}/`)),
  }))
  const isOneService = groups[0]?.group.length === requirements.length
  if (!isOneService) groups.push({ title: 'all', group: requirements })
  const width = Math.max(...groups.map(({ title }) => title.length)) + 2
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(numberWidth)).join('')}`
  const condition = findings.some(isProblem) ? ', once the problems below are mended' : ''
  add('', '')
  add('', `What a run would judge${condition}`, bold)
  add(dim(row('', [...outlooks, 'of'])), '')
  for (const { title, group } of groups) {
    const counts = outlooks.map((wanted) => group.filter((one) => one.outlook === wanted).length)
    const share = `${percent(counts[0] ?? 0, group.length)} %`
    add(row(title, [...counts, group.length, share]), '')
  }
  add(
    '  ',
    'skipped: judged once what is missing is there, see the next steps. left out: it cannot be ' +
      'tested, or the server or its settings do not show it; --format json tells which and why.',
    dim,
  )
}

function addNextSteps(
  { nextSteps, unprobed }: DoctorReport,
  add: Add,
  { bold, dim }: Colors,
): void {
  if (nextSteps.length === 0 && unprobed.length === 0) return
  const margin = '      '
  add('', '')
  add('', 'Next steps, beginning with what most requirements wait for', bold)
  for (const [index, { texts, variables, adds }] of nextSteps.entries()) {
    const more = `(${counted(adds.length, 'requirement', 'requirements')} more)`
    add(`  ${`${index + 1}.`.padStart(3)} `, `${texts.join(' ')} ${more}`)
    if (variables.length > 0) add(margin, variables.join(', '))
    add(margin, abbreviatedIds(adds), dim)
  }
  for (const { service, variable, judged, requirements } of unprobed) {
    add(
      '    - ',
      `Set ${variable}, and a run probes your ${service} service. With all its variables set, a ` +
        `run judges up to ${judged} of its ${requirements} requirements.`,
    )
  }
  add('  ', '"plumbline doctor --write FILE" writes a file with every variable, to fill in.', dim)
}

function conclusion({ status, findings, requirements }: DoctorReport, isEmbedded: boolean): string {
  const problems = findings.filter(isProblem).length
  if (problems > 0) return `not ready: ${counted(problems, 'problem', 'problems')} to mend`
  if (status !== 0) return 'not ready: a run would judge nothing'
  const judged = requirements.filter(({ outlook }) => outlook === 'judged').length
  const all = requirements.length
  const share = `${judged} of ${all} requirements (${percent(judged, all)} %)`
  const whose = isEmbedded ? ', of the embedded deployment and none of yours' : ''
  return `ready: a run would judge ${share}${whose}`
}

/**
 * Everything for a terminal. What is wrong comes last: it is what the reader sees, and what to do next
 * is told where nothing is.
 */
export function doctorText(report: DoctorReport, style: TerminalStyle): string {
  const { findings, status, target, tool, requests } = report
  const { colors } = style
  const { bold, green, red, yellow } = colors
  const rows: string[] = []
  const add: Add = (first, text, paint) => {
    rows.push(...hanging(first, text, style, paint))
  }
  const addFindings = (title: string, kinds: readonly FindingKind[], paint: Paint) => {
    const some = findings.filter(({ kind }) => kinds.includes(kind))
    if (some.length === 0) return
    add('', '')
    add('', `${title} (${some.length})`, (text) => bold(paint(text)))
    for (const { service, text } of some) add(besideService(service), printableSentence(text))
  }
  add('', `plumbline ${tool.version} doctor`, bold)
  for (const [key, { baseUrl, embedded }] of Object.entries(target)) {
    const place = `${printableLine(baseUrl)}${embedded ? ' (embedded reference)' : ''}`
    add(besideService(printableSentence(serviceName(key))), place)
  }
  const isEmbedded = Object.values(target).some(({ embedded }) => embedded)
  const made = isEmbedded
    ? 'No deployment is configured: a run would probe the one that comes with Plumbline.'
    : `${counted(requests, 'GET request', 'GET requests')} made, repeats included, and nothing else.`
  add('', '')
  add('', made)
  addFindings('In order', ['good'], green)
  addFindings('A GET cannot tell', ['untold'], (text) => text)
  addTable(report, add, colors)
  if (!findings.some(isProblem)) addNextSteps(report, add, colors)
  addFindings('Warnings', ['warning'], yellow)
  addFindings('Problems', ['configuration', 'target'], red)
  add('', '')
  const paint: Paint = (row) => bold(status === 0 ? green(row) : red(row))
  add('', `${conclusion(report, isEmbedded)} (exit status ${status})`, paint)
  return rows.join('\n')
}
