import {
  type Catalogue,
  type Need,
  needsOf,
  type ServiceName,
  unmetNeeds,
} from '../conformance/requirement.ts'
import type { Target } from '../environment/target.ts'
import { needsText } from '../reports/reason-text.ts'
import type { RequirementOutlook, Step } from './doctor-report.ts'

const unique = (texts: readonly string[]) => [...new Set(texts)]

const variablesOf = (needs: readonly Need[]) => unique(needs.flatMap(({ variables }) => variables))

/** What a run would do about each requirement, and what could be added to judge it. */
function prospectsOf({ requirements, needs }: Catalogue, facts: object, target: Target) {
  return requirements.map((row): { outlook: RequirementOutlook; wanted: readonly Need[] } => {
    const common = { requirement: row.id, outlook: 'left out', variables: [] as string[] } as const
    if (row.judged.includes('untestable')) {
      const reason = `cannot be tested: ${row.reason}`
      return { outlook: { ...common, untestable: true, reason }, wanted: [] }
    }
    const wanted = unmetNeeds(needs, needsOf(row), target, facts)
    if (wanted.length === 0) return { outlook: { ...common, outlook: 'judged' }, wanted }
    const given = wanted.filter(({ advice }) => advice === undefined)
    if (given.length > 0) return { outlook: { ...common, reason: needsText(given) }, wanted: [] }
    const variables = variablesOf(wanted)
    return {
      outlook: { ...common, outlook: 'skipped', reason: needsText(wanted), variables },
      wanted,
    }
  })
}

type Prospect = ReturnType<typeof prospectsOf>[number]

/** What is done for a need: its variables are set or, where it has none, its advice is taken. */
function deedsOf({ variables, advice = '' }: Need): readonly string[] {
  return variables.length > 0 ? variables : [advice]
}

const keyOf = (need: Need) => deedsOf(need).join()

/**
 * What to do, beginning with what most requirements wait for, each counted with all before it done.
 *
 * @param needs of all catalogues; of those that are met in the same way the first gives its advice
 */
function stepsFor(skipped: readonly Prospect[], needs: readonly Need[]): Step[] {
  const isSame = (need: Need) => (other: Need) => keyOf(need) === keyOf(other)
  const countOf = (need: Need) => skipped.filter(({ wanted }) => wanted.some(isSame(need))).length
  const waitedFor = needs
    .filter((need, index) => needs.findIndex(isSame(need)) === index && countOf(need) > 0)
    .toSorted((one, other) => countOf(other) - countOf(one))
  const steps: Step[] = []
  const done = new Set<string>()
  let waiting = skipped
  let together: Need[] = []
  for (const need of waitedFor) {
    if (deedsOf(need).every((deed) => done.has(deed))) continue
    for (const deed of deedsOf(need)) done.add(deed)
    together.push(need)
    const isJudged = ({ wanted }: Prospect) =>
      wanted.flatMap(deedsOf).every((deed) => done.has(deed))
    const adds = waiting.filter(isJudged).map(({ outlook }) => outlook.requirement)
    // What brings nothing alone is one step with what it waits for.
    if (adds.length === 0) continue
    const texts = unique(together.map(({ advice = '' }) => advice))
    steps.push({ texts, variables: variablesOf(together), adds })
    waiting = waiting.filter((prospect) => !isJudged(prospect))
    together = []
  }
  return steps
}

/** @param facts by service, for the needs of its catalogue; nothing is foretold of one without */
export function forecastRun(
  catalogues: readonly Catalogue[],
  facts: Partial<Record<ServiceName, object>>,
  target: Target,
) {
  const prospects = catalogues.flatMap((catalogue) => {
    const { [catalogue.service]: seen } = facts
    return seen === undefined ? [] : prospectsOf(catalogue, seen, target)
  })
  const skipped = prospects.filter(({ wanted }) => wanted.length > 0)
  const needs = catalogues.flatMap((catalogue) => Object.values(catalogue.needs))
  return {
    requirements: prospects.map(({ outlook }) => outlook),
    nextSteps: stepsFor(skipped, needs),
  }
}
