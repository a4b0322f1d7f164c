import picomatch from 'picomatch'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import { printableSentence } from '../reports/printable.ts'
import { didYouMean } from '../target/nearest.ts'
import { UsageError } from './usage-error.ts'

/** Whether a pattern names a requirement: by its id, by the beginning of it, or by a glob. */
function matcherOf(pattern: string): (id: string) => boolean {
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

/** What a pattern that names nothing was looked for in, and where all of that is listed. */
export interface SelectionWords {
  /** Completes "matches no requirement", with a space in front where it is not empty. */
  among: string
  list: string
}

const ofRun: SelectionWords = {
  among: ' of the probed services',
  list: '"plumbline requirements" lists all of them.',
}

/**
 * The requirements that a pattern names: an id, a service or section of ids, or a glob.
 * Without a pattern, all of them.
 *
 * @param words of the command; by default those of a run
 * @throws UsageError for a pattern that names nothing
 */
export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
  { among, list }: SelectionWords = ofRun,
): Requirement[] {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])
  if (patterns.length === 0) return requirements
  const matchers = patterns.map((pattern) => {
    if (pattern.trim() === '') throw new UsageError('--requirement names nothing.')
    const matches = matcherOf(pattern)
    if (!requirements.some(({ id }) => matches(id))) {
      throw new UsageError(
        `--requirement ${printableSentence(pattern)} matches no requirement${among}.` +
          `${nearest(pattern, requirements)} ${list}`,
      )
    }
    return matches
  })
  return requirements.filter(({ id }) => matchers.some((matches) => matches(id)))
}
