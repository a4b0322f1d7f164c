import { defineService } from '../service.ts'
import { eventPublishing } from './requirements.ts'
import { eventPublishingVariables } from './variables.ts'

export const service = defineService({
  catalogue: eventPublishing,
  variables: eventPublishingVariables,
  firstPath: '/v1/events/plumbline',
  doctor: async () => (await import('./doctor.ts')).eventPublishingDoctor,
})
