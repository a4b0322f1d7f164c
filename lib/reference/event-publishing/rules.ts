import { randomBytes } from 'node:crypto'
import type { EndpointContext, Refusal } from '../endpoints.ts'
import { jsonParts } from '../http.ts'
import { type KeyedDeployment, keyedRules } from '../keyed-service.ts'
import {
  type RuleChange as ChangeOf,
  type Environment,
  type Place,
  type RulesOf,
  tablesOf,
} from '../service.ts'

/** An event that was published. */
export interface PublishedEvent {
  readonly id: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** The `Idempotency-Key` that it was published with. */
  readonly idempotencyKey: string | undefined
  /** How often it was delivered: once when it was published, and once for each replay. */
  attempts: number
}

/** One running event publishing service. */
export interface Deployment extends KeyedDeployment {
  /** Every event that the service has accepted, by its id. */
  readonly events: Map<string, PublishedEvent>
}

export type Endpoint = 'publish' | 'replay' | 'status'

export type RequestContext = EndpointContext<Endpoint, Deployment>

/** A service without events, and with a key that nobody can guess. */
export function newDeployment(place: Place): Deployment {
  return { ...place, events: new Map(), key: randomBytes(24).toString('base64url') }
}

export function addEvent(
  { events }: Deployment,
  event: Omit<PublishedEvent, 'attempts'>,
): PublishedEvent {
  const added = { ...event, attempts: 1 }
  events.set(added.id, added)
  return added
}

/** Type and replay body are configured although any would do: only then does a refusal count. */
export function environmentOf(deployment: Deployment): Environment {
  return {
    EVENT_PUBLISHING_BASE_URL: deployment.baseUrl,
    EVENT_PUBLISHING_API_KEY: deployment.key,
    EVENT_PUBLISHING_EVENT_TYPE: 'reference.probed',
    EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ origin: 'conformance run' }),
    EVENT_PUBLISHING_REPLAY_BODY: '{}',
  }
}

const dottedWords = /^[a-z]+(?:\.[a-z]+)+$/

/**
 * Every rule of the document, and a choice wherever it leaves one, as a function that stands alone:
 * none calls another, so that one can be replaced and nothing else changes. A rule that gives a
 * refusal says why, and `undefined` where nothing is wrong.
 */
export const documentedRules = {
  ...keyedRules(
    ({ place, name }) => place === 'header' && name === 'x-events-key',
    'the X-Events-Key header is required',
  ),

  // Event (publish request); Idempotency header.
  /** @param key the `Idempotency-Key`, `undefined` when there is none */
  idempotencyKeyRefused: (_key: string | undefined): Refusal | undefined => undefined,
  typeRefused: (type: unknown): Refusal | undefined => {
    if (typeof type === 'string' && dottedWords.test(type)) return undefined
    return { status: 400, message: 'type must be lowercase words with dots between them' }
  },
  payloadRefused: (payload: unknown): Refusal | undefined => {
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return undefined
    return { status: 400, message: 'payload must be an object' }
  },
  /** An `Idempotency-Key` that was there before; an accepted one gets the first answer. */
  repetitionRefused: (sameEvent: boolean): Refusal | undefined => {
    if (sameEvent) return undefined
    return { status: 409, message: 'the idempotency key belongs to another event' }
  },
  /** @param number counts the events of the service from 1 */
  newEventId: (_number: number) => `evt_${randomBytes(12).toString('hex')}`,
  /** The answer to a publish request that was accepted. */
  publishedParts: ({ id }: PublishedEvent) => jsonParts(202, { id, status: 'accepted' }),

  // Event identifier and delivery status; Endpoints, replay and status.
  eventWithId: (id: string, { deployment }: RequestContext) => deployment.events.get(id),
  missingEvent: (): Refusal => ({ status: 404, message: 'there is no such event' }),
  /** @param content of the request for a replay */
  replayRefused: (_content: string): Refusal | undefined => undefined,
  /** The answer to a replay that was accepted. */
  replayedParts: ({ id }: PublishedEvent) => jsonParts(202, { id, status: 'replaying' }),
  /** The delivery status of an event. */
  statusParts: ({ id, type, attempts }: PublishedEvent) =>
    jsonParts(200, { id, type, status: 'delivered', attempts }),
}

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export const { on, altered, refused, within, faultsOf, variantsOf } = tablesOf<
  Rules,
  RequestContext,
  Deployment
>('event-publishing')
