import type { CodeHostingVariation } from './code-hosting/variant.ts'
import type { EventPublishingVariation } from './event-publishing/variant.ts'
import type { Intermediary } from './http/route.ts'
import type { IncidentStatusVariation } from './incident-status/variant.ts'
import type { VariantTraits } from './service-variation.ts'

/** Makes what stands before all services; it is called once per start, for state of its own. */
export type MakeIntermediary = () => Intermediary

/** A deployment that conforms and yet differs from the plain one. */
export interface Variant extends VariantTraits {
  readonly codeHosting?: CodeHostingVariation
  readonly eventPublishing?: EventPublishingVariation
  readonly incidentStatus?: IncidentStatusVariation
  readonly intermediary?: MakeIntermediary
}
