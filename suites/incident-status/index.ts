import { defineService } from '../service.ts'
import { incidentStatus } from './requirements.ts'
import { incidentStatusVariables } from './variables.ts'

export const service = defineService({
  catalogue: incidentStatus,
  variables: incidentStatusVariables,
  firstPath: '/v1/incidents/plumbline/updates',
  doctor: async () => (await import('./doctor.ts')).incidentStatusDoctor,
})
