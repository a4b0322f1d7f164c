import { isDeepStrictEqual } from 'node:util'
import { type Call as CallOf, type EndpointDefinition, jsonObject, refuse } from '../endpoints.ts'
import type { ResponseParts } from '../http.ts'
import { keyedRoutes } from '../keyed-service.ts'
import type { ReferenceService } from '../service.ts'
import { faults } from './faults.ts'
import {
  addEvent,
  type Deployment,
  documentedRules,
  type Endpoint,
  environmentOf,
  newDeployment,
  type PublishedEvent,
  type RequestContext,
  type Rules,
} from './rules.ts'
import { variants } from './variants.ts'

type Call = CallOf<RequestContext, Rules>

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
  const events = [...context.deployment.events.values()]
  const earlier = events.find((event) => event.idempotencyKey === idempotencyKey)
  if (earlier === undefined) return undefined
  const same = earlier.type === type && isDeepStrictEqual(earlier.payload, payload)
  const refusal = rules.repetitionRefused(same, context)
  return refusal === undefined ? earlier : refuse(refusal)
}

async function publish(call: Call): Promise<ResponseParts> {
  const { context, rules } = call
  const { deployment } = context
  const idempotencyKey = context.headers.get('Idempotency-Key') || undefined
  const refusal = rules.idempotencyKeyRefused(idempotencyKey, context)
  if (refusal !== undefined) refuse(refusal)
  const requested = await requestedEvent(call)
  const id = () => rules.newEventId(deployment.events.size + 1, context)
  const event =
    repeatedEvent(call, requested, idempotencyKey) ??
    addEvent(deployment, { ...requested, id: id(), idempotencyKey })
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

const endpoints: readonly EndpointDefinition<Endpoint, RequestContext, Rules>[] = [
  { endpoint: 'publish', method: 'POST', path: '/v1/events', handle: publish },
  { endpoint: 'replay', method: 'POST', path: '/v1/events/:eventId/replay', handle: replay },
  { endpoint: 'status', method: 'GET', path: '/v1/events/:eventId', handle: readStatus },
]

export const eventPublishing: ReferenceService<'event-publishing', Rules, Deployment> = {
  name: 'event-publishing',
  rules: documentedRules,
  deploy: newDeployment,
  routes: (deployment, rules) => keyedRoutes(endpoints, deployment, rules),
  environment: environmentOf,
  faults,
  variants,
}
