import { formatCommand } from '../../reports/report-text.ts'
import { hanging, heading, type TerminalStyle } from '../../reports/terminal-document.ts'
import { printableText } from '../../text/printable.ts'
import type { ScenarioResult } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'

const headings: Record<Scenario['kind'], string> = {
  fault: 'Faults, each with the requirements that fail',
  variant: 'Variants, none of which may fail',
  need: 'Servers without a need, or with a variable that points elsewhere',
}

function formatResult({ kind, failing, skipped, verdict }: Scenario, counts: string): string {
  if (kind === 'need')
    return skipped === undefined ? counts : `${skipped.length} skipped: ${counts}`
  return kind === 'fault' ? failing.join(', ') : `${verdict}: ${counts}`
}

function rerunCommand({ kind, name, services }: Scenario, program?: string): string {
  const command =
    kind === 'need'
      ? `prove --need '${name}'`
      : `run --service ${services.join(' ')} --${kind} ${name}`
  return formatCommand(command, program)
}

function formatRow(
  { scenario, mismatches, counts }: ScenarioResult,
  style: TerminalStyle,
  program?: string,
) {
  const { green, red, dim } = style.colors
  const isExpected = mismatches.length === 0
  const name = `${isExpected ? '✓' : '✗'} ${scenario.name}`
  const lead = `  ${name.padEnd(52)} `
  const paint = isExpected ? dim : red
  const text = formatResult(scenario, counts)
  const painted = (isExpected ? green : red)(name)
  const maxWordChars = Math.max(...text.split(' ').map(({ length }) => length))
  // A line that is too short for an id would split it.
  const isBelow = maxWordChars > style.width - lead.length
  const [first = '', ...rest] = hanging(isBelow ? '      ' : lead, text, style, paint)
  return [
    ...(isBelow ? [`  ${painted}`, first] : [first.replace(name, painted)]),
    ...rest,
    ...mismatches.flatMap((text) => hanging('      - ', printableText(text), style)),
    ...(isExpected ? [] : [`      run again with: ${rerunCommand(scenario, program)}`]),
  ]
}

/** Formats the scenarios by kind; the last line counts the passed and failed scenarios. */
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
      ...selected.flatMap((result) => formatRow(result, style, program)),
    ]
  })
  return [...lines, '', `${results.length - failed} passed, ${failed} failed`].join('\n')
}
