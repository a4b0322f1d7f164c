import { printableLine, printableSentence } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { hanging, heading, type Paint, type TerminalStyle } from '../reports/terminal-style.ts'
import type { DoctorReport, RequirementOutlook, Step } from './doctor-report.ts'
import { type Finding, type FindingKind, isProblem } from './finding.ts'
import { outlookTable, percentJudged } from './outlook-table.ts'

const serviceWidth = 18

function header({ target, tool, requests }: DoctorReport, style: TerminalStyle): string[] {
  const services = Object.entries(target).flatMap(([key, { baseUrl, embedded }]) =>
    hanging(
      `  ${printableSentence(serviceName(key)).padEnd(serviceWidth)}  `,
      `${printableLine(baseUrl)}${embedded ? ' (embedded reference)' : ''}`,
      style,
    ),
  )
  const isOurs = Object.values(target).some(({ embedded }) => embedded === true)
  const sent = isOurs
    ? 'No deployment is configured: a run would probe the one that comes with Plumbline.'
    : `${counted(requests, 'GET request', 'GET requests')} sent, and nothing else. What was refused was not tried again.`
  return [style.colors.bold(`plumbline ${tool.version} doctor`), ...services, '', sent]
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

function outlookRows({ requirements, findings }: DoctorReport, style: TerminalStyle): string[] {
  const mended = findings.some(isProblem) ? ', once the problems above are mended' : ''
  const [titles = '', ...rows] = outlookTable(requirements)
  return [
    '',
    style.colors.bold(`What a run would judge${mended}`),
    style.colors.dim(titles.trimEnd()),
    ...rows,
  ]
}

/** Requirements that share a text, under it. */
function grouped(
  title: string,
  requirements: readonly RequirementOutlook[],
  textOf: (requirement: RequirementOutlook) => string,
  style: TerminalStyle,
): string[] {
  if (requirements.length === 0) return []
  const groups = new Map<string, string[]>()
  for (const requirement of requirements) {
    const text = textOf(requirement)
    groups.set(text, [...(groups.get(text) ?? []), requirement.requirement])
  }
  return [
    ...heading(title, requirements.length, style.colors.bold),
    ...[...groups].flatMap(([text, ids]) => [
      ...hanging('  ', printableSentence(text), style),
      ...hanging('      ', abbreviatedIds(ids), style, style.colors.dim),
    ]),
  ]
}

function leftOutReason({ reason = '' }: RequirementOutlook): string {
  return reason.startsWith('cannot be tested: ')
    ? 'cannot be tested ("plumbline requirements" tells why)'
    : reason
}

function stepRows(step: Step, position: number, style: TerminalStyle): string[] {
  const { texts, variables, adds, completes } = step
  const gains = [
    ...(adds.length === 0 ? [] : [`${counted(adds.length, 'requirement', 'requirements')} more`]),
    ...(completes.length === 0 ? [] : [`${completes.length} judged more completely`]),
  ]
  const ids = abbreviatedIds([...adds, ...completes])
  const margin = '      '
  return [
    ...hanging(
      `  ${`${position}.`.padStart(3)} `,
      `${texts.join(' ')} (${gains.join(', ')})`,
      style,
    ),
    ...(variables.length === 0 ? [] : hanging(margin, variables.join(', '), style)),
    ...hanging(margin, ids, style, style.colors.dim),
  ]
}

function nextStepRows({ nextSteps, unprobed }: DoctorReport, style: TerminalStyle): string[] {
  if (nextSteps.length === 0 && unprobed.length === 0) return []
  const services = unprobed.map(({ service, variable, requirements }) =>
    hanging(
      '    - ',
      `Set ${variable}, and a run probes ${service} (${requirements} requirements).`,
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

function conclusion({ status, findings, requirements }: DoctorReport): string {
  const judgedOnes = requirements.filter(({ outlook }) => outlook === 'judged')
  const all = { judged: judgedOnes.length, total: requirements.length }
  const share = `${all.judged} of ${all.total} requirements (${percentJudged(all)} %)`
  const problems = findings.filter(isProblem).length
  const judged = all.judged === 0 ? 'a run would judge nothing' : `a run would judge ${share}`
  if (status === 0) return `ready: ${judged} (exit status 0)`
  if (problems === 0) return `not ready: ${judged} (exit status ${status})`
  return `not ready: ${counted(problems, 'problem', 'problems')} to mend; then ${judged} (exit status ${status})`
}

/** Everything for a terminal: problems first, then what a run would judge, then what to do next. */
export function doctorText(report: DoctorReport, style: TerminalStyle): string {
  const { findings, requirements, status } = report
  const { colors } = style
  const depends = requirements.filter(({ dependsOn }) => dependsOn !== undefined)
  const leftOut = requirements.filter(
    ({ outlook, dependsOn }) => outlook === 'left out' && dependsOn === undefined,
  )
  const plain: Paint = (text) => text
  return [
    ...header(report, style),
    ...findingRows('Problems', findings, ['configuration', 'target'], colors.red, style),
    ...findingRows('Warnings', findings, ['warning'], colors.yellow, style),
    ...findingRows('A GET cannot tell', findings, ['untold'], plain, style),
    ...findingRows('In order', findings, ['good'], colors.green, style),
    ...outlookRows(report, style),
    ...grouped('Left out', leftOut, leftOutReason, style),
    ...grouped(
      'Depends on what the server does, which the documents leave open',
      depends,
      ({ outlook, reason, dependsOn = '' }) =>
        outlook === 'judged' ? `not judged if: ${dependsOn}` : `not judged if: ${reason}`,
      style,
    ),
    ...nextStepRows(report, style),
    '',
    ...hanging('', conclusion(report), style, (row) =>
      colors.bold(status === 0 ? colors.green(row) : colors.red(row)),
    ),
  ].join('\n')
}
