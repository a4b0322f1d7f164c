import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Answer, IncomingRequest, Intermediary, Route } from './route.ts'
import { send } from './send.ts'

type Bindings = { Bindings: HttpBindings }

export interface ApplicationOptions {
  readonly routes: readonly Route[]
  /** Answers every request that no route is for. */
  readonly missing: Answer
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
  /** How long each response is held back. */
  readonly latencyMs: number
  /** By default nothing stands between. */
  readonly intermediary?: Intermediary
}

const passOn: Intermediary = (request, answer) => answer(request)

/** Routes as a Hono application for Node. */
export function httpApplication(options: ApplicationOptions): Hono<Bindings> {
  const { routes, missing, basePath, latencyMs, intermediary = passOn } = options
  const handler =
    (answer: Answer) =>
    async (honoContext: Context<Bindings>): Promise<Response> => {
      const { req: request, env } = honoContext
      const incoming: IncomingRequest = {
        method: request.method,
        url: new URL(request.url),
        headers: request.raw.headers,
        parameters: request.param(),
        text: () => request.text(),
      }
      const parts = await intermediary(incoming, answer)
      if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false })
      send(parts, env.outgoing)
      return RESPONSE_ALREADY_SENT
    }
  const application = new Hono<Bindings>()
  for (const { method, path, answer } of routes) {
    application.on(method, basePath + path, handler(answer))
  }
  application.notFound(handler(missing))
  return application
}
