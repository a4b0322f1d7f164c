import { type Catalogue, type Need, needsOf, unmetNeeds } from '../conformance/catalogue.ts'
import type { Target } from '../environment/probe-variables.ts'
import { needsText } from '../reports/reasons.ts'
import type { RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'

/**
 * `configuration`: a variable, account or repository is wrong. `target`: the service does not respond or
 * rejects credentials. `warning`: a run is still useful. `unknown`: unknown after GET requests. `ok`: OK.
 */
export type FindingKind = 'configuration' | 'target' | 'warning' | 'unknown' | 'ok'

export interface Finding {
  service: string
  kind: FindingKind
  /** At most two sentences, which may quote the server. */
  text: string
}

export interface RequirementForecast {
  requirement: string
  /**
   * `judged`: a run would reach a verdict. `skipped`: it would with additional variables or data. `notCovered`:
   * untestable, or not observable with this server or its settings.
   */
  forecast: 'judged' | 'skipped' | 'notCovered'
  reason?: string
  /** Variables to set, for `skipped`. */
  variables: string[]
  untestable?: true
}

/** Action of the operator, and the requirements that wait for it. */
export interface Step {
  text: string
  variables: string[]
  requirements: string[]
}

export interface DoctorReport {
  schema: 4
  tool: { name: 'plumbline'; version: string }
  status: 0 | 2 | 3
  target: Record<string, RunReport['target'][string] & { responds: boolean }>
  findings: Finding[]
  requirements: RequirementForecast[]
  nextSteps: Step[]
  /** Services without a base URL, with its variable. */
  unprobed: { service: string; variable: string }[]
}

export function isProblem({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'configuration' || kind === 'target'
}

/** Returns 3 for problems of the target, 2 for a wrong configuration or if nothing would be judged, else 0. */
export function doctorStatus(
  findings: readonly Pick<Finding, 'kind'>[],
  requirements: readonly RequirementForecast[],
): DoctorReport['status'] {
  if (findings.some(({ kind }) => kind === 'target')) return 3
  const isJudged = requirements.some(({ forecast }) => forecast === 'judged')
  return findings.some(isProblem) || !isJudged ? 2 : 0
}

/** Returns a step for each action that skipped requirements wait for, most requirements first. */
function stepsFor(waiting: readonly { need: Need; requirement: string }[]): Step[] {
  const groups = groupBy(waiting, ({ need }) => need.variables.join() || (need.advice ?? ''))
  return [...groups.values()]
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
  facts: Partial<Record<string, object>>,
  target: Target,
): { requirements: RequirementForecast[]; nextSteps: Step[] } {
  const waiting: { need: Need; requirement: string }[] = []
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
