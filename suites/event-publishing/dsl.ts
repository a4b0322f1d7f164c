import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import { currentRun } from '../../lib/conformance/run.ts'
import { eventPublishingAddress } from './client.ts'
import { eventPublishing } from './requirements.ts'
import { createEventPublishingContext } from './support/events.ts'

export { expect } from '../../lib/conformance/matchers.ts'

export const { verify, observe } = defineChecks(eventPublishing, {
  probed: () => currentRun().settings.target.eventPublishing !== undefined,
  context: createEventPublishingContext,
  preflight({ target, publishing, keyed }) {
    const { withoutKey, control } = keyed.publish
    const request = target.apiKey === undefined ? withoutKey : publishing.unknownEvent
    return requireService({ ...eventPublishingAddress, baseUrl: target.baseUrl }, request, control)
  },
})
