import {
  type Catalogue,
  type Need,
  needsOf,
  type ServiceName,
  unmetNeeds,
} from '../conformance/catalogue.ts'
import type { Target } from '../environment/target.ts'
import { needsText } from '../reports/reason-text.ts'
import type { Requirement } from '../results/requirement.ts'
import { groupBy } from '../text/group-by.ts'
import type { RequirementForecast, Step } from './doctor-report.ts'

interface Forecast {
  forecast: RequirementForecast
  unmet: readonly Need[]
}

function forecastRequirement(
  requirement: Requirement,
  { needs }: Catalogue,
  facts: object,
  target: Target,
): Forecast {
  const { id, checkedBy, reason: why } = requirement
  const common = { requirement: id, forecast: 'notCovered', variables: [] as string[] } as const
  if (checkedBy.includes('untestable')) {
    return {
      forecast: { ...common, untestable: true, reason: `cannot be tested: ${why}` },
      unmet: [],
    }
  }
  const unmet = unmetNeeds(needs, needsOf(requirement), target, facts)
  if (unmet.length === 0) return { forecast: { ...common, forecast: 'judged' }, unmet }
  const fixed = unmet.filter(({ advice }) => advice === undefined)
  if (fixed.length > 0) return { forecast: { ...common, reason: needsText(fixed) }, unmet: [] }
  const variables = [...new Set(unmet.flatMap((need) => need.variables))]
  return {
    forecast: { ...common, forecast: 'skipped', reason: needsText(unmet), variables },
    unmet,
  }
}

/** Returns a step for each action that skipped requirements wait for, that of most requirements first. */
function stepsFor(forecasts: readonly Forecast[]): Step[] {
  const waiting = forecasts.flatMap(({ forecast, unmet }) =>
    unmet.map((need) => ({ need, requirement: forecast.requirement })),
  )
  const keyOf = ({ variables, advice = '' }: Need) => variables.join() || advice
  return [...groupBy(waiting, ({ need }) => keyOf(need)).values()]
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
) {
  const forecasts = catalogues.flatMap((catalogue) => {
    const { [catalogue.service]: serviceFacts } = facts
    if (serviceFacts === undefined) return []
    return catalogue.requirements.map((requirement) =>
      forecastRequirement(requirement, catalogue, serviceFacts, target),
    )
  })
  return {
    requirements: forecasts.map(({ forecast }) => forecast),
    nextSteps: stepsFor(forecasts),
  }
}
