import { randomUUID } from 'node:crypto'
import {
  type KeyedRequest,
  keyedRequest,
  keyInQuery,
  nearlyRightKeys,
  wrongKey,
} from '../../../lib/conformance/api-key.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { untilAccepted, untilAnswered } from '../../../lib/conformance/lost-answers.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { bearer, type Credentials, headerKey } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { EVENTS_KEY_HEADER, type EventPublishingClient, type PublishedEvent } from '../client.ts'
import { needed } from '../needs.ts'
import type { EventPublishingTarget } from '../variables.ts'
import { type FoundEventId, findEventIds, likeliestEventId } from './event-id.ts'

/** A published event may take a moment to be found. */
const DELAYS_MS = [100, 300, 900]

/** What the checks of the event publishing service share. */
export interface Events {
  /** The configured event. */
  event: PublishedEvent
  /** The payload of the configured event with one member more. */
  payloadWith(value: unknown): string
  /** The key where it belongs; throws `Skip` when none is configured. */
  key(): Credentials
  /** Publishes the configured event with an `Idempotency-Key`. */
  published(): Promise<Exchange>
  /** `published`, or the same without an `Idempotency-Key` where that one is refused. */
  accepted(): Promise<Exchange>
  /** @throws Skip when the configured event is not accepted, so that no other one tells anything */
  needsPublishing(): Promise<void>
  /** Publishes something else than the configured event. */
  publish(event: PublishedEvent): Promise<Exchange>
  /** The configured event without an `Idempotency-Key`. */
  publishWithoutIdempotencyKey(): Promise<Exchange>
  /** One `Idempotency-Key` three times: a first event, the same again, and another one. */
  repeated(): Promise<{ first: Exchange; again: Exchange; other: Exchange }>
  /** Where the id of the published event is; throws `Skip` when it cannot be found. */
  found(): Promise<FoundEventId>
  /** The id of an event that exists. */
  eventId(): Promise<string>
  /** The status of an event that nobody has published, with the key. */
  unknownEvent(): Promise<Exchange>
  /** @throws Inconclusive when a refused publish says nothing about the deployment */
  requireTelling(publish: Exchange): Promise<void>
  /** The same for a refused status of an event whose id is not documented. */
  requireStatusTelling(status: Exchange): Promise<void>
  /** The same for a refused replay, whose body is not documented either. */
  requireReplayTelling(replay: Exchange): Promise<void>
  status: KeyedRequest
  replay: KeyedRequest
  /** The three requests that need a key. */
  keyed: Record<'publish' | 'status' | 'replay', KeyedRequest>
}

function newIdempotencyKey(): string {
  return randomUUID()
}

/** An object with one member more, in JSON text: the rest stays as the operator wrote it. */
function withMember(object: string, value: unknown): string {
  const members = object.trim().slice(1, -1)
  const name = Object.hasOwn(JSON.parse(object), 'plumbline') ? 'plumbline-probe' : 'plumbline'
  const separator = members.trim() === '' ? '' : ','
  return `{${members}${separator}"${name}":${JSON.stringify(value)}}`
}

