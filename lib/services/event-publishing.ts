import type { Credentials } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { Send } from './send.ts'

export const eventPublishingEndpoints = {
  publish: 'POST /v1/events',
  status: 'GET /v1/events/{eventId}',
  replay: 'POST /v1/events/{eventId}/replay',
} as const

/** The header that carries the API key on every endpoint. */
export const EVENTS_KEY_HEADER = 'X-Events-Key'

export interface PublishOptions {
  credentials: Credentials
  /** Sent as `Idempotency-Key`. */
  idempotencyKey?: string
}

/** The documented endpoints of the event publishing service. */
export interface EventPublishingClient {
  /** @param event the body, which may lack what the document asks for */
  publish(event: Record<string, unknown>, options: PublishOptions): Promise<Exchange>
  /** @param fresh send it although the same GET was sent before */
  status(eventId: string, options: { credentials: Credentials; fresh?: boolean }): Promise<Exchange>
  /** @param body JSON text; `undefined` for a request without a body */
  replay(eventId: string, options: { credentials: Credentials; body?: string }): Promise<Exchange>
}

/** @param baseUrl without a trailing slash; may have a path */
export function createEventPublishingClient(baseUrl: string, send: Send): EventPublishingClient {
  const jsonBody = { 'Content-Type': 'application/json' }
  const accept = { Accept: 'application/json' }
  const event = (eventId: string) => `${baseUrl}/v1/events/${encodeURIComponent(eventId)}`
  return {
    publish: (body, { credentials, idempotencyKey }) =>
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
        body: JSON.stringify(body),
      }),

    status: (eventId, options) =>
      send({
        endpoint: eventPublishingEndpoints.status,
        method: 'GET',
        url: new URL(event(eventId)),
        headers: accept,
        ...options,
      }),

    replay: (eventId, { credentials, body }) =>
      send({
        endpoint: eventPublishingEndpoints.replay,
        method: 'POST',
        url: new URL(`${event(eventId)}/replay`),
        credentials,
        headers: body === undefined ? accept : { ...accept, ...jsonBody },
        body,
      }),
  }
}
