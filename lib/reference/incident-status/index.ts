import { type Call, jsonObject, refuse } from '../endpoints.ts'
import type { ResponseParts } from '../http.ts'
import { keyedRoutes } from '../keyed-service.ts'
import type { ReferenceService } from '../service.ts'
import { faults } from './faults.ts'
import {
  type Deployment,
  documentedRules,
  environmentOf,
  newDeployment,
  type RequestContext,
  type Rules,
} from './rules.ts'
import { variants } from './variants.ts'

async function addUpdate(call: Call<RequestContext, Rules>): Promise<ResponseParts> {
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

const path = '/v1/incidents/:incidentId/updates'

export const incidentStatus: ReferenceService<'incident-status', Rules, Deployment> = {
  name: 'incident-status',
  rules: documentedRules,
  deploy: newDeployment,
  routes: (deployment, rules) =>
    keyedRoutes(
      [{ endpoint: 'add-update', method: 'POST', path, handle: addUpdate }],
      deployment,
      rules,
    ),
  environment: environmentOf,
  faults,
  variants,
}
