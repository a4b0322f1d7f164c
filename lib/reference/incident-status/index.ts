import { jsonObject, type ResponseParts } from '../http.ts'
import { keyedAnswer, newDeployment } from '../keyed-service.ts'
import type { ReferenceService } from '../service.ts'
import { faults } from './faults.ts'
import { type Call, documentedRules, type RequestContext, type Rules } from './rules.ts'
import { variants } from './variants.ts'

const testIncidentId = 'INC-2031'

async function addUpdate(call: Call): Promise<ResponseParts> {
  const { rules } = call
  const timeline = rules.timelineOf(call.parameters.incidentId ?? '', call)
  if (timeline === undefined) throw rules.missingIncident(call)
  const update = rules.updateIn(await jsonObject(call), call)
  if (!update) throw rules.malformedBody('status and message must be strings', call)
  const refusal = rules.updateRefused(update, call)
  if (refusal) throw refusal
  timeline.push(update)
  return rules.updatedParts(update, call)
}

export const incidentStatus: ReferenceService<'incident-status', Rules, RequestContext> = {
  name: 'incident-status',
  rules: documentedRules,
  endpoints: { 'add-update': ['POST /v1/incidents/:incidentId/updates', addUpdate] },
  answer: keyedAnswer,
  deploy: (place) => ({ ...newDeployment(place), timelines: new Map([[testIncidentId, []]]) }),
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
