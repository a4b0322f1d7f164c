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
  untestable?: true
}

/** Action of the operator, and the requirements that wait for it. */
export interface Step {
  text: string
  variables: string[]
  requirements: string[]
}

/** Report of `plumbline doctor`; `doctor.schema.json` describes its members. */
export interface DoctorReport {
  schema: 3
  tool: { name: 'plumbline'; version: string }
  status: 0 | 2 | 3
  target: Record<string, RunReport['target'][string] & { responds: boolean }>
  findings: Finding[]
  clocks: Partial<Record<ServiceName, ClockDifference>>
  requirements: RequirementForecast[]
  nextSteps: Step[]
  /** Services without a base URL, with its variable. */
  unprobed: { service: ServiceName; variable: string }[]
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
