import { type ResponseParts, refuse } from '../http.ts'
import { jsonObject, type KeyedCall, keyedRoutes } from '../keyed-service.ts'
import type { ReferenceService } from '../service.ts'
import { type Deployment, environmentOf, newDeployment, type RequestContext } from './deployment.ts'
import { faults } from './faults.ts'
import { documentedRules, type Rules } from './rules.ts'
import { variants } from './variants.ts'

async function addUpdate(call: KeyedCall<RequestContext, Rules>): Promise<ResponseParts> {
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
