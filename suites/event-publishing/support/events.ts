import { randomUUID } from 'node:crypto'
import { keyedRequests, keyInQuery } from '../../../lib/conformance/api-key.ts'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { retryLostResponse, untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { basic, bearer, type Credentials, headerKey } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { createEventPublishingClient, EVENTS_KEY_HEADER, type PublishedEvent } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import { findEventIds } from './event-id.ts'

/** Delays between reads of a new event, which a server may find only after a moment. */
const DELAYS_MS = [100, 300, 900]

/** Excludes dot segments, which URLs resolve, and unpaired surrogates, which have no bytes. */
const PATH_SEGMENT = /^(?!\.{1,2}$)\P{Cs}+$/u

/** Every kind of JSON value, nested. */
const everyKindOfValue = {
  text: 'Grüße, 世界 🚀 "quoted" \\ and a line\nbreak',
  numbers: [0, -1, 2.5, 1e21, 9007199254740991],
  nothing: null,
  yes: true,
  empty: { list: [], object: {} },
  'a key with spaces, ключ': [[{ deep: [{ deeper: null }] }]],
}

/** Adds a member to the JSON text of an object and leaves the rest unchanged. */
function withMember(object: string, value: unknown): string {
  const members = object.trim().slice(1, -1)
  const name = Object.hasOwn(JSON.parse(object), 'plumbline') ? 'plumbline-probe' : 'plumbline'
  const separator = members.trim() === '' ? '' : ','
  return `{${members}${separator}"${name}":${JSON.stringify(value)}}`
}

function isClientError({ status }: Exchange): boolean {
  return status >= 400 && status < 500
}

export function createEventPublishingContext(run: Run = currentRun()) {
  const target = serviceIn(run.settings.target, 'eventPublishing')
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  const event = { type: target.eventType, payload: target.eventPayload }
  const payloadWith = (value: unknown) => withMember(target.eventPayload, value)
  const apiKey = () => target.apiKey ?? skipUnmetNeed('event publishing key')
  const place = (key: string) => headerKey(EVENTS_KEY_HEADER, key)
  const key = () => place(apiKey())

  const keyed = keyedRequests(run, {
    variable: 'EVENT_PUBLISHING_API_KEY',
    key: apiKey,
    place,
    elsewhere: [
      bearer,
      // In both parts: the document states neither.
      (key) => basic(key, key),
      (key) => headerKey('Authorization', key),
      (key) => headerKey('X-Api-Key', key),
      keyInQuery,
    ],
  })

  const unknownEvent = fixture('status of an unknown event', async () =>
    client.status(`plumbline-${run.settings.runId}-unknown`, { credentials: key() }),
  )

  // A second event is harmless. A new idempotency key keeps the server from repeating an earlier response.
  const send = (body: PublishedEvent, idempotent: boolean) =>
    retryLostResponse(run, () => {
      const idempotencyKey = idempotent ? randomUUID() : undefined
      return client.publish(body, { credentials: key(), idempotencyKey })
    })

  /** The configured event with an `Idempotency-Key`. */
  const published = fixture('published event', async () => send(event, true))

  const publishWithoutIdempotencyKey = fixture('event without Idempotency-Key', async () =>
    send(event, false),
  )

  /** `published`, or the same event without an `Idempotency-Key` if the first request was rejected. */
  const accepted = fixture('accepted event', async () => {
    const first = await published()
    return isSuccess(first) ? first : publishWithoutIdempotencyKey()
  })

  /** Returns true for the status of an unknown path or method. */
  function isNoEndpoint({ status }: Exchange): boolean {
    return status === 404 || status === 405 || status === 501
  }

  async function requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await unknownEvent()).status !== status) return
    const problem = `every request with the key returned ${status}`
    checkSettings(['EVENT_PUBLISHING_API_KEY'], problem)
  }

  /** @throws Inconclusive if neither a status request nor a replay finds the event ID */
  async function requireConclusiveStatus(exchange: Exchange): Promise<void> {
    if (!isClientError(exchange)) return
    const outcomes = await allOrWorst([statusControl(), replayControl()])
    if (!outcomes.every(isClientError)) return
    if (target.eventId !== undefined) {
      inconclusive(
        'neither a status request nor a replay finds the event of EVENT_PUBLISHING_EVENT_ID: check it',
      )
    }
    inconclusive(
      `neither a status request nor a replay finds the event ID at ${(await found()).place} of the ` +
        'publish response: set EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
    )
  }

  /** @throws Inconclusive if a rejected publish request proves nothing about the service */
  async function requireConclusive(publish: Exchange): Promise<void> {
    await requireKey(publish)
    if (isNoEndpoint(publish)) {
      const problem = `the publish request returned ${publish.status}, like an unknown path`
      checkSettings(['EVENT_PUBLISHING_BASE_URL'], problem)
    }
    if (target.eventTypeConfigured || !isClientError(publish)) return
    inconclusive(
      `the publish request returned ${publish.status}, and the document does not state the allowed ` +
        'event types: set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
    )
  }

  /** @throws Inconclusive if a rejected replay proves nothing about the service */
  async function requireConclusiveReplay(replay: Exchange): Promise<void> {
    await requireKey(replay)
    await requireConclusiveStatus(replay)
    if (target.replayBody !== undefined || !isClientError(replay)) return
    // If the event can be read, the body is not the reason.
    if (isNoEndpoint(replay) && isSuccess(await statusControl())) return
    inconclusive(
      `the replay returned ${replay.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  /** @throws Skip if the server rejects the configured event */
  async function needsPublishing(): Promise<void> {
    const exchange = await accepted()
    if (isSuccess(exchange)) return
    await requireConclusive(exchange)
    skip(
      `needs a published event, and the publish request returned ${exchange.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  /** ID of the published event: the first candidate with a status, or else the most likely one. */
  const found = fixture('event id', async () => {
    await needsPublishing()
    const all = findEventIds(await accepted(), target.eventIdPointer)
    const candidates = all.filter(({ id }) => PATH_SEGMENT.test(id))
    const [likeliest, ...others] = candidates
    if (likeliest === undefined) {
      const [invalid] = all
      if (invalid !== undefined) {
        inconclusive(
          `the event ID at ${invalid.place} of the publish response cannot be part of a URL: ` +
            'it is . or .., or contains half of a surrogate pair',
        )
      }
      return skip(
        'needs an event ID, and the publish response contains none: set ' +
          'EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
      )
    }
    if (others.length === 0) return likeliest
    const statuses = await allOrWorst(
      candidates.map(({ id }) => client.status(id, { credentials: key() })),
    )
    return candidates[statuses.findIndex(isSuccess)] ?? likeliest
  })

  const eventId = async () => target.eventId ?? (await found()).id

  /** Reads the status of a new event, and retries while the server does not find it. */
  async function statusOf(id: string, fresh = false): Promise<Exchange> {
    const credentials = key()
    let exchange = await client.status(id, { credentials, fresh })
    for (const wait of id === target.eventId ? [] : DELAYS_MS) {
      if (exchange.status !== 404) break
      await run.wait(wait)
      exchange = await client.status(id, { credentials, fresh: true })
    }
    return exchange
  }

  const statusControl = fixture('status of the event', async () => {
    // Reports a missing key before it publishes an event.
    key()
    return statusOf(await eventId())
  })

  // A 404 of a new event would look like a rejected key.
  async function existingEventId(): Promise<string> {
    await statusControl().catch(() => undefined)
    return eventId()
  }

  const replayOf = async (credentials: Credentials) =>
    client.replay(await existingEventId(), { credentials, body: target.replayBody })

  const replayControl = fixture('replay of the event', async () =>
    untilAccepted(run, async () => replayOf(key())),
  )

  /** Publishes another event than the configured one. */
  const publish = async (body: PublishedEvent): Promise<Exchange> =>
    send(body, isSuccess(await published()))

  const withFreeFormPayload = fixture('event with a free-form payload', async () => {
    await needsPublishing()
    return publish({ ...event, payload: payloadWith(everyKindOfValue) })
  })

  const withEmptyPayload = fixture('event with an empty payload', async () => {
    await needsPublishing()
    return publish({ ...event, payload: '{}' })
  })

  const events = {
    /** Configured type and payload. */
    event,
    /** Adds a member to the configured payload. */
    payloadWith,
    /** Credentials with the API key. */
    key,
    /** Response to the configured event with an `Idempotency-Key`. */
    published,
    /** Response to the configured event; without an `Idempotency-Key` if the server rejects it. */
    accepted,
    /** @throws Skip if the server rejects the configured event */
    needsPublishing,
    publishWithoutIdempotencyKey,
    publish,
    /** Response to the configured event with every kind of JSON value in its payload. */
    withFreeFormPayload,
    /** Response to the configured event with the payload `{}`. */
    withEmptyPayload,
    /** Status of another event; its ID must be at the same place of the response. */
    statusOfAnother: fixture('status of another event', async () => {
      if (target.eventId !== undefined && target.eventIdPointer === undefined) {
        skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
      }
      const [{ place }, other] = await Promise.all([found(), withFreeFormPayload()])
      if (!isSuccess(other)) skip(`publishing another event returned ${other.status}`)
      const otherId = findEventIds(other, target.eventIdPointer).find(
        (candidate) => candidate.place === place && PATH_SEGMENT.test(candidate.id),
      )
      if (otherId === undefined) skip(`the response to another event has no ID at ${place}`)
      return statusOf(otherId.id)
    }),
    /** Status of the event after an accepted replay. */
    statusAfterReplay: fixture('status after a replay', async () => {
      const replay = await replayControl()
      if (!isSuccess(replay)) skip(`the replay returned ${replay.status}`)
      return statusOf(await eventId(), true)
    }),
    /** Responses to one `Idempotency-Key`: for an event, for the same event, and for another event. */
    repeated: fixture('repeated Idempotency-Key', async () => {
      await needsPublishing()
      const payload = payloadWith('another event')
      return retryLostResponse(run, async () => {
        const options = { credentials: key(), idempotencyKey: randomUUID() }
        const first = await client.publish(event, options)
        const again = await client.publish(event, options)
        const other = await client.publish({ ...event, payload }, options)
        return { first, again, other }
      })
    }),
    /** ID of the event, and its place in the response. */
    found,
    /** Status of an event that was never published. */
    unknownEvent,
    requireConclusive,
    requireConclusiveStatus,
    requireConclusiveReplay,
    /** Requests that need a key. */
    keyed: {
      publish: keyed('publish', accepted, (credentials) =>
        client.publish(event, { credentials, idempotencyKey: randomUUID() }),
      ),
      status: keyed('status', statusControl, async (credentials) =>
        client.status(await existingEventId(), { credentials }),
      ),
      replay: keyed('replay', replayControl, replayOf),
    },
  }
  return { target, client, events }
}
