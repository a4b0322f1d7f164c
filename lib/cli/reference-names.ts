import picomatch from 'picomatch'
import { faults, variants } from '../reference/index.ts'
import { printableSentence } from '../reports/printable.ts'
import { heading, type TerminalStyle } from '../reports/terminal-style.ts'
import { didYouMean } from '../target/nearest.ts'
import { UsageError } from './context.ts'

/** What the embedded deployment can be given. */
export type ReferenceKind = 'fault' | 'variant'

const namesOf: Record<ReferenceKind, readonly string[]> = {
  fault: faults.map(({ name }) => name),
  variant: variants.map(({ name }) => name),
}

const others: Record<ReferenceKind, ReferenceKind> = { fault: 'variant', variant: 'fault' }

const whereAll = '"plumbline reference --list" lists all of them.'

/** An error for a name, or a glob, that names no fault or no variant; it tells what was meant. */
export function unknownName(kind: ReferenceKind, name: string): UsageError {
  if (name.trim() === '') return new UsageError(`--${kind} names nothing. ${whereAll}`)
  const shown = printableSentence(name)
  const other = others[kind]
  const matches = picomatch(name)
  const [elsewhere] = namesOf[other].filter((candidate) => matches(candidate))
  const hint =
    elsewhere === undefined
      ? didYouMean(name, namesOf[kind])
      : ` ${elsewhere} is a ${other}: --${other} ${elsewhere}.`
  return new UsageError(`--${kind} ${shown} names no ${kind}.${hint} ${whereAll}`)
}

/** @throws UsageError when there is no fault or variant of that name */
export function requireKnownName(kind: ReferenceKind, name: string): void {
  if (!namesOf[kind].includes(name)) throw unknownName(kind, name)
}

/**
 * Those of the faults and variants that one of the patterns, names or globs, matches; all of them
 * without a pattern.
 *
 * @throws UsageError for a pattern that matches none
 */
function selectNames(patterns: readonly string[]): ReadonlySet<string> {
  const all = [...namesOf.fault, ...namesOf.variant]
  if (patterns.length === 0) return new Set(all)
  const chosen = patterns.flatMap((pattern) => {
    if (pattern.trim() === '') throw new UsageError('--list names nothing.')
    const matches = picomatch(pattern)
    const found = all.filter((name) => matches(name))
    if (found.length > 0) return found
    throw new UsageError(
      `--list ${printableSentence(pattern)} names no fault and no variant.` +
        `${didYouMean(pattern, all)} Without a name, --list lists all of them.`,
    )
  })
  return new Set(chosen)
}

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
