import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../http/refusal.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import { jsonObject, type KeyedCall } from '../keyed-service/call.ts'
import type { KeyedEndpoint } from '../keyed-service/routes.ts'
import type { Endpoint, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'
import type { PublishedEvent } from './store.ts'

type Call = KeyedCall<RequestContext, Rules>

type NewEvent = Pick<PublishedEvent, 'type' | 'payload'>

async function requestedEvent(call: Call): Promise<NewEvent> {
  const { context, rules } = call
  const { type, payload } = await jsonObject(call)
  const refusal = rules.typeRefused(type, context) ?? rules.payloadRefused(payload, context)
  if (refusal !== undefined) refuse(refusal)
  return { type: String(type), payload: Object(payload) }
}

function repeatedEvent(
  { context, rules }: Call,
  { type, payload }: NewEvent,
  idempotencyKey: string | undefined,
): PublishedEvent | undefined {
  if (idempotencyKey === undefined) return undefined
  const earlier = context.deployment.store.eventPublishedWith(idempotencyKey)
  if (earlier === undefined) return undefined
  const same = earlier.type === type && isDeepStrictEqual(earlier.payload, payload)
  const refusal = rules.repetitionRefused(same, context)
  return refusal === undefined ? earlier : refuse(refusal)
}

async function publish(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const { store } = context.deployment
  const idempotencyKey = context.headers.get('Idempotency-Key') || undefined
  const refusal = rules.idempotencyKeyRefused(idempotencyKey, context)
  if (refusal !== undefined) refuse(refusal)
  const requested = await requestedEvent(call)
  const event =
    repeatedEvent(call, requested, idempotencyKey) ??
    store.add({ ...requested, id: rules.newEventId(store.size + 1, context), idempotencyKey })
  return rules.publishedParts(event, context)
}

function namedEvent({ context, rules }: Call): PublishedEvent {
  const event = rules.eventWithId(context.parameters.eventId ?? '', context)
  return event ?? refuse(rules.missingEvent(context))
}

async function replay(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const event = namedEvent(call)
  const refusal = rules.replayRefused(await call.text(), context)
  if (refusal !== undefined) refuse(refusal)
  event.attempts += 1
  return rules.replayedParts(event, context)
}

function readStatus(call: Call): ResponseParts {
  return call.rules.statusParts(namedEvent(call), call.context)
}

/** The endpoints of the event publishing service. */
export const eventPublishingEndpoints: readonly KeyedEndpoint<Endpoint, RequestContext, Rules>[] = [
  { endpoint: 'publish', method: 'POST', path: '/v1/events', handle: publish },
  { endpoint: 'replay', method: 'POST', path: '/v1/events/:eventId/replay', handle: replay },
  { endpoint: 'status', method: 'GET', path: '/v1/events/:eventId', handle: readStatus },
]
