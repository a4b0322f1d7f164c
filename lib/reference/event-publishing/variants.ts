import type { Variant } from './variant.ts'
import { answerVariants } from './variants/answers.ts'
import { eventIdVariants } from './variants/event-ids.ts'
import { refusalVariants } from './variants/refusals.ts'
import { requestVariants } from './variants/requests.ts'

/** Every conforming event publishing service that the reference can be started with. */
export const eventPublishingVariants: readonly Variant[] = [
  ...answerVariants,
  ...eventIdVariants,
  ...refusalVariants,
  ...requestVariants,
]
