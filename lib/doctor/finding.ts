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

/** Whether a finding is in the way of a run. */
export function isProblem({ kind }: Pick<Finding, 'kind'>): boolean {
  return kind === 'configuration' || kind === 'target'
}
