import { isDeepStrictEqual } from 'node:util'
import { type Endpoints, jsonObject, type ResponseParts } from '../http.ts'
import { addEvent, type Call, type Endpoint, type PublishedEvent } from './rules.ts'

type NewEvent = Pick<PublishedEvent, 'type' | 'payload'>

async function requestedEvent(call: Call): Promise<NewEvent> {
  const { type, payload } = await jsonObject(call)
  const error = call.rules.typeError(type, call) ?? call.rules.payloadError(payload, call)
  if (error) throw error
  return { type: String(type), payload: Object(payload) }
}

function repeatedEvent(
  call: Call,
  { type, payload }: NewEvent,
  idempotencyKey: string | undefined,
): PublishedEvent | undefined {
  if (idempotencyKey === undefined) return undefined
  const events = [...call.server.events.values()]
  const earlier = events.find((event) => event.idempotencyKey === idempotencyKey)
  if (earlier === undefined) return undefined
  const same = earlier.type === type && isDeepStrictEqual(earlier.payload, payload)
  const error = call.rules.repetitionError(same, call)
  if (error) throw error
  return earlier
}

async function publish(call: Call): Promise<ResponseParts> {
  const { server, rules } = call
  const idempotencyKey = call.headers.get('Idempotency-Key') || undefined
  const error = rules.idempotencyKeyError(idempotencyKey, call)
  if (error) throw error
  const requested = await requestedEvent(call)
  const id = () => rules.newEventId(server.events.size + 1, call)
  const event =
    repeatedEvent(call, requested, idempotencyKey) ??
    addEvent(server, { ...requested, id: id(), idempotencyKey })
  return rules.publishedParts(event, call)
}

function namedEvent(call: Call): PublishedEvent {
  const event = call.rules.eventWithId(call.parameters.eventId ?? '', call)
  if (event === undefined) throw call.rules.missingEvent(call)
  return event
}

async function replay(call: Call): Promise<ResponseParts> {
  const event = namedEvent(call)
  const error = call.rules.replayError(await call.text(), call)
  if (error) throw error
  event.attempts += 1
  return call.rules.replayedParts(event, call)
}

export const endpoints: Endpoints<Endpoint, Call> = {
  publish: ['POST /v1/events', publish],
  replay: ['POST /v1/events/:eventId/replay', replay],
  status: ['GET /v1/events/:eventId', (call) => call.rules.statusParts(namedEvent(call), call)],
}
