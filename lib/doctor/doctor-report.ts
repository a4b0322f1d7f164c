import type { ServiceName } from '../conformance/requirement.ts'

/**
 * `configuration`: a variable, an account or a repository is not what it should be. `target`: the
 * service does not answer, or refuses credentials. `warning`: a run makes sense all the same.
 * `untold`: a GET cannot tell. `good`: looked at, and as it should be.
 */
export type FindingKind = 'configuration' | 'target' | 'warning' | 'untold' | 'good'

/** Something that GETs have shown. */
export interface Finding {
  service: ServiceName
  kind: FindingKind
  /** One or two sentences: what is wrong and what to do. May quote the server. */
  text: string
}

/** By how many seconds the clock of a server is ahead of ours: somewhere between the two. */
export interface ClockDifference {
  least: number
  most: number
}

/** What a run would do about one requirement. */
export interface RequirementOutlook {
  requirement: string
  /**
   * `judged`: a run would reach a verdict. `skipped`: it would, were something added. `left out`: it
   * cannot be tested, or the server or its settings do not show it.
   */
  outlook: 'judged' | 'skipped' | 'left out'
  /** Why it would not be judged. */
  reason?: string
  /** For `skipped`: the variables to set. */
  variables: string[]
  /** Nothing that the documents show would tell. */
  untestable?: true
}

/** Something to add, and what it brings once all steps before it are done. */
export interface Step {
  /** What to do, a sentence each. */
  texts: string[]
  variables: string[]
  /** Ids of the requirements that a run would judge from then on. */
  adds: string[]
}

/** All that `plumbline doctor` says; with `--format json` it is printed as `doctor.schema.json` says. */
export interface DoctorReport {
  schema: 1
  tool: { name: 'plumbline'; version: string }
  /** Exit status. */
  status: 0 | 2 | 3
  /**
   * By the key of the service in the target; `answers` is false where nothing answers, or something
   * else than the service does.
   */
  target: Record<string, { baseUrl: string; embedded?: boolean; answers: boolean }>
  /** How many GETs were made, repeats included. */
  requests: number
  findings: Finding[]
  clocks: Partial<Record<ServiceName, ClockDifference>>
  /** Of the services that answer, as if all problems were mended. */
  requirements: RequirementOutlook[]
  nextSteps: Step[]
  /**
   * Services without a base URL, with the variable that holds it, and how many of their requirements a
   * run would judge with all variables set, at best.
   */
  unprobed: { service: ServiceName; variable: string; judged: number; requirements: number }[]
}

/** Whether a finding is in the way of a run. */
export function isProblem({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'configuration' || kind === 'target'
}

/**
 * 3 where something does not answer or refuses its credentials, 2 where the configuration is wrong or
 * nothing would be judged, else 0: then a run makes sense.
 */
export function doctorStatus(
  findings: readonly Pick<Finding, 'kind'>[],
  requirements: readonly Pick<RequirementOutlook, 'outlook'>[],
): DoctorReport['status'] {
  if (findings.some(({ kind }) => kind === 'target')) return 3
  const isJudged = requirements.some(({ outlook }) => outlook === 'judged')
  return findings.some(isProblem) || !isJudged ? 2 : 0
}
