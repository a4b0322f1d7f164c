import { printableText } from '../reports/printable.ts'
import { hanging, heading, type TerminalStyle } from '../reports/terminal-style.ts'
import type { ScenarioResult } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'

const headings: Record<Scenario['kind'], string> = {
  fault: 'Faults, each with the requirements that fail',
  variant: 'Variants, none of which may fail',
  need: 'Deployments without a need, or with a variable that points elsewhere',
}

function result({ kind, failing, skipped, verdict }: Scenario, counts: string): string {
  if (kind === 'need')
    return skipped === undefined ? counts : `${skipped.length} skipped: ${counts}`
  return kind === 'fault' ? failing.join(', ') : `${verdict}: ${counts}`
}

function repeating({ kind, name, services }: Scenario): string {
  return kind === 'need'
    ? `plumbline prove --need '${name}'`
    : `plumbline run --service ${services.join(' ')} --${kind} ${name}`
}

function row({ subject, disagreements, counts }: ScenarioResult, style: TerminalStyle): string[] {
  const { green, red, dim } = style.colors
  const agreed = disagreements.length === 0
  const name = `${agreed ? '✓' : '✗'} ${subject.name}`
  const lead = `  ${name.padEnd(52)} `
  const paint = agreed ? dim : red
  const [first = '', ...rest] = hanging(lead, result(subject, counts), style, paint)
  return [
    first.replace(name, (agreed ? green : red)(name)),
    ...rest,
    ...disagreements.flatMap((text) => hanging('      - ', printableText(text), style)),
    ...(agreed ? [] : [`      repeat it with: ${repeating(subject)}`]),
  ]
}

/** The matrix of faults and variants, and in its last line how many did what they have to. */
export function matrixText(proofs: readonly ScenarioResult[], style: TerminalStyle): string {
  const failed = proofs.filter(({ disagreements }) => disagreements.length > 0).length
  const lines = (['fault', 'variant', 'need'] as const).flatMap((kind) => {
    const ofKind = proofs.filter(({ subject }) => subject.kind === kind)
    if (ofKind.length === 0) return []
    return [
      ...heading(headings[kind], ofKind.length, style.colors.bold),
      ...ofKind.flatMap((proof) => row(proof, style)),
    ]
  })
  return [...lines, '', `${proofs.length - failed} passed, ${failed} failed`].join('\n')
}
