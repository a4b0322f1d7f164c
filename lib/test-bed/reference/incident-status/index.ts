import { createKeyedServer, respondWithKey } from '../keyed-service.ts'
import type { ReferenceService } from '../rule-tables.ts'
import { endpoints } from './endpoints.ts'
import { faults } from './faults.ts'
import { documentedRules, type RequestContext, type Rules } from './rules.ts'
import { variants } from './variants.ts'

const testIncidentId = 'INC-2031'

export const incidentStatus: ReferenceService<'incident-status', Rules, RequestContext> = {
  name: 'incident-status',
  rules: documentedRules,
  endpoints,
  respond: respondWithKey,
  deploy: (address) => ({
    ...createKeyedServer(address),
    timelines: new Map([[testIncidentId, []]]),
  }),
  environment: ({ baseUrl, key }) => ({
    INCIDENT_STATUS_BASE_URL: baseUrl,
    INCIDENT_STATUS_API_KEY: key,
    INCIDENT_STATUS_INCIDENT_ID: testIncidentId,
    INCIDENT_STATUS_UPDATE_BODY: JSON.stringify({
      status: 'monitoring',
      message: 'Added by a conformance run',
    }),
  }),
  faults,
  variants,
}
