import leven from 'leven'
import picomatch from 'picomatch'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import { UsageError } from './usage-error.ts'

function matcher(pattern: string): (id: string) => boolean {
  const matches = picomatch([pattern, `${pattern.replace(/\/$/, '')}/**`])
  return (id) => matches(id)
}

function nearest(pattern: string, requirements: readonly Requirement[]): string {
  const [first] = requirements
    .map(({ id }) => ({ id, distance: leven(pattern, id) }))
    .sort((a, b) => a.distance - b.distance)
  return first === undefined ? '' : ` The nearest is ${first.id}.`
}

/**
 * The requirements that a pattern names: an id, the beginning of one up to a slash, or a glob.
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
    const matches = matcher(pattern)
    if (!requirements.some(({ id }) => matches(id))) {
      throw new UsageError(
        `--requirement ${pattern} matches no requirement of the probed services.` +
          `${nearest(pattern, requirements)} "plumbline requirements" lists all of them.`,
      )
    }
    return matches
  })
  return requirements.filter(({ id }) => matchers.some((matches) => matches(id)))
}
