import type { Catalogue } from '../conformance/requirement.ts'
import type { Fault, Variant } from '../reference/index.ts'

/** What the reference server declares about a catalogue. */
export interface Registry {
  faults: readonly Pick<Fault, 'name' | 'requirements' | 'variant' | 'becoming'>[]
  variants: readonly Pick<Variant, 'name' | 'tolerances' | 'unjudged' | 'becoming'>[]
}

/** Returns the id of the requirement of a tolerance. */
export const requirementOf = (tolerance: string) => tolerance.slice(0, tolerance.lastIndexOf('/'))

/** Returns the ids of all tolerances, which start with those of their requirements. */
export function tolerancesIn(catalogues: readonly Catalogue[]): string[] {
  return catalogues.flatMap(({ requirements }) =>
    requirements.flatMap(({ id, tolerances = {} }) =>
      Object.keys(tolerances).map((name) => `${id}/${name}`),
    ),
  )
}

/** Returns what contradicts the catalogues in the declarations of faults and variants, a sentence each. */
export function registryProblems(
  catalogues: readonly Catalogue[],
  { faults, variants }: Registry,
): string[] {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])
  const known = new Set(requirements.map(({ id }) => id))
  const judged = requirements
    .filter((row) => !row.judged.includes('untestable'))
    .map(({ id }) => id)
  const tolerances = tolerancesIn(catalogues)
  const names = variants.map(({ name }) => name)
  const problems: string[] = []
  /** Reports which of the ids are not among the others, or come twice. */
  function require(ids: readonly string[], others: readonly string[], problem: string): void {
    const expected = new Set(others)
    for (const id of new Set(ids)) if (!expected.has(id)) problems.push(`${id} ${problem}.`)
  }
  function requireOnce(ids: readonly string[], problem: string): void {
    const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
    require(repeated, [], problem)
  }

  require(judged, faults.flatMap((fault) => fault.requirements), 'has no fault')
  require(tolerances, variants.flatMap((variant) => variant.tolerances ?? []), 'has no variant')
  requireOnce(
    [...faults, ...variants].map(({ name }) => name),
    'is the name of two entries',
  )
  const wrong = [...faults, ...variants].filter(
    ({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name),
  )
  require(wrong.map(({ name }) => name), [], 'is not a name in kebab case')
  for (const { name, requirements, variant, becoming = {} } of faults) {
    if (requirements.length === 0) problems.push(`The fault ${name} names no requirement.`)
    require(requirements, judged, `is no judged requirement, and the fault ${name} names it`)
    require(Object.keys(becoming), [...known], `is no requirement, and the fault ${name} names it`)
    require(variant === undefined
      ? []
      : [variant], names, `is no variant, and the fault ${name} names it`)
    requireOnce(requirements, `is named twice by the fault ${name}`)
  }
  for (const { name, tolerances: tried = [], unjudged = [], becoming = {} } of variants) {
    require(tried, tolerances, `is no tolerance, and the variant ${name} names it`)
    require(Object.keys(becoming), [
      ...known,
    ], `is no requirement, and the variant ${name} names it`)
    require(unjudged, tried.map(
      requirementOf,
    ), `is unjudged in the variant ${name}, which names no tolerance of it`)
    requireOnce(tried, `is named twice by the variant ${name}`)
  }
  return problems
}
