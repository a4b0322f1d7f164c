import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { answer } from './answer.ts'
import { type EndpointDefinition, type Handler, refuse } from './call.ts'
import type { Deployment } from './deployment.ts'
import { repositoryEndpoints } from './endpoints/repositories.ts'
import { tokenEndpoints } from './endpoints/tokens.ts'
import { serverEndpoints, userEndpoints } from './endpoints/user-and-server.ts'
import type { Endpoint } from './request-context.ts'
import type { Rules } from './rules.ts'
import { send } from './send.ts'

type Bindings = { Bindings: HttpBindings }

const endpoints: readonly EndpointDefinition[] = [
  ...userEndpoints,
  ...tokenEndpoints,
  ...repositoryEndpoints,
  ...serverEndpoints,
]

const missing: Handler = ({ context, rules }) => refuse(rules.missingEndpoint(context))

/** The code hosting service as a Hono application for Node.
 *
 * @param latencyMs how long each response is held back
 */
export function codeHostingApplication(
  deployment: Deployment,
  rules: Rules,
  latencyMs: number,
): Hono<Bindings> {
  const handler =
    (endpoint: Endpoint, handle: Handler) =>
    async (honoContext: Context<Bindings>): Promise<Response> => {
      const { req: request, env } = honoContext
      const context = {
        deployment,
        endpoint,
        method: request.method,
        url: new URL(request.url),
        headers: request.raw.headers,
        parameters: request.param(),
      }
      const parts = await answer({ context, rules, text: () => request.text() }, handle)
      if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false })
      send(parts, env.outgoing)
      return RESPONSE_ALREADY_SENT
    }
  const application = new Hono<Bindings>()
  for (const { endpoint, method, path, handle } of endpoints) {
    application.on(method, deployment.basePath + path, handler(endpoint, handle))
  }
  application.notFound(handler('unknown', missing))
  return application
}
