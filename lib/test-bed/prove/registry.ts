import { type Catalogue, needsOf } from '../../conformance/catalogue.ts'
import { isTestable } from '../../results/requirement.ts'
import type { Fault, Variant } from '../reference/index.ts'
import type { Tolerance } from '../reference/rule-tables.ts'

interface Registry {
  faults: readonly Pick<Fault, 'name' | 'requirements' | 'variant' | 'expectedVerdicts'>[]
  variants: readonly Pick<Variant, 'name' | 'tolerances' | 'unjudged' | 'expectedVerdicts'>[]
}

/** Returns the id of a tolerance, which starts with the id of its requirement. */
export const toleranceId = ({ requirement, name }: Tolerance) => `${requirement}/${name}`

export function tolerancesIn(catalogues: readonly Catalogue[]): string[] {
  return catalogues.flatMap(({ requirements }) =>
    requirements.flatMap(({ id, tolerances = {} }) =>
      Object.keys(tolerances).map((name) => toleranceId({ requirement: id, name })),
    ),
  )
}

/** Returns contradictions between the catalogues and the faults and variants, a sentence each. */
export function registryProblems(
  catalogues: readonly Catalogue[],
  { faults, variants }: Registry,
): string[] {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])
  const ids = requirements.map(({ id }) => id)
  const judged = requirements.filter(isTestable).map(({ id }) => id)
  const tolerances = tolerancesIn(catalogues)
  const entries = [...faults, ...variants]
  const names = entries.map(({ name }) => name)
  const problems: string[] = []
  function require(texts: readonly string[], others: readonly string[], problem: string): void {
    const accepted = new Set(others)
    for (const text of new Set(texts)) if (!accepted.has(text)) problems.push(`${text} ${problem}.`)
  }
  const repeated = (texts: readonly string[]) =>
    texts.filter((text, index) => texts.indexOf(text) !== index)
  const broken = faults.flatMap((fault) => fault.requirements)
  const tried = variants.flatMap(({ tolerances = [] }) => tolerances.map(toleranceId))

  require(judged, broken, 'has no fault')
  require(tolerances, tried, 'has no variant')
  require(broken, judged, 'is not a testable requirement, but a fault names it')
  require(tried, tolerances, 'is not a tolerance, but a variant names it')
  require(repeated(names), [], 'is the name of two entries')
  const inKebabCase = names.filter((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
  require(names, inKebabCase, 'is not a name in kebab case')
  for (const { needs, requirements } of catalogues) {
    require(Object.keys(needs), requirements.flatMap(needsOf), 'is a need of no requirement')
  }
  for (const { name, expectedVerdicts = {} } of entries) {
    require(Object.keys(expectedVerdicts), ids, `is not a requirement, but ${name} names it`)
  }
  for (const { name, requirements, variant = [] } of faults) {
    require(requirements.length === 0 ? [name] : [], [], 'is a fault without requirements')
    require([variant].flat(), names, `is not a variant, but the fault ${name} names it`)
    require(repeated(requirements), [], `is named twice by the fault ${name}`)
  }
  for (const { name, tolerances = [], unjudged = [] } of variants) {
    const tolerant = tolerances.map(({ requirement }) => requirement)
    require(repeated(tolerances.map(toleranceId)), [], `is named twice by the variant ${name}`)
    require(unjudged, tolerant, `has no verdict in ${name}, but no tolerance there`)
  }
  return problems
}
