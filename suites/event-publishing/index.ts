import { defineService } from '../service.ts'
import { suite } from './suite.ts'
import { eventPublishingVariables } from './variables.ts'

export const service = defineService({
  about: 'publishing an event, its status, replaying it',
  suite,
  variables: eventPublishingVariables,
  firstPath: '/v1/events/plumbline',
  doctor: async () => (await import('./doctor.ts')).eventPublishingDoctor,
})
