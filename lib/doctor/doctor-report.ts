import type { ServiceName } from '../conformance/requirement.ts'
import type { ClockDifference } from './clock.ts'
import { type Finding, isProblem } from './finding.ts'

/**
 * `judged`: a run would reach a verdict. `skipped`: it would, were something added. `left out`: it
 * cannot be tested, or the server or its settings do not show it.
 */
export type Outlook = 'judged' | 'skipped' | 'left out'

/** What a run would do about one requirement. */
export interface RequirementOutlook {
  requirement: string
  outlook: Outlook
  /** Why it would not be judged; for one that would, what would be left out of it. */
  reason?: string
  /** For `skipped`: the variables to set. */
  variables: string[]
  /** Where the documents leave open what decides it: how it may come out otherwise. */
  dependsOn?: string
}

/** Something to add, and what it brings once all steps before it are done. */
export interface Step {
  /** What to do, a sentence each. */
  texts: string[]
  variables: string[]
  /** Ids of the requirements that a run would judge from then on. */
  adds: string[]
  /** Ids of those that it would judge more completely. */
  completes: string[]
}

/** A service without a base URL. */
export interface UnprobedService {
  service: ServiceName
  /** That holds it. */
  variable: string
  /** How many requirements a run would judge with all variables of the service set, at best. */
  judged: number
  /** How many it has. */
  requirements: number
}

/** A service that was looked at. */
export interface ExaminedService {
  baseUrl: string
  /** Whether it is the deployment that comes with Plumbline. */
  embedded?: boolean
  /** False where nothing answers, or something else than the service does. */
  answers: boolean
}

/** All that `plumbline doctor` says; with `--format json` it is printed as `doctor.schema.json` says. */
export interface DoctorReport {
  schema: 1
  tool: { name: 'plumbline'; version: string }
  /** Exit status. */
  status: 0 | 2 | 3
  /** By service, in camel case: `codeHosting`, `eventPublishing`, `incidentStatus`. */
  target: Record<string, ExaminedService>
  /** How many GETs were made, repeats included. */
  requests: number
  findings: Finding[]
  /** By service: by how many seconds the clock of the server is ahead, between two bounds. */
  clocks: Partial<Record<ServiceName, ClockDifference>>
  /** Of the services that answer, as if all problems were mended. */
  requirements: RequirementOutlook[]
  nextSteps: Step[]
  unprobed: UnprobedService[]
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
