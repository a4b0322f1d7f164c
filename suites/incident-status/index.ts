import { defineService } from '../service.ts'
import { incidentTable } from './keyed-table.ts'
import { incidentStatus } from './requirements.ts'
import { incidentStatusVariables } from './variables.ts'

export const service = defineService({
  about: "updates of an incident's timeline",
  catalogue: incidentStatus,
  variables: incidentStatusVariables,
  firstPath: '/v1/incidents/plumbline/updates',
  cases: async () =>
    (await import('../../lib/conformance/keyed-table.ts')).plannedKeyedCases(incidentTable),
  doctor: async () => (await import('./doctor.ts')).incidentStatusDoctor,
})
