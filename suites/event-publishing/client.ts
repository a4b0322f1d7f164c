import type { Credentials } from '../../lib/probe/credentials.ts'
import type { Send } from '../../lib/probe/exchange.ts'

/** The header that carries the API key on every endpoint. */
export const EVENTS_KEY_HEADER = 'X-Events-Key'

/** The body of a publish request, which may lack what the document asks for. */
export interface PublishedEvent {
  type?: string
  /** JSON text, which is sent as it is. */
  payload?: string
}

// A parsed payload would be written anew: large numbers change then, and deep nesting is too much.
function textOf({ type, payload }: PublishedEvent): string {
  const members = [
    ...(type === undefined ? [] : [`"type":${JSON.stringify(type)}`]),
    ...(payload === undefined ? [] : [`"payload":${payload}`]),
  ]
  return `{${members.join(',')}}`
}

/**
 * The documented endpoints of the event publishing service.
 *
 * @param baseUrl without a trailing slash; may have a path
 */
export function createEventPublishingClient(baseUrl: string, send: Send) {
  const accept = { Accept: 'application/json' }
  const json = { ...accept, 'Content-Type': 'application/json' }
  const eventUrl = (eventId: string) => `${baseUrl}/v1/events/${encodeURIComponent(eventId)}`
  return {
    publish: (
      event: PublishedEvent,
      { credentials, idempotencyKey }: { credentials: Credentials; idempotencyKey?: string },
    ) =>
      send({
        endpoint: 'POST /v1/events',
        method: 'POST',
        url: new URL(`${baseUrl}/v1/events`),
        credentials,
        headers: {
          ...json,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        body: textOf(event),
      }),

    /** @param options `fresh`: send it although the same GET was sent before */
    status: (eventId: string, options: { credentials: Credentials; fresh?: boolean }) =>
      send({
        endpoint: 'GET /v1/events/{eventId}',
        method: 'GET',
        url: new URL(eventUrl(eventId)),
        headers: accept,
        ...options,
      }),

    /** @param options `body`: JSON text, where the request has a body */
    replay: (eventId: string, { credentials, body }: { credentials: Credentials; body?: string }) =>
      send({
        endpoint: 'POST /v1/events/{eventId}/replay',
        method: 'POST',
        url: new URL(`${eventUrl(eventId)}/replay`),
        credentials,
        headers: body === undefined ? accept : json,
        body,
      }),
  }
}
