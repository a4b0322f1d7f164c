import { refuse } from '../http/refusal.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import { jsonObject, type KeyedCall } from '../keyed-service/call.ts'
import type { KeyedEndpoint } from '../keyed-service/routes.ts'
import type { Endpoint, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'

type Call = KeyedCall<RequestContext, Rules>

async function addUpdate(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const timeline = rules.timelineOf(context.parameters.incidentId ?? '', context)
  if (timeline === undefined) return refuse(rules.missingIncident(context))
  const update = rules.updateIn(await jsonObject(call), context)
  if (update === undefined) {
    return refuse(rules.malformedBody('status and message must be strings', context))
  }
  const refusal = rules.updateRefused(update, context)
  if (refusal !== undefined) refuse(refusal)
  timeline.push(update)
  return rules.updatedParts(update, context)
}

/** The endpoints of the incident status service. */
export const incidentStatusEndpoints: readonly KeyedEndpoint<Endpoint, RequestContext, Rules>[] = [
  {
    endpoint: 'add-update',
    method: 'POST',
    path: '/v1/incidents/:incidentId/updates',
    handle: addUpdate,
  },
]
