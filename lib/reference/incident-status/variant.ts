import type { ServiceVariation, VariantTraits } from '../service-variation.ts'
import type { Deployment } from './deployment.ts'
import type { Rules } from './rules.ts'

export type { Environment } from '../service-variation.ts'

/** How a conforming incident status service differs from the plain one. */
export type IncidentStatusVariation = ServiceVariation<Rules, Deployment>

export type Variant = VariantTraits & IncidentStatusVariation
