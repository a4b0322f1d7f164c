import {
  type Catalogue,
  type Need,
  needsOf,
  type ServiceName,
  unmetNeeds,
} from '../conformance/catalogue.ts'
import type { Target } from '../environment/target.ts'
import { needsText } from '../reports/reasons.ts'
import { groupBy } from '../text/group-by.ts'
import type { RequirementForecast, Step } from './doctor-report.ts'

interface Waiting {
  need: Need
  requirement: string
}

/** Returns a step for each action that skipped requirements wait for, that of most requirements first. */
function stepsFor(waiting: readonly Waiting[]): Step[] {
  const keyOf = ({ need: { variables, advice = '' } }: Waiting) => variables.join() || advice
  return [...groupBy(waiting, keyOf).values()]
    .map(([first, ...others]) => ({
      text: first.need.advice ?? '',
      variables: [...first.need.variables],
      requirements: [...new Set([first, ...others].map((one) => one.requirement))],
    }))
    .toSorted((one, other) => other.requirements.length - one.requirements.length)
}

/** @param facts facts by service; a service without facts is not forecast */
export function forecastRun(
  catalogues: readonly Catalogue[],
  facts: Partial<Record<ServiceName, object>>,
  target: Target,
): { requirements: RequirementForecast[]; nextSteps: Step[] } {
  const waiting: Waiting[] = []
  const responding = catalogues.filter(({ service }) => facts[service] !== undefined)
  const requirements = responding.flatMap(({ service, needs, requirements }) =>
    requirements.map((requirement): RequirementForecast => {
      const { id, checkedBy, reason: why } = requirement
      const common = { requirement: id, forecast: 'notCovered', variables: [] as string[] } as const
      if (checkedBy.includes('untestable')) {
        return { ...common, untestable: true, reason: `cannot be tested: ${why}` }
      }
      const unmet = unmetNeeds(needs, needsOf(requirement), target, facts[service])
      if (unmet.length === 0) return { ...common, forecast: 'judged' }
      const fixed = unmet.filter(({ advice }) => advice === undefined)
      if (fixed.length > 0) return { ...common, reason: needsText(fixed) }
      waiting.push(...unmet.map((need) => ({ need, requirement: id })))
      const variables = [...new Set(unmet.flatMap((need) => need.variables))]
      return { ...common, forecast: 'skipped', reason: needsText(unmet), variables }
    }),
  )
  return { requirements, nextSteps: stepsFor(waiting) }
}
