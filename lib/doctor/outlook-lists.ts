import { printableSentence } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import { counted } from '../reports/run-words.ts'
import { hanging, heading, type TerminalStyle } from '../reports/terminal-style.ts'
import type { DoctorReport, RequirementOutlook, Step } from './doctor-report.ts'

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

function leftOutReason({ reason = '', dependsOn }: RequirementOutlook): string {
  if (reason.startsWith('cannot be tested: ')) {
    return 'cannot be tested ("plumbline requirements" tells why)'
  }
  return dependsOn === undefined ? reason : `${reason}; ${dependsOn}`
}

/** Those of the column `left out`, by what leaves them out. */
export function notJudgedRows(
  requirements: readonly RequirementOutlook[],
  style: TerminalStyle,
): string[] {
  const leftOut = requirements.filter(({ outlook }) => outlook === 'left out')
  return grouped('Left out', leftOut, leftOutReason, style)
}

/** Those of the column `judged` that the server may yet take out of it. */
export function openRows(
  requirements: readonly RequirementOutlook[],
  style: TerminalStyle,
): string[] {
  return grouped(
    'Judged, unless the server does otherwise where the documents leave it open',
    requirements.filter(
      ({ outlook, dependsOn }) => outlook === 'judged' && dependsOn !== undefined,
    ),
    ({ dependsOn = '' }) => `not judged if: ${dependsOn}`,
    style,
  )
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

/** What to set next, and the services without a base URL. */
export function nextStepRows(
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
