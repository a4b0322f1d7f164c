import { answerVariants } from './variants/answers.ts'
import { authenticationVariants } from './variants/authentication.ts'
import { configurationVariants } from './variants/configuration.ts'
import { environmentVariants } from './variants/environment.ts'
import { linkVariants } from './variants/links.ts'
import { listVariants } from './variants/lists.ts'

/** Every conforming code hosting service that the reference can be started with. */
export const codeHostingVariants = [
  ...configurationVariants,
  ...environmentVariants,
  ...authenticationVariants,
  ...linkVariants,
  ...listVariants,
  ...answerVariants,
]
