import picomatch from 'picomatch'
import type { Catalogue } from '../conformance/catalogue.ts'
import { formatCommand } from '../reports/report-text.ts'
import type { Requirement } from '../results/requirement.ts'
import { joinNames } from '../text/names.ts'
import { didYouMean } from '../text/suggestions.ts'
import { UsageError } from './context.ts'

/**
 * Returns the items that a pattern matches: a glob, a name, a prefix of an id, or an unambiguous part of an id
 * such as a section. Without a pattern, returns all items.
 *
 * @throws UsageError for an ambiguous pattern, and with `describeMismatch` for one without a match
 */
export function selectItems<Item>(
  all: readonly Item[],
  nameOf: (item: Item) => string,
  patterns: readonly string[],
  describeMismatch: (pattern: string) => string,
): readonly Item[] {
  const find = (pattern: string) => {
    const below = pattern.startsWith('!') ? [] : [`${pattern}/**`]
    const isMatch = picomatch([pattern, ...below])
    return all.filter((item) => isMatch(nameOf(item)))
  }
  const matches = (text: string) => {
    if (text.trim() === '') return []
    const pattern = text.replace(/\/$/, '')
    const found = find(pattern)
    if (found.length > 0) return found
    const prefixes = new Set(idPrefixes(all.map(nameOf)))
    const candidates = [...prefixes].filter((one) => one.endsWith(`/${pattern}`))
    if (candidates.length < 2) return candidates.flatMap(find)
    const names = joinNames(candidates, 'or')
    throw new UsageError(`${pattern} may be ${names}: give a full id.`)
  }
  const unmatched = patterns.find((pattern) => matches(pattern).length === 0)
  if (unmatched !== undefined) throw new UsageError(describeMismatch(unmatched))
  const chosen = new Set(patterns.flatMap(matches))
  return patterns.length === 0 ? all : all.filter((item) => chosen.has(item))
}

/** Returns the services and sections of ids, and the ids themselves. */
const idPrefixes = (ids: readonly string[]) =>
  [1, 2, 3].flatMap((count) => ids.map((id) => id.split('/').slice(0, count).join('/')))

export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
  program?: string,
): readonly Requirement[] {
  const requirements = catalogues.flatMap((one): readonly Requirement[] => one.requirements)
  const names = idPrefixes(requirements.map(({ id }) => id))
  const describeMismatch = (pattern: string) =>
    `--requirement ${pattern} matches no requirement of the chosen services.` +
    `${didYouMean(pattern, names)} "${formatCommand('requirements', program)}" lists all of them.`
  return selectItems(requirements, ({ id }) => id, patterns, describeMismatch)
}

/** Returns the ids of the requirements whose checks run; an invariant needs all checks of its service. */
export function checksFor(catalogues: readonly Catalogue[], selected: readonly Requirement[]) {
  return catalogues.flatMap(({ requirements }) => {
    const chosen = requirements.filter((requirement) => selected.includes(requirement))
    const needsAll = chosen.some(({ checkedBy }) => checkedBy.includes('invariant'))
    return (needsAll ? requirements : chosen).map(({ id }) => id)
  })
}

export function describeUnknown(
  kind: string,
  name: string,
  names: readonly string[],
  program?: string,
): string {
  const list = formatCommand('reference --list', program)
  const all = kind === 'need' ? `There is ${names.join(', ')}.` : `"${list}" lists all.`
  return `--${kind} ${name} names no ${kind}.${didYouMean(name, names)} ${all}`
}
