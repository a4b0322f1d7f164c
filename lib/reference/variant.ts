import type { CodeHostingVariation } from './code-hosting/variant.ts'
import type { EventPublishingVariation } from './event-publishing/variant.ts'
import type { IncidentStatusVariation } from './incident-status/variant.ts'

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
  /** `inconclusive` where the operator tells too little for every row to reach a verdict. */
  readonly verdict?: 'conformant' | 'inconclusive'
  readonly basePath?: string
}

/** A deployment that conforms and yet differs from the plain one. */
export interface Variant extends VariantTraits {
  readonly codeHosting?: CodeHostingVariation
  readonly eventPublishing?: EventPublishingVariation
  readonly incidentStatus?: IncidentStatusVariation
}
