import type { Send } from '../../lib/probe/exchange.ts'
import type { KeyedOptions as Options } from '../keyed.ts'

/** Body of a publish request, possibly incomplete. */
export interface PublishedEvent {
  type?: string
  /** JSON text, sent unchanged. */
  payload?: string
}

// Formatting a parsed payload would change large numbers and fail on deep nesting.
function publishBody({ type, payload }: PublishedEvent): string {
  const members = { '"type"': JSON.stringify(type), '"payload"': payload }
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return `{${present.map((member) => member.join(':')).join(',')}}`
}

/** Variable of the base URL, and the path of the API below it. */
export const eventPublishingAddress = {
  variable: 'EVENT_PUBLISHING_BASE_URL',
  path: '/v1',
} as const

export type EventPublishingClient = ReturnType<typeof createEventPublishingClient>

/** @param baseUrl without a trailing slash; may have a path */
export function createEventPublishingClient(baseUrl: string, send: Send) {
  const accept = { Accept: 'application/json' }
  const json = { ...accept, 'Content-Type': 'application/json' }
  const eventUrl = (eventId: string, below = '') =>
    new URL(`${baseUrl}/v1/events/${encodeURIComponent(eventId)}${below}`)
  return {
    publish: (
      event: PublishedEvent,
      { idempotencyKey, ...options }: Options & { idempotencyKey?: string | undefined },
    ) =>
      send({
        endpoint: 'POST /v1/events',
        method: 'POST',
        url: new URL(`${baseUrl}/v1/events`),
        ...options,
        headers: {
          ...json,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
          ...options.headers,
        },
        body: publishBody(event),
      }),

    /** @param options `fresh`: sends a GET again that was sent before */
    status: (eventId: string, options: Options) =>
      send({
        endpoint: 'GET /v1/events/{eventId}',
        method: 'GET',
        url: eventUrl(eventId),
        ...options,
        headers: { ...accept, ...options.headers },
      }),

    /** @param options `body`: JSON text; undefined for a request without a body */
    replay: (eventId: string, options: Options & { body?: string | undefined }) =>
      send({
        endpoint: 'POST /v1/events/{eventId}/replay',
        method: 'POST',
        url: eventUrl(eventId, '/replay'),
        ...options,
        headers: { ...(options.body === undefined ? accept : json), ...options.headers },
      }),
  }
}
