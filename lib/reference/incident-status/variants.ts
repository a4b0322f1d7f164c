import type { Variant } from './variant.ts'
import { refusalVariants } from './variants/refusals.ts'
import { updateVariants } from './variants/updates.ts'

/** Every conforming incident status service that the reference can be started with. */
export const incidentStatusVariants: readonly Variant[] = [...updateVariants, ...refusalVariants]
