import { type Endpoints, jsonObject, type ResponseParts } from '../http.ts'
import type { Call } from './rules.ts'

async function addUpdate(call: Call): Promise<ResponseParts> {
  const { rules } = call
  const timeline = rules.timelineOf(call.parameters.incidentId ?? '', call)
  if (timeline === undefined) throw rules.missingIncident(call)
  const update = rules.updateIn(await jsonObject(call), call)
  if (!update) throw rules.malformedBody('status and message must be strings', call)
  const error = rules.updateError(update, call)
  if (error) throw error
  timeline.push(update)
  return rules.updatedParts(update, call)
}

export const endpoints: Endpoints<'add-update', Call> = {
  'add-update': ['POST /v1/incidents/:incidentId/updates', addUpdate],
}
