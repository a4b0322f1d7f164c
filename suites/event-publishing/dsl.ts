import { defineChecks } from '../../lib/conformance/define-checks.ts'
import { plannedKeyedCases } from '../../lib/conformance/keyed-table.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import { eventPublishingAddress } from './client.ts'
import { eventTable } from './keyed-table.ts'
import { eventPublishing } from './requirements.ts'
import { createEventPublishingContext } from './support/events.ts'

export { expect } from '../../lib/conformance/matchers.ts'

export const { verify, observe } = defineChecks(eventPublishing, {
  isProbed: ({ eventPublishing }) => eventPublishing !== undefined,
  context: createEventPublishingContext,
  planned: () => plannedKeyedCases(eventTable),
  preflight({ target, publishing, keyed }) {
    const withoutKey = () => keyed.exchange('publish', 'no key')
    const request = target.apiKey === undefined ? withoutKey : publishing.unknownEvent
    const address = { ...eventPublishingAddress, baseUrl: target.baseUrl }
    return requireService(address, request, publishing.accepted)
  },
})
