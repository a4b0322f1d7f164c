import type { ServiceVariation, VariantTraits } from '../service-variation.ts'
import type { Deployment } from './deployment.ts'
import type { Population } from './population.ts'
import type { Rules } from './rules.ts'
import type { Settings } from './settings.ts'

export type { Environment } from '../service-variation.ts'

/** How a conforming code hosting service differs from the plain one. */
export interface CodeHostingVariation extends ServiceVariation<Rules, Deployment> {
  readonly settings?: Partial<Settings>
  readonly population?: Partial<Population>
}

export type Variant = VariantTraits & CodeHostingVariation
