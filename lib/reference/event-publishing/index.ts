import { isDeepStrictEqual } from 'node:util'
import { jsonObject, type ResponseParts } from '../http.ts'
import { keyedAnswer, newDeployment } from '../keyed-service.ts'
import type { ReferenceService } from '../service.ts'
import { faults } from './faults.ts'
import {
  addEvent,
  type Call,
  documentedRules,
  type PublishedEvent,
  type RequestContext,
  type Rules,
} from './rules.ts'
import { variants } from './variants.ts'

type NewEvent = Pick<PublishedEvent, 'type' | 'payload'>

async function requestedEvent(call: Call): Promise<NewEvent> {
  const { type, payload } = await jsonObject(call)
  const refusal = call.rules.typeRefused(type, call) ?? call.rules.payloadRefused(payload, call)
  if (refusal) throw refusal
  return { type: String(type), payload: Object(payload) }
}

function repeatedEvent(
  call: Call,
  { type, payload }: NewEvent,
  idempotencyKey: string | undefined,
): PublishedEvent | undefined {
  if (idempotencyKey === undefined) return undefined
  const events = [...call.deployment.events.values()]
  const earlier = events.find((event) => event.idempotencyKey === idempotencyKey)
  if (earlier === undefined) return undefined
  const same = earlier.type === type && isDeepStrictEqual(earlier.payload, payload)
  const refusal = call.rules.repetitionRefused(same, call)
  if (refusal) throw refusal
  return earlier
}

async function publish(call: Call): Promise<ResponseParts> {
  const { deployment, rules } = call
  const idempotencyKey = call.headers.get('Idempotency-Key') || undefined
  const refusal = rules.idempotencyKeyRefused(idempotencyKey, call)
  if (refusal) throw refusal
  const requested = await requestedEvent(call)
  const id = () => rules.newEventId(deployment.events.size + 1, call)
  const event =
    repeatedEvent(call, requested, idempotencyKey) ??
    addEvent(deployment, { ...requested, id: id(), idempotencyKey })
  return rules.publishedParts(event, call)
}

function namedEvent(call: Call): PublishedEvent {
  const event = call.rules.eventWithId(call.parameters.eventId ?? '', call)
  if (event === undefined) throw call.rules.missingEvent(call)
  return event
}

async function replay(call: Call): Promise<ResponseParts> {
  const event = namedEvent(call)
  const refusal = call.rules.replayRefused(await call.text(), call)
  if (refusal) throw refusal
  event.attempts += 1
  return call.rules.replayedParts(event, call)
}

export const eventPublishing: ReferenceService<'event-publishing', Rules, RequestContext> = {
  name: 'event-publishing',
  rules: documentedRules,
  endpoints: {
    publish: ['POST /v1/events', publish],
    replay: ['POST /v1/events/:eventId/replay', replay],
    status: ['GET /v1/events/:eventId', (call) => call.rules.statusParts(namedEvent(call), call)],
  },
  answer: keyedAnswer,
  deploy: (place) => ({ ...newDeployment(place), events: new Map() }),
  // Type and replay body are configured although any would do: only then does a refusal count.
  environment: ({ baseUrl, key }) => ({
    EVENT_PUBLISHING_BASE_URL: baseUrl,
    EVENT_PUBLISHING_API_KEY: key,
    EVENT_PUBLISHING_EVENT_TYPE: 'reference.probed',
    EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ origin: 'conformance run' }),
    EVENT_PUBLISHING_REPLAY_BODY: '{}',
  }),
  faults,
  variants,
}
