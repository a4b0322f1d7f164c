import type { ServiceName } from '../conformance/requirement.ts'

/**
 * `configuration`: a variable, an account or a repository is not what it should be. `target`: the
 * service does not answer, or refuses credentials. `warning`: a run makes sense all the same.
 * `untold`: a GET cannot tell. `good`: looked at, and as it should be.
 */
export type FindingKind = 'configuration' | 'target' | 'warning' | 'untold' | 'good'

export interface Finding {
  service: ServiceName
  kind: FindingKind
  /** One or two sentences, which may quote the server. */
  text: string
}

/** By how many seconds the clock of a server is ahead of ours: somewhere between the two. */
export interface ClockDifference {
  least: number
  most: number
}

export interface RequirementOutlook {
  requirement: string
  /**
   * `judged`: a run would reach a verdict. `skipped`: it would, were something added. `left out`: it
   * cannot be tested, or the server or its settings do not show it.
   */
  outlook: 'judged' | 'skipped' | 'left out'
  reason?: string
  /** For `skipped`: those to set. */
  variables: string[]
  untestable?: true
}

/** Something to add: a sentence each, and the requirements that a run would judge from then on. */
export interface Step {
  texts: string[]
  variables: string[]
  adds: string[]
}

/** All that `plumbline doctor` says; `doctor.schema.json` says what each part is. */
export interface DoctorReport {
  schema: 1
  tool: { name: 'plumbline'; version: string }
  status: 0 | 2 | 3
  target: Record<string, { baseUrl: string; embedded?: boolean; answers: boolean }>
  requests: number
  findings: Finding[]
  clocks: Partial<Record<ServiceName, ClockDifference>>
  requirements: RequirementOutlook[]
  nextSteps: Step[]
  unprobed: { service: ServiceName; variable: string; judged: number; requirements: number }[]
}

export function isProblem({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'configuration' || kind === 'target'
}

/**
 * 3 where something does not answer or refuses its credentials, 2 where the configuration is wrong or
 * nothing would be judged, else 0: then a run makes sense.
 */
export function doctorStatus(
  findings: readonly Pick<Finding, 'kind'>[],
  requirements: readonly RequirementOutlook[],
): DoctorReport['status'] {
  if (findings.some(({ kind }) => kind === 'target')) return 3
  const isJudged = requirements.some(({ outlook }) => outlook === 'judged')
  return findings.some(isProblem) || !isJudged ? 2 : 0
}
