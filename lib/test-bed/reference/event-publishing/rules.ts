import { randomBytes } from 'node:crypto'
import { type CallOf, type EndpointContext, HttpError, jsonParts } from '../http.ts'
import { type KeyedServer, keyedRules } from '../keyed-service.ts'
import { type RuleChange as ChangeOf, createTables, type RulesOf } from '../rule-tables.ts'

export interface PublishedEvent {
  readonly id: string
  readonly type: string
  readonly payload: object
  readonly idempotencyKey: string | undefined
  /** Number of deliveries: one, and one for each replay. */
  attempts: number
}

interface EventPublishingServer extends KeyedServer {
  readonly events: Map<string, PublishedEvent>
}

export type Endpoint = 'publish' | 'replay' | 'status'

export type RequestContext = EndpointContext<Endpoint, EventPublishingServer>

export function addEvent(
  { events }: EventPublishingServer,
  event: Omit<PublishedEvent, 'attempts'>,
): PublishedEvent {
  const added = { ...event, attempts: 1 }
  events.set(added.id, added)
  return added
}

const dottedType = /^[a-z]+(?:\.[a-z]+)+$/

/** Rules of the document. A rule named `…Error` returns undefined for an acceptable value. */
export const documentedRules = {
  ...keyedRules(
    ({ headers }) => headers.get('X-Events-Key') ?? undefined,
    'the X-Events-Key header is required',
  ),

  // Event (publish request); Idempotency header.
  idempotencyKeyError: (_key: string | undefined): HttpError | undefined => undefined,
  typeError: (type: unknown): HttpError | undefined =>
    typeof type === 'string' && dottedType.test(type)
      ? undefined
      : new HttpError(400, 'type must be lowercase words with dots between them'),
  payloadError: (payload: unknown): HttpError | undefined =>
    typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? undefined
      : new HttpError(400, 'payload must be an object'),
  /** Checks an `Idempotency-Key` that was used before; an accepted one gets the first response. */
  repetitionError: (sameEvent: boolean): HttpError | undefined =>
    sameEvent ? undefined : new HttpError(409, 'the idempotency key belongs to another event'),
  /** @param number ordinal of the event, from 1 */
  newEventId: (_number: number) => `evt_${randomBytes(12).toString('hex')}`,
  publishedParts: ({ id }: PublishedEvent) => jsonParts(202, { id, status: 'accepted' }),

  // Event identifier and delivery status; Endpoints, replay and status.
  eventWithId: (id: string, { server }: RequestContext) => server.events.get(id),
  missingEvent: () => new HttpError(404, 'there is no such event'),
  replayError: (_content: string): HttpError | undefined => undefined,
  replayedParts: ({ id, attempts }: PublishedEvent) =>
    jsonParts(202, { id, status: 'replaying', attempts }),
  // Without the attempts, so that it does not depend on the order of concurrent requests.
  statusParts: ({ id, type }: PublishedEvent) => jsonParts(200, { id, type, status: 'delivered' }),
}

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export type RuleChange = ChangeOf<Rules>

export type Call = CallOf<RequestContext, Rules>

export const { on, alter, after, reject, faultsOf, uses } = createTables<Rules, RequestContext>(
  'event-publishing',
)
