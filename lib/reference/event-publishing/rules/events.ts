import type { Refusal } from '../../http/refusal.ts'
import { jsonParts, type ResponseParts } from '../../http/response-parts.ts'
import type { RequestContext } from '../request-context.ts'
import type { PublishedEvent } from '../store.ts'

/** Document: Event identifier and delivery status; Endpoints, replay and status. */
export interface EventRules {
  eventWithId(id: string, context: RequestContext): PublishedEvent | undefined
  missingEvent(context: RequestContext): Refusal
  /** Why a replay is refused, given the content of the request; `undefined` when it is not. */
  replayRefused(content: string, context: RequestContext): Refusal | undefined
  /** The answer to a replay that was accepted. */
  replayedParts(event: PublishedEvent, context: RequestContext): ResponseParts
  /** The delivery status of an event. */
  statusParts(event: PublishedEvent, context: RequestContext): ResponseParts
}

export const eventRules: EventRules = {
  eventWithId: (id, context) => context.deployment.store.event(id),
  missingEvent: () => ({ status: 404, message: 'there is no such event' }),
  replayRefused: () => undefined,
  replayedParts: ({ id }) => jsonParts(202, { id, status: 'replaying' }, 'application/json'),
  statusParts: ({ id, type, attempts }) =>
    jsonParts(200, { id, type, status: 'delivered', attempts }, 'application/json'),
}
