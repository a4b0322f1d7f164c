import type { Variant } from './variant.ts'
import { answerVariants } from './variants/answers.ts'
import { configurationVariants } from './variants/configuration.ts'
import { gatewayVariants } from './variants/gateways.ts'
import { paginationVariants } from './variants/pagination.ts'

/** Every conforming code hosting service that the reference can be started with. */
export const codeHostingVariants: readonly Variant[] = [
  ...configurationVariants,
  ...paginationVariants,
  ...answerVariants,
  ...gatewayVariants,
]
