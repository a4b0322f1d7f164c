import {
  type Catalogue,
  type Need,
  needsOf,
  type ServiceName,
  unmetNeeds,
} from '../conformance/catalogue.ts'
import type { PlannedCase } from '../conformance/planned-case.ts'
import type { Target } from '../environment/target.ts'
import { needsText } from '../reports/reason-text.ts'
import type { Requirement } from '../results/requirement.ts'
import type { RequirementForecast, Step } from './doctor-report.ts'

const unique = (texts: readonly string[]) => [...new Set(texts)]

const uniqueVariables = (needs: readonly Need[]) =>
  unique(needs.flatMap(({ variables }) => variables))

interface Forecast {
  forecast: RequirementForecast
  unmet: readonly Need[]
}

function forecastRequirements(
  { requirements, needs }: Catalogue,
  facts: object,
  target: Target,
  planned: readonly PlannedCase[],
) {
  const byId = new Map(requirements.map((one) => [one.id, one]))
  const isMet = (names: readonly string[]) => unmetNeeds(needs, names, target, facts).length === 0
  const sent = new Set(
    planned.filter((one) => {
      // The first requirement of a case sends it.
      const first = byId.get(one.requirements[0] ?? '')
      return first !== undefined && isMet([...(one.needs ?? []), ...(first.needs ?? [])])
    }),
  )
  /** Returns the planned cases of a requirement; an invariant judges a rejection without its control. */
  function casesOf({ id, checkedBy }: Requirement) {
    const own = planned.filter((one) => one.requirements.includes(id))
    if (own.length === 0) return undefined
    const needsControl = !checkedBy.includes('invariant')
    const judged = own.filter(
      (one) => sent.has(one) && (!needsControl || isMet(one.controlNeeds ?? [])),
    )
    return { planned: own.length, missing: own.length - judged.length }
  }
  return requirements.map((requirement): Forecast => {
    const common = {
      requirement: requirement.id,
      forecast: 'notCovered',
      variables: [] as string[],
    } as const
    if (requirement.checkedBy.includes('untestable')) {
      const reason = `cannot be tested: ${requirement.reason}`
      return { forecast: { ...common, untestable: true, reason }, unmet: [] }
    }
    const unmet = unmetNeeds(needs, needsOf(requirement), target, facts)
    if (unmet.length === 0) {
      const cases = casesOf(requirement)
      return { forecast: { ...common, forecast: 'judged', ...(cases && { cases }) }, unmet }
    }
    const fixed = unmet.filter(({ advice }) => advice === undefined)
    if (fixed.length > 0) return { forecast: { ...common, reason: needsText(fixed) }, unmet: [] }
    const variables = uniqueVariables(unmet)
    return {
      forecast: { ...common, forecast: 'skipped', reason: needsText(unmet), variables },
      unmet,
    }
  })
}

/** Returns the variables of a need, or its advice if it has none. */
function actionsFor({ variables, advice = '' }: Need): readonly string[] {
  return variables.length > 0 ? variables : [advice]
}

const keyOf = (need: Need) => actionsFor(need).join()

/**
 * Returns the next steps, by number of requirements that each enables after the steps before it.
 *
 * @param needs needs of all catalogues; the first of several with the same actions provides the advice
 */
function stepsFor(skipped: readonly Forecast[], needs: readonly Need[]): Step[] {
  const isSame = (need: Need) => (other: Need) => keyOf(need) === keyOf(other)
  const countOf = (need: Need) => skipped.filter(({ unmet }) => unmet.some(isSame(need))).length
  const awaited = needs
    .filter((need, index) => needs.findIndex(isSame(need)) === index && countOf(need) > 0)
    .toSorted((one, other) => countOf(other) - countOf(one))
  const steps: Step[] = []
  const done = new Set<string>()
  let waiting = skipped
  let pending: Need[] = []
  /** Returns the waiting requirements that a run judges if this need is met too. */
  const enabledBy = (need: Need) =>
    waiting.filter(({ unmet }) =>
      unmet.flatMap(actionsFor).every((it) => done.has(it) || actionsFor(need).includes(it)),
    )
  while (awaited.length > 0) {
    const counts = awaited.map((need) => enabledBy(need).length)
    const [need] = awaited.splice(counts.indexOf(Math.max(...counts)), 1) as [Need]
    if (actionsFor(need).every((action) => done.has(action))) continue
    const enabled = enabledBy(need)
    for (const action of actionsFor(need)) done.add(action)
    pending.push(need)
    // Merges a need that enables no requirement by itself into the next step.
    if (enabled.length === 0) continue
    const texts = unique(pending.map(({ advice = '' }) => advice))
    const adds = enabled.map(({ forecast }) => forecast.requirement)
    steps.push({ texts, variables: uniqueVariables(pending), adds })
    waiting = waiting.filter((one) => !enabled.includes(one))
    pending = []
  }
  return steps
}

/**
 * @param facts facts by service; a service without facts is not forecast
 * @param planned the tables of a run
 */
export function forecastRun(
  catalogues: readonly Catalogue[],
  facts: Partial<Record<ServiceName, object>>,
  target: Target,
  planned: readonly PlannedCase[] = [],
) {
  const forecasts = catalogues.flatMap((catalogue) => {
    const { [catalogue.service]: serviceFacts } = facts
    if (serviceFacts === undefined) return []
    return forecastRequirements(catalogue, serviceFacts, target, planned)
  })
  const skipped = forecasts.filter(({ unmet }) => unmet.length > 0)
  const needs = catalogues.flatMap((catalogue) => Object.values(catalogue.needs))
  return {
    requirements: forecasts.map(({ forecast }) => forecast),
    nextSteps: stepsFor(skipped, needs),
  }
}
