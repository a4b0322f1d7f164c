import type { CodeHostingVariation } from './code-hosting/variant.ts'
import type { EventPublishingVariation } from './event-publishing/variant.ts'
import type { Intermediary } from './http/route.ts'
import type { IncidentStatusVariation } from './incident-status/variant.ts'

/** Makes what stands before all services; it is called once per start, for state of its own. */
export type MakeIntermediary = () => Intermediary

/** Variables for a run, by name. */
export type Environment = Record<string, string>

/** How a conforming service differs from the plain one. */
export interface ServiceVariation<Rules, Deployment> {
  readonly change?: (rules: Rules) => Rules
  /** What the operator tells of the service, made of all that there is to tell. */
  readonly environment?: (environment: Environment, deployment: Deployment) => Environment
}

export interface VariantTraits {
  /** In kebab case: what is different. */
  readonly name: string
  /**
   * `inconclusive` where no verdict on every row is to be had: the operator tells too little, the
   * data never settle, or a gateway keeps answers back.
   */
  readonly verdict?: 'conformant' | 'inconclusive'
  readonly basePath?: string
  /** What of the catalogue's tolerances it makes use of: ids of requirements, a slash, and names. */
  readonly tolerances?: readonly string[]
  /** Ids of the requirements with those tolerances that have no verdict there. */
  readonly unjudged?: readonly string[]
  /** What becomes there of further requirements, by id: whether there is something to judge. */
  readonly becoming?: Readonly<Record<string, 'pass' | 'skipped' | 'inconclusive'>>
}

/** A deployment that conforms and yet differs from the plain one. */
export interface Variant extends VariantTraits {
  readonly codeHosting?: CodeHostingVariation
  readonly eventPublishing?: EventPublishingVariation
  readonly incidentStatus?: IncidentStatusVariation
  readonly intermediary?: MakeIntermediary
}
