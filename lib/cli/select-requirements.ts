import picomatch from 'picomatch'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import { printableSentence } from '../reports/printable.ts'
import { didYouMean } from '../target/nearest.ts'
import { UsageError } from './context.ts'

/** Whether a pattern names a requirement: by its id, by the beginning of it, or by a glob. */
export function matcherOf(pattern: string): (id: string) => boolean {
  const matches = picomatch([pattern, `${pattern.replace(/\/$/, '')}/**`])
  return (id) => matches(id)
}

/** Compared with what a pattern may name: services, sections and requirements. */
function nearest(pattern: string, requirements: readonly Requirement[]): string {
  const segments = requirements.map(({ id }) => id.split('/'))
  const names = [1, 2, 3].flatMap((count) =>
    segments.map((parts) => parts.slice(0, count).join('/')),
  )
  return didYouMean(pattern, names)
}

/**
 * The requirements that a pattern names: an id, a service or section of ids, or a glob.
 * Without a pattern, all of them.
 *
 * @throws UsageError for a pattern that names nothing
 */
export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
): Requirement[] {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])
  if (patterns.length === 0) return requirements
  const matchers = patterns.map((pattern) => {
    if (pattern.trim() === '') throw new UsageError('--requirement names nothing.')
    const matches = matcherOf(pattern)
    if (requirements.some(({ id }) => matches(id))) return matches
    throw new UsageError(
      `--requirement ${printableSentence(pattern)} matches no requirement of the chosen services.` +
        `${nearest(pattern, requirements)} "plumbline requirements" lists all of them.`,
    )
  })
  return requirements.filter(({ id }) => matchers.some((matches) => matches(id)))
}
