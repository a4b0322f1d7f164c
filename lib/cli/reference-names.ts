import picomatch from 'picomatch'
import { faults, variants } from '../reference/index.ts'
import { printableSentence } from '../reports/printable.ts'
import { didYouMean } from '../target/nearest.ts'
import { UsageError } from './usage-error.ts'

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
export function assureKnownName(kind: ReferenceKind, name: string): void {
  if (!namesOf[kind].includes(name)) throw unknownName(kind, name)
}

/**
 * Those of the faults and variants that one of the patterns, names or globs, matches; all of them
 * without a pattern.
 *
 * @throws UsageError for a pattern that matches none
 */
export function selectNames(patterns: readonly string[]): ReadonlySet<string> {
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
