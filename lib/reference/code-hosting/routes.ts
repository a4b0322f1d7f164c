import { refuse } from '../http/refusal.ts'
import type { Answer, Route } from '../http/route.ts'
import { answer } from './answer.ts'
import type { EndpointDefinition, Handler } from './call.ts'
import type { Deployment } from './deployment.ts'
import { repositoryEndpoints } from './endpoints/repositories.ts'
import { tokenEndpoints } from './endpoints/tokens.ts'
import { serverEndpoints, userEndpoints } from './endpoints/user-and-server.ts'
import type { Endpoint } from './request-context.ts'
import type { Rules } from './rules.ts'

const endpoints: readonly EndpointDefinition[] = [
  ...userEndpoints,
  ...tokenEndpoints,
  ...repositoryEndpoints,
  ...serverEndpoints,
]

function answering(
  deployment: Deployment,
  rules: Rules,
  endpoint: Endpoint,
  handle: Handler,
): Answer {
  return ({ text, ...request }) =>
    answer({ context: { ...request, deployment, endpoint }, rules, text }, handle)
}

/** The endpoints of the code hosting service. */
export function codeHostingRoutes(deployment: Deployment, rules: Rules): readonly Route[] {
  return endpoints.map(({ endpoint, method, path, handle }) => ({
    method,
    path,
    answer: answering(deployment, rules, endpoint, handle),
  }))
}

/** What the code hosting service says to a path or method that is no endpoint. */
export function codeHostingMissing(deployment: Deployment, rules: Rules): Answer {
  return answering(deployment, rules, 'unknown', ({ context }) =>
    refuse(rules.missingEndpoint(context)),
  )
}
