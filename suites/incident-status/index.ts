import { defineService } from '../service.ts'
import { suite } from './suite.ts'
import { incidentStatusVariables } from './variables.ts'

export const service = defineService({
  about: "updates of an incident's timeline",
  suite,
  variables: incidentStatusVariables,
  firstPath: '/v1/incidents/plumbline/updates',
  doctor: async () => (await import('./doctor.ts')).incidentStatusDoctor,
})
