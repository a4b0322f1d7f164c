import { formatCommand } from '../../reports/report-text.ts'
import { hanging, heading, type TerminalStyle } from '../../reports/terminal-document.ts'
import { groupBy } from '../../text/group-by.ts'
import { printableText } from '../../text/printable.ts'
import type { ScenarioResult } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'

const headings: Record<Scenario['kind'], string> = {
  fault: 'Faults, by the requirement that fails',
  variant: 'Variants, none of which may fail',
  need: 'Servers without a need, or with a variable that points elsewhere',
}

/** Results that are shown in one row. */
interface Row {
  name: string
  text: string
  results: readonly ScenarioResult[]
  /** Those whose mismatches follow the row. */
  shown: readonly ScenarioResult[]
}

const textOf = ({ kind, skipped, verdict }: Scenario, counts: string): string => {
  if (kind === 'variant') return `${verdict}: ${counts}`
  return skipped === undefined ? counts : `${skipped.length} skipped: ${counts}`
}

/** Returns a row for each variant or need, or for each requirement that faults break. */
function rowsOf(kind: Scenario['kind'], selected: readonly ScenarioResult[]): Row[] {
  if (kind !== 'fault')
    return selected.map((one) => {
      const { scenario, counts } = one
      return { name: scenario.name, text: textOf(scenario, counts), results: [one], shown: [one] }
    })
  const pairs = selected.flatMap((one) => one.scenario.failing.map((id) => ({ id, one })))
  return [...groupBy(pairs, ({ id }) => id)].map(([name, group]) => {
    const results = group.map(({ one }) => one)
    const shown = results.filter(({ scenario }) => scenario.failing[0] === name)
    const text = results.map(({ scenario }) => scenario.name).join(', ')
    return { name, text, results, shown }
  })
}

function rerunCommand({ kind, name, services }: Scenario, program?: string): string {
  const command =
    kind === 'need'
      ? `prove --need '${name}'`
      : `run --service ${services.join(' ')} --${kind} ${name}`
  return formatCommand(command, program)
}

function formatRow({ name, text, results, shown }: Row, style: TerminalStyle, program?: string) {
  const { green, red, dim } = style.colors
  const isExpected = results.every(({ mismatches }) => mismatches.length === 0)
  const title = `${isExpected ? '✓' : '✗'} ${name}`
  const lead = `  ${title.padEnd(52)} `
  const paint = isExpected ? dim : red
  const painted = (isExpected ? green : red)(title)
  const maxWordChars = Math.max(...text.split(' ').map(({ length }) => length))
  // A line that is too short for a name would split it.
  const isBelow = maxWordChars > style.width - lead.length
  const [first = '', ...rest] = hanging(isBelow ? '      ' : lead, text, style, paint)
  const wrong = shown.filter(({ mismatches }) => mismatches.length > 0)
  return [
    ...(isBelow ? [`  ${painted}`, first] : [first.replace(title, painted)]),
    ...rest,
    ...wrong.flatMap(({ scenario, mismatches }) => [
      ...mismatches.flatMap((one) =>
        hanging('      - ', `${scenario.name}: ${printableText(one)}`, style),
      ),
      `      run again with: ${rerunCommand(scenario, program)}`,
    ]),
  ]
}

/** Formats the scenarios by kind, faults by requirement; the last line counts the passed and failed scenarios. */
export function matrixText(
  results: readonly ScenarioResult[],
  style: TerminalStyle,
  program?: string,
): string {
  const failed = results.filter(({ mismatches }) => mismatches.length > 0).length
  const lines = (['fault', 'variant', 'need'] as const).flatMap((kind) => {
    const selected = results.filter(({ scenario }) => scenario.kind === kind)
    if (selected.length === 0) return []
    return [
      ...heading(headings[kind], selected.length, style.colors.bold),
      ...rowsOf(kind, selected).flatMap((row) => formatRow(row, style, program)),
    ]
  })
  return [...lines, '', `${results.length - failed} passed, ${failed} failed`].join('\n')
}
