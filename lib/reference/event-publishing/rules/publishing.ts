import { randomBytes } from 'node:crypto'
import type { Refusal } from '../../http/refusal.ts'
import { jsonParts, type ResponseParts } from '../../http/response-parts.ts'
import type { RequestContext } from '../request-context.ts'
import type { PublishedEvent } from '../store.ts'

/**
 * Document: Event (publish request); Idempotency header. A rule that gives a refusal says why, and
 * `undefined` where nothing is wrong.
 */
export interface PublishingRules {
  /** @param key the `Idempotency-Key`, `undefined` when there is none */
  idempotencyKeyRefused(key: string | undefined, context: RequestContext): Refusal | undefined
  typeRefused(type: unknown, context: RequestContext): Refusal | undefined
  payloadRefused(payload: unknown, context: RequestContext): Refusal | undefined
  /** An `Idempotency-Key` that was there before; an accepted one gets the first answer. */
  repetitionRefused(sameEvent: boolean, context: RequestContext): Refusal | undefined
  /** @param number counts the events of the service from 1 */
  newEventId(number: number, context: RequestContext): string
  /** The answer to a publish request that was accepted. */
  publishedParts(event: PublishedEvent, context: RequestContext): ResponseParts
}

const dottedWords = /^[a-z]+(?:\.[a-z]+)+$/

export const publishingRules: PublishingRules = {
  idempotencyKeyRefused: () => undefined,
  typeRefused: (type) => {
    if (typeof type === 'string' && dottedWords.test(type)) return undefined
    return { status: 400, message: 'type must be lowercase words with dots between them' }
  },
  payloadRefused: (payload) => {
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return undefined
    return { status: 400, message: 'payload must be an object' }
  },
  repetitionRefused: (sameEvent) => {
    if (sameEvent) return undefined
    return { status: 409, message: 'the idempotency key belongs to another event' }
  },
  newEventId: () => `evt_${randomBytes(12).toString('hex')}`,
  publishedParts: ({ id }) => jsonParts(202, { id, status: 'accepted' }, 'application/json'),
}
