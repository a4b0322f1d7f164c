import type { Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange, Send } from '../../lib/probe/exchange.ts'

const eventPublishingEndpoints = {
  publish: 'POST /v1/events',
  status: 'GET /v1/events/{eventId}',
  replay: 'POST /v1/events/{eventId}/replay',
} as const

/** The header that carries the API key on every endpoint. */
export const EVENTS_KEY_HEADER = 'X-Events-Key'

/** The body of a publish request, which may lack what the document asks for. */
export interface PublishedEvent {
  type?: string
  /** JSON text, which is sent as it is. */
  payload?: string
}

export interface PublishOptions {
  credentials: Credentials
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string
}

/** The documented endpoints of the event publishing service. */
export interface EventPublishingClient {
  publish(event: PublishedEvent, options: PublishOptions): Promise<Exchange>
  /** @param fresh send it although the same GET was sent before */
  status(eventId: string, options: { credentials: Credentials; fresh?: boolean }): Promise<Exchange>
  /** @param body JSON text; `undefined` for a request without a body */
  replay(eventId: string, options: { credentials: Credentials; body?: string }): Promise<Exchange>
}

// A parsed payload would be written anew: large numbers change then, and deep nesting is too much.
function textOf({ type, payload }: PublishedEvent): string {
  const members = [
    ...(type === undefined ? [] : [`"type":${JSON.stringify(type)}`]),
    ...(payload === undefined ? [] : [`"payload":${payload}`]),
  ]
  return `{${members.join(',')}}`
}

/** @param baseUrl without a trailing slash; may have a path */
export function createEventPublishingClient(baseUrl: string, send: Send): EventPublishingClient {
  const jsonBody = { 'Content-Type': 'application/json' }
  const accept = { Accept: 'application/json' }
  const eventUrl = (eventId: string) => `${baseUrl}/v1/events/${encodeURIComponent(eventId)}`
  return {
    publish: (event, { credentials, idempotencyKey }) =>
      send({
        endpoint: eventPublishingEndpoints.publish,
        method: 'POST',
        url: new URL(`${baseUrl}/v1/events`),
        credentials,
        headers: {
          ...accept,
          ...jsonBody,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        body: textOf(event),
      }),

    status: (eventId, options) =>
      send({
        endpoint: eventPublishingEndpoints.status,
        method: 'GET',
        url: new URL(eventUrl(eventId)),
        headers: accept,
        ...options,
      }),

    replay: (eventId, { credentials, body }) =>
      send({
        endpoint: eventPublishingEndpoints.replay,
        method: 'POST',
        url: new URL(`${eventUrl(eventId)}/replay`),
        credentials,
        headers: body === undefined ? accept : { ...accept, ...jsonBody },
        body,
      }),
  }
}
