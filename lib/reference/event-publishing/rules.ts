import { randomBytes } from 'node:crypto'
import { jsonParts, type Refusal, type ResponseParts } from '../http.ts'
import type { KeyedRules } from '../keyed-service.ts'
import { type RuleChange as ChangeOf, changesOf } from '../service.ts'
import type { PublishedEvent, RequestContext } from './deployment.ts'

/**
 * Document: Event (publish request); Idempotency header. A rule that gives a refusal says why, and
 * `undefined` where nothing is wrong.
 */
interface PublishingRules {
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

/** Document: Event identifier and delivery status; Endpoints, replay and status. */
interface EventRules {
  eventWithId(id: string, context: RequestContext): PublishedEvent | undefined
  missingEvent(context: RequestContext): Refusal
  /** Why a replay is refused, given the content of the request; `undefined` when it is not. */
  replayRefused(content: string, context: RequestContext): Refusal | undefined
  /** The answer to a replay that was accepted. */
  replayedParts(event: PublishedEvent, context: RequestContext): ResponseParts
  /** The delivery status of an event. */
  statusParts(event: PublishedEvent, context: RequestContext): ResponseParts
}

/**
 * Every rule of the document, and a choice wherever it leaves one, as a function that stands alone:
 * none calls another, so that one can be replaced and nothing else changes.
 */
export interface Rules
  extends KeyedRules<RequestContext>,
    Readonly<PublishingRules>,
    Readonly<EventRules> {}

export type RuleChange = ChangeOf<Rules>

export const { where, on, refused } = changesOf<Rules, RequestContext>()

const dottedWords = /^[a-z]+(?:\.[a-z]+)+$/

/** The rules as the document states them. */
export const documentedRules: Rules = {
  // Authentication; Endpoints, the headers. What a refusal looks like is left open.
  accepts: ({ place, name }) => place === 'header' && name === 'x-events-key',
  keyNeeded: () => true,
  keyHolds: (key, context) => key === context.deployment.key,
  missingKey: () => ({ status: 401, message: 'the X-Events-Key header is required' }),
  wrongKey: () => ({ status: 401, message: 'the key is not valid' }),

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
  publishedParts: ({ id }) => jsonParts(202, { id, status: 'accepted' }),

  eventWithId: (id, context) => context.deployment.store.event(id),
  missingEvent: () => ({ status: 404, message: 'there is no such event' }),
  replayRefused: () => undefined,
  replayedParts: ({ id }) => jsonParts(202, { id, status: 'replaying' }),
  statusParts: ({ id, type, attempts }) =>
    jsonParts(200, { id, type, status: 'delivered', attempts }),

  // Errors, which leaves all of it open.
  malformedBody: (reason) => ({ status: 400, message: reason }),
  serverError: () => ({ status: 500, message: 'internal error' }),
  errorParts: ({ status, message }) => jsonParts(status, { error: message }),
}
