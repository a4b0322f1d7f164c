import type { Variant } from './code-hosting/variant.ts'
import { answerVariants } from './code-hosting/variants/answers.ts'
import { configurationVariants } from './code-hosting/variants/configuration.ts'
import { gatewayVariants } from './code-hosting/variants/gateways.ts'
import { paginationVariants } from './code-hosting/variants/pagination.ts'
import { entryNamed } from './nearest-name.ts'

/** Every conforming deployment that the reference can be started as. */
export const variants: readonly Variant[] = [
  ...configurationVariants,
  ...paginationVariants,
  ...answerVariants,
  ...gatewayVariants,
]

/** @throws Error when there is none of that name */
export function variantNamed(name: string): Variant {
  return entryNamed('variant', variants, name)
}