export function createEvents(
  run: Run,
  target: EventPublishingTarget,
  client: EventPublishingClient,
): Events {
  const { settings, redactor } = run
  const event = { type: target.eventType, payload: target.eventPayload }
  const payloadWith = (value: unknown) => withMember(target.eventPayload, value)
  const apiKey = () => target.apiKey ?? needed('event publishing key')
  const key = () => headerKey(EVENTS_KEY_HEADER, apiKey())

  const variations = {
    wrongKey: () => headerKey(EVENTS_KEY_HEADER, wrongKey),
    nearlyRight: nearlyRightKeys(redactor, 'EVENT_PUBLISHING_API_KEY', apiKey).map(
      (vary) => () => headerKey(EVENTS_KEY_HEADER, vary()),
    ),
    elsewhere: [
      () => bearer(apiKey()),
      () => headerKey('X-Api-Key', apiKey()),
      () => keyInQuery(apiKey()),
    ],
  }

  const unknownEvent = fixture('status of an unknown event', async () =>
    client.status(`plumbline-${settings.runId}-unknown`, { credentials: key() }),
  )

  // One event more does no harm. A key of its own keeps the answer from being that to a repetition.
  const publishAnew = (body: PublishedEvent, credentials: Credentials) =>
    untilAnswered(run, () =>
      client.publish(body, { credentials, idempotencyKey: newIdempotencyKey() }),
    )

  const publishWithoutKey = (body: PublishedEvent, credentials: Credentials) =>
    untilAnswered(run, () => client.publish(body, { credentials }))

  const published = fixture('published event', async () => publishAnew(event, key()))

  const publishWithoutIdempotencyKey = fixture('event without Idempotency-Key', async () =>
    publishWithoutKey(event, key()),
  )

  const accepted = fixture('accepted event', async () => {
    const first = await published()
    return isSuccess(first) ? first : publishWithoutIdempotencyKey()
  })

  function isRefusedByClientError({ status }: Exchange): boolean {
    return status >= 400 && status < 500
  }

  async function requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    const unknown = await unknownEvent()
    if (unknown.status !== status) return
    inconclusive(
      `the key is refused with ${status} wherever it is sent: check EVENT_PUBLISHING_API_KEY`,
    )
  }

  /** Where neither its status nor a replay finds it, what was taken for the id may be none. */
  async function requireStatusTelling(exchange: Exchange): Promise<void> {
    const told = target.eventId !== undefined || target.eventIdPointer !== undefined
    if (told || !isRefusedByClientError(exchange)) return
    const outcomes = await Promise.all([statusControl(), replayControl()])
    if (!outcomes.every(isRefusedByClientError)) return
    const { place } = await found()
    inconclusive(
      `what the publish response shows at ${place} is taken for the id of the event, and neither its ` +
        'status nor a replay finds it: set EVENT_PUBLISHING_EVENT_ID_POINTER or ' +
        'EVENT_PUBLISHING_EVENT_ID',
    )
  }

  async function requireTelling(publish: Exchange): Promise<void> {
    await requireKey(publish)
    if (target.eventTypeConfigured || !isRefusedByClientError(publish)) return
    inconclusive(
      `publishing was answered with ${publish.status}, and which event types are allowed is not ` +
        'documented: set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
    )
  }

  async function requireReplayTelling(replay: Exchange): Promise<void> {
    await requireKey(replay)
    await requireStatusTelling(replay)
    if (target.replayBody !== undefined || !isRefusedByClientError(replay)) return
    inconclusive(
      `replaying was answered with ${replay.status}, and what body a replay needs is not ` +
        'documented: set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  async function needsPublishing(): Promise<void> {
    const exchange = await accepted()
    if (isSuccess(exchange)) return
    await requireTelling(exchange)
    skip(
      `needs a published event, and publishing was answered with ${exchange.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  const found = fixture('event id', async () => {
    await needsPublishing()
    const candidates = findEventIds(await accepted(), target.eventIdPointer)
    const known = await likeliestEventId(candidates, async (id) =>
      isSuccess(await client.status(id, { credentials: key() })),
    )
    return (
      known ??
      skip(
        'needs the id of an event, and the publish response does not show one: set ' +
          'EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
      )
    )
  })

  const eventId = async () => target.eventId ?? (await found()).id

  const statusControl = fixture('status of the event', async () => {
    const credentials = key()
    const id = await eventId()
    let exchange = await client.status(id, { credentials })
    for (const wait of target.eventId === undefined ? DELAYS_MS : []) {
      if (exchange.status !== 404) break
      await run.wait(wait)
      exchange = await client.status(id, { credentials, fresh: true })
    }
    return exchange
  })

  // An event that is not found yet is refused to everybody, which says nothing about keys.
  async function existingEventId(): Promise<string> {
    await statusControl().catch(() => undefined)
    return eventId()
  }

  const replayOf = async (credentials: Credentials) =>
    client.replay(await existingEventId(), { credentials, body: target.replayBody })

  const replayControl = fixture('replay of the event', async () =>
    untilAccepted(run, async () => replayOf(key())),
  )

  const publish = keyedRequest(
    run,
    'publish',
    accepted,
    (credentials) => client.publish(event, { credentials, idempotencyKey: newIdempotencyKey() }),
    variations,
  )
  const status = keyedRequest(
    run,
    'status',
    statusControl,
    async (credentials) => client.status(await existingEventId(), { credentials }),
    variations,
  )
  const replay = keyedRequest(run, 'replay', replayControl, replayOf, variations)

  return {
    event,
    payloadWith,
    key,
    published,
    accepted,
    needsPublishing,
    publishWithoutIdempotencyKey,
    async publish(body) {
      const send = isSuccess(await published()) ? publishAnew : publishWithoutKey
      return send(body, key())
    },
    repeated: fixture('repeated Idempotency-Key', async () => {
      await needsPublishing()
      const payload = payloadWith('another event')
      return untilAnswered(run, async () => {
        const options = { credentials: key(), idempotencyKey: newIdempotencyKey() }
        const first = await client.publish(event, options)
        const again = await client.publish(event, options)
        const other = await client.publish({ ...event, payload }, options)
        return { first, again, other }
      })
    }),
    found,
    eventId,
    unknownEvent,
    requireTelling,
    requireStatusTelling,
    requireReplayTelling,
    status,
    replay,
    keyed: { publish, status, replay },
  }
}
