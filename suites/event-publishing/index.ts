import { defineService } from '../service.ts'
import { eventTable } from './keyed-table.ts'
import { eventPublishing } from './requirements.ts'
import { eventPublishingVariables } from './variables.ts'

export const service = defineService({
  about: 'publishing an event, its status, replaying it',
  catalogue: eventPublishing,
  variables: eventPublishingVariables,
  firstPath: '/v1/events/plumbline',
  cases: async () =>
    (await import('../../lib/conformance/keyed-table.ts')).plannedKeyedCases(eventTable),
  doctor: async () => (await import('./doctor.ts')).eventPublishingDoctor,
})
