import { bind } from '../../lib/conformance/bind.ts'
import { eventPublishing } from './requirements.ts'
import {
  createEventPublishingContext,
  eventPublishingPreflight,
  isEventPublishingProbed,
} from './support/context.ts'

export { expect } from '../../lib/conformance/matchers.ts'

/** The words of the suites, bound to the catalogue of the event publishing service. */
export const { verify, observe } = bind(eventPublishing, {
  probed: isEventPublishingProbed,
  context: createEventPublishingContext,
  preflight: eventPublishingPreflight,
})
