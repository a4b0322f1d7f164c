import type { ServiceName } from '../conformance/catalogue.ts'
import type { RunReport } from '../results/run-report.ts'

/**
 * `configuration`: a variable, account or repository is wrong. `target`: the service does not respond or
 * rejects credentials. `warning`: a run is still useful. `unknown`: unknown after GET requests. `ok`: OK.
 */
export type FindingKind = 'configuration' | 'target' | 'warning' | 'unknown' | 'ok'

export interface Finding {
  service: ServiceName
  kind: FindingKind
  /** At most two sentences, which may quote the server. */
  text: string
}

/** Range of seconds by which the clock of a server is ahead of the local clock. */
export interface ClockDifference {
  min: number
  max: number
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
  /** Cases of the tables of a run, and how many of them need something that is missing; for `judged`. */
  cases?: { planned: number; missing: number }
  untestable?: true
}

/** Actions of the operator, a sentence each, and the additional requirements that a run would judge then. */
export interface Step {
  texts: string[]
  variables: string[]
  adds: string[]
}

/** Report of `plumbline doctor`; `doctor.schema.json` describes its members. */
export interface DoctorReport {
  schema: 2
  tool: { name: 'plumbline'; version: string }
  status: 0 | 2 | 3
  target: Record<string, RunReport['target'][string] & { responds: boolean }>
  requests: number
  findings: Finding[]
  clocks: Partial<Record<ServiceName, ClockDifference>>
  requirements: RequirementForecast[]
  nextSteps: Step[]
  unprobed: { service: ServiceName; variable: string; judged: number; requirements: number }[]
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
