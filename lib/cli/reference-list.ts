import { faults, variants } from '../reference/index.ts'
import { heading, type TerminalStyle } from '../reports/terminal-style.ts'
import { selectNames } from './reference-names.ts'

/**
 * The faults, each with the requirements that it breaks below it, and the variants: those that one of
 * the patterns matches, or all of them. Lines for a terminal.
 *
 * @throws UsageError for a pattern that matches none
 */
export function referenceList(patterns: readonly string[], { colors }: TerminalStyle): string {
  const chosen = selectNames(patterns)
  const faulty = faults.filter(({ name }) => chosen.has(name))
  const conforming = variants.filter(({ name }) => chosen.has(name))
  const title = (text: string, count: number) => heading(text, count, colors.bold)
  const lines = [
    ...(faulty.length === 0
      ? []
      : [
          ...title('Faults, each with the requirements that it breaks', faulty.length),
          ...faulty.flatMap(({ name, requirements }) => [
            `  ${colors.red(name)}`,
            ...requirements.map((id) => `      ${id}`),
          ]),
        ]),
    ...(conforming.length === 0
      ? []
      : [
          ...title('Variants, which break none', conforming.length),
          ...conforming.map(({ name }) => `  ${colors.green(name)}`),
        ]),
  ]
  return `${lines.slice(1).join('\n')}\n`
}
