import type { Variant } from './variant.ts'
import { authenticationVariants } from './variants/authentication.ts'
import { configurationVariants } from './variants/configuration.ts'
import { documentationVariants } from './variants/documentation.ts'
import { errorVariants } from './variants/errors.ts'
import { gatewayVariants } from './variants/gateways.ts'
import { linkVariants } from './variants/links.ts'
import { longListVariants } from './variants/long-lists.ts'
import { mistoldVariants } from './variants/mistold.ts'
import { movingListVariants } from './variants/moving-lists.ts'
import { paginationVariants } from './variants/pagination.ts'
import { recordVariants } from './variants/records.ts'
import { scopeVariants } from './variants/scopes.ts'
import { tokenVariants } from './variants/tokens.ts'
import { untoldVariants } from './variants/untold.ts'

/** Every conforming code hosting service that the reference can be started with. */
export const codeHostingVariants: readonly Variant[] = [
  ...configurationVariants,
  ...untoldVariants,
  ...mistoldVariants,
  ...documentationVariants,
  ...authenticationVariants,
  ...tokenVariants,
  ...scopeVariants,
  ...recordVariants,
  ...linkVariants,
  ...paginationVariants,
  ...movingListVariants,
  ...longListVariants,
  ...errorVariants,
  ...gatewayVariants,
]
