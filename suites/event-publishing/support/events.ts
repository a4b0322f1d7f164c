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

/** A published event may take a moment to be found. */
const DELAYS_MS = [100, 300, 900]

/** A URL resolves one or two dots, and has no bytes for half of a surrogate pair. */
const PATH_SEGMENT = /^(?!\.{1,2}$)\P{Cs}+$/u

/** Everything that JSON has, several levels deep. */
const everyKindOfValue = {
  text: 'Grüße, 世界 🚀 "quoted" \\ and a line\nbreak',
  numbers: [0, -1, 2.5, 1e21, 9007199254740991],
  nothing: null,
  yes: true,
  empty: { list: [], object: {} },
  'a key with spaces, ключ': [[{ deep: [{ deeper: null }] }]],
}

/** An object with one member more, in JSON text: the rest stays as the operator wrote it. */
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
  /** The configured event. */
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
      // In both parts at once, since the document says nothing of either.
      (key) => basic(key, key),
      (key) => headerKey('Authorization', key),
      (key) => headerKey('X-Api-Key', key),
      keyInQuery,
    ],
  })

  /** The status of an event that nobody has published, with the key. */
  const unknownEvent = fixture('status of an unknown event', async () =>
    client.status(`plumbline-${run.settings.runId}-unknown`, { credentials: key() }),
  )

  // One event more does no harm. A key of its own keeps the answer from being that to a repetition.
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

  /** `published`, or the same without an `Idempotency-Key` where that one is refused. */
  const accepted = fixture('accepted event', async () => {
    const first = await published()
    return isSuccess(first) ? first : publishWithoutIdempotencyKey()
  })

  /** As a server answers at a path that it does not have, or for a method that it does not know. */
  function isNoEndpoint({ status }: Exchange): boolean {
    return status === 404 || status === 405 || status === 501
  }

  async function requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await unknownEvent()).status !== status) return
    const refused = `the key is refused with ${status} wherever it is sent`
    checkSettings(['EVENT_PUBLISHING_API_KEY'], refused)
  }

  /** @throws Inconclusive where neither its status nor a replay finds what was taken for the id */
  async function requireConclusiveStatus(exchange: Exchange): Promise<void> {
    if (!isClientError(exchange)) return
    const outcomes = await allOrWorst([statusControl(), replayControl()])
    if (!outcomes.every(isClientError)) return
    if (target.eventId !== undefined) {
      inconclusive(
        'neither its status nor a replay finds the event of EVENT_PUBLISHING_EVENT_ID: check it',
      )
    }
    inconclusive(
      `what the publish response shows at ${(await found()).place} is taken for the id of the event, ` +
        'and neither its status nor a replay finds it: set EVENT_PUBLISHING_EVENT_ID_POINTER or ' +
        'EVENT_PUBLISHING_EVENT_ID',
    )
  }

  /** @throws Inconclusive when a refusal says nothing about the deployment */
  async function requireConclusive(publish: Exchange): Promise<void> {
    await requireKey(publish)
    if (isNoEndpoint(publish)) {
      const answered = `publishing was answered with ${publish.status}, as where there is no such path`
      checkSettings(['EVENT_PUBLISHING_BASE_URL'], answered)
    }
    if (target.eventTypeConfigured || !isClientError(publish)) return
    inconclusive(
      `publishing was answered with ${publish.status}, and which event types are allowed is not ` +
        'documented: set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
    )
  }

  /** The same for a refused replay, whose body is not documented either. */
  async function requireConclusiveReplay(replay: Exchange): Promise<void> {
    await requireKey(replay)
    await requireConclusiveStatus(replay)
    if (target.replayBody !== undefined || !isClientError(replay)) return
    // Where the same event can be read, this is no matter of the body.
    if (isNoEndpoint(replay) && isSuccess(await statusControl())) return
    inconclusive(
      `replaying was answered with ${replay.status}, and what body a replay needs is not ` +
        'documented: set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  /** @throws Skip when the configured event is not accepted, so that no other one tells anything */
  async function needsPublishing(): Promise<void> {
    const exchange = await accepted()
    if (isSuccess(exchange)) return
    await requireConclusive(exchange)
    skip(
      `needs a published event, and publishing was answered with ${exchange.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  /** The id of the published event: the first candidate that is found, else the likeliest. */
  const found = fixture('event id', async () => {
    await needsPublishing()
    const all = findEventIds(await accepted(), target.eventIdPointer)
    const candidates = all.filter(({ id }) => PATH_SEGMENT.test(id))
    const [likeliest, ...others] = candidates
    if (likeliest === undefined) {
      const [invalid] = all
      if (invalid !== undefined) {
        inconclusive(
          `the id of the event, which the publish response shows at ${invalid.place}, cannot be part of ` +
            'a URL: it is . or .., or has half of a surrogate pair',
        )
      }
      return skip(
        'needs the id of an event, and the publish response does not show one: set ' +
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

  /** The status of an event that was just published, asked for again while it is not found yet. */
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
    // A missing key is reported before an event is published for its ID.
    key()
    return statusOf(await eventId())
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

  /** Publishes something else than the configured event. */
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
    /** The configured type and payload. */
    event,
    /** The configured payload with one member more. */
    payloadWith,
    /** The API key, as credentials. */
    key,
    /** The answer to the configured event, with an `Idempotency-Key`. */
    published,
    /** The same, or without that field where it is refused with it. */
    accepted,
    /** @throws Skip when the configured event is not accepted */
    needsPublishing,
    publishWithoutIdempotencyKey,
    publish,
    /** The configured event with every kind of JSON value in its payload. */
    withFreeFormPayload,
    /** The configured event with the payload `{}`. */
    withEmptyPayload,
    /** The status of another event, whose ID is where the first publish response has it. */
    statusOfAnother: fixture('status of another event', async () => {
      if (target.eventId !== undefined && target.eventIdPointer === undefined) {
        skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
      }
      const [{ place }, other] = await Promise.all([found(), withFreeFormPayload()])
      if (!isSuccess(other)) skip(`publishing another event was answered with ${other.status}`)
      const known = findEventIds(other, target.eventIdPointer).find(
        (other) => other.place === place && PATH_SEGMENT.test(other.id),
      )
      if (known === undefined) skip(`the response to another event shows no ID at ${place}`)
      return statusOf(known.id)
    }),
    /** The status of the event once its replay was accepted. */
    statusAfterReplay: fixture('status after a replay', async () => {
      const replay = await replayControl()
      if (!isSuccess(replay)) skip(`the replay was answered with ${replay.status}`)
      return statusOf(await eventId(), true)
    }),
    /** One `Idempotency-Key` three times: a first event, the same again, and another one. */
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
    /** The id of the event, and where the answer has it. */
    found,
    /** The status of an event that nobody has published. */
    unknownEvent,
    requireConclusive,
    requireConclusiveStatus,
    requireConclusiveReplay,
    /** The requests that need a key. */
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
