/** Publishes, reads and replays events, and tells which rejections show something about the service. */
import { randomUUID } from 'node:crypto'
import { checkSettings, inconclusive, skip } from '../../lib/conformance/check-errors.ts'
import { allOrWorst } from '../../lib/conformance/each.ts'
import { fixture, fixtureFor } from '../../lib/conformance/fixture.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { retryLostResponse, untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import { type Credentials, headerKey } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { KeyedOptions } from '../keyed.ts'
import {
  createEventPublishingClient,
  type EventPublishingClient,
  type PublishedEvent,
} from './client.ts'
import { findEventIds } from './event-id.ts'
import type { EventPublishingTarget } from './variables.ts'

/** Delays between requests for a new event, which a server may find or replay only after a moment. */
const DELAYS_MS = [100, 300, 900]

/** Excludes dot segments, which URLs resolve, and unpaired surrogates, which have no bytes. */
const PATH_SEGMENT = /^(?!\.{1,2}$)\P{Cs}+$/u

/** Every kind of JSON value, nested, and names of members of the event itself. */
const everyKindOfValue = {
  type: 'not the type of the event',
  payload: { type: null },
  text: 'Grüße, 世界 🚀 "quoted" \\ and a line\nbreak',
  numbers: [0, -1, 2.5, 1e21, 9007199254740991],
  mixed: [1, 'two', null, true, {}, []],
  nothing: null,
  yes: true,
  empty: { list: [], object: {} },
  'a.dotted.name': { $set: { $id: 1 } },
  'a key with spaces, ключ': [[{ deep: [{ deeper: null }] }]],
}

const isClientError = ({ status }: Exchange) => status >= 400 && status < 500
/** Returns true for the status of an unknown path or method. */
const isNoEndpoint = ({ status }: Exchange) => [404, 405, 501].includes(status)

/** Payload of an event, if it is not the configured one. */
type Payload = 'free-form' | 'empty'

export class Events {
  readonly client: EventPublishingClient
  readonly credentials: () => Credentials
  readonly #run: Run
  readonly #target: EventPublishingTarget
  /** Configured type and payload. */
  readonly event: PublishedEvent

  /** @param key throws Skip if no key is configured */
  constructor(run: Run, target: EventPublishingTarget, key: () => string) {
    this.#run = run
    this.#target = target
    this.credentials = () => headerKey('X-Events-Key', key())
    this.event = { type: target.eventType, payload: target.eventPayload }
    this.client = createEventPublishingClient(target.baseUrl, (request) =>
      run.send('event-publishing', request),
    )
  }

  /** Response to the configured event with an `Idempotency-Key`. */
  readonly published = fixture('published event', async () => this.#publish(this.event, true))

  readonly publishedWithoutIdempotencyKey = fixture('event without Idempotency-Key', async () =>
    this.#publish(this.event, false),
  )

  /** Response to the configured event; without an `Idempotency-Key` if the server rejects it. */
  readonly accepted = fixture('accepted event', async () => {
    const first = await this.published()
    return isSuccess(first) ? first : this.publishedWithoutIdempotencyKey()
  })

  /** Publishes another event. @throws Skip if the server rejects the configured one */
  async publish(body: PublishedEvent): Promise<Exchange> {
    await this.needsPublishing()
    return this.#publish(body, isSuccess(await this.published()))
  }

  readonly publishedWith = fixtureFor('event with payload', async (payload: Payload) =>
    this.publish({
      ...this.event,
      payload: payload === 'empty' ? '{}' : this.#payloadWith(everyKindOfValue),
    }),
  )

  /** Responses to an `Idempotency-Key` that is used again: for the same event, and for another. */
  readonly repeated = fixture('repeated Idempotency-Key', async () => {
    await this.needsPublishing()
    const payload = this.#payloadWith({ plumbline: 'another event', 'plumbline-probe': true })
    const { request } = await this.published()
    const idempotencyKey = request.headers?.['Idempotency-Key']
    const options = { credentials: this.credentials(), idempotencyKey }
    return retryLostResponse(this.#run, async () => ({
      again: await this.client.publish(this.event, options),
      other: await this.client.publish({ ...this.event, payload }, options),
    }))
  })

  /** Status of an event that was never published. */
  readonly unknown = fixture('status of an unknown event', async () =>
    this.client.status(`plumbline-${this.#run.settings.runId}-unknown`, {
      credentials: this.credentials(),
    }),
  )

  /** ID of the published event, and its place in the response. */
  readonly found = fixture('event id', async () => {
    await this.needsPublishing()
    const all = findEventIds(await this.accepted(), this.#target.eventIdPointer)
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
      candidates.map(({ id }) => this.client.status(id, { credentials: this.credentials() })),
    )
    return candidates[statuses.findIndex(isSuccess)] ?? likeliest
  })

  /** Returns the status of the published event, or of the event with another payload. */
  readonly status = (payload?: Payload) => this.#status(payload ?? 'its own', payload)
  readonly #status = fixtureFor('status of the event with', async (_, payload?: Payload) => {
    // Reports a missing key before it publishes an event.
    this.credentials()
    return this.#read(await this.#id(payload))
  })

  /** Returns the response to a replay of that event. */
  readonly replay = (payload?: Payload) => this.#replay(payload ?? 'its own', payload)
  readonly #replay = fixtureFor('replay of the event with', (_, payload?: Payload) =>
    untilAccepted(this.#run, async () => this.#repeat(await this.existingId(payload))),
  )

  replayWith(options: KeyedOptions, id: string): Promise<Exchange> {
    return this.client.replay(id, { ...options, body: this.#target.replayBody })
  }

  /** ID of the event that a publish request created; default: the published event. */
  async idIn(publish: Exchange): Promise<string> {
    const id = this.#isIdOfOthersUnknown() ? undefined : await this.#idAtPlaceOf(publish)
    return id ?? this.existingId()
  }

  /** ID of the event, once it can be read if possible: a 404 of a new event would look like a rejected key. */
  async existingId(payload?: Payload): Promise<string> {
    await this.status(payload).catch(() => undefined)
    return this.#id(payload)
  }

  /** @throws Skip if the server rejects the configured event */
  async needsPublishing(): Promise<void> {
    const { status } = await this.accepted()
    if (status >= 200 && status < 300) return
    await this.requireConclusivePublish()
    skip(
      `needs a published event, and the publish request returned ${status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  /** @throws Inconclusive if a rejected publish request proves nothing about the service */
  async requireConclusivePublish(): Promise<void> {
    const publish = await this.accepted()
    await this.#requireKey(publish)
    const { status } = publish
    if (isNoEndpoint(publish)) {
      const problem = `the publish request returned ${status}, like an unknown path`
      checkSettings(['EVENT_PUBLISHING_BASE_URL'], problem)
    }
    if (this.#target.eventTypeConfigured || !isClientError(publish)) return
    inconclusive(
      `the publish request returned ${status}, and the document does not state the allowed ` +
        'event types: set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
    )
  }

  /** Throws Inconclusive if neither a status request nor a replay finds the event ID. */
  readonly requireConclusiveStatus = fixture('conclusive status', async () => {
    if (!isClientError(await this.status())) return
    const outcomes = await allOrWorst([this.status(), this.replay()])
    if (!outcomes.every(isClientError)) return
    if (await this.#succeedsWithoutIdempotencyKey((id) => this.#read(id))) return
    if (this.#target.eventId !== undefined) {
      const problem = 'neither a status request nor a replay finds the event'
      checkSettings(['EVENT_PUBLISHING_EVENT_ID'], problem)
    }
    inconclusive(
      `neither a status request nor a replay finds the event ID at ${(await this.found()).place} of the ` +
        'publish response: set EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
    )
  })

  /** Throws Inconclusive if a rejected replay proves nothing about the service. */
  readonly requireConclusiveReplay = fixture('conclusive replay', async () => {
    const replay = await this.replay()
    await this.#requireKey(replay)
    if (!isClientError(replay)) return
    await this.requireConclusiveStatus()
    if (this.#target.replayBody !== undefined) return
    // If the event can be read, the body is not the reason.
    if (isNoEndpoint(replay) && isSuccess(await this.status())) return
    if (await this.#succeedsWithoutIdempotencyKey((id) => this.#repeat(id))) return
    inconclusive(
      `the replay returned ${replay.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  })

  /** @throws Inconclusive if the service rejects every request with the key like this one */
  async #requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await this.unknown()).status !== status) return
    checkSettings(['EVENT_PUBLISHING_API_KEY'], `every request with the key returned ${status}`)
  }

  /** Returns true if a request for an event that was published without an `Idempotency-Key` succeeds. */
  async #succeedsWithoutIdempotencyKey(send: (id: string) => Promise<Exchange>): Promise<boolean> {
    if (this.#target.eventId !== undefined) return false
    const publish = await this.publishedWithoutIdempotencyKey()
    const id = isSuccess(publish) ? await this.#idAtPlaceOf(publish) : undefined
    return id !== undefined && isSuccess(await send(id))
  }

  #isIdOfOthersUnknown(): boolean {
    const { eventId, eventIdPointer } = this.#target
    return eventId !== undefined && eventIdPointer === undefined
  }

  /** Returns the ID of an event; the ID of another event must be at the same place of the response. */
  async #id(payload?: Payload): Promise<string> {
    if (payload === undefined) return this.#target.eventId ?? (await this.found()).id
    if (this.#isIdOfOthersUnknown())
      skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
    const other = await this.publishedWith(payload)
    if (!isSuccess(other)) skip(`publishing another event returned ${other.status}`)
    const { place } = await this.found()
    const id = await this.#idAtPlaceOf(other)
    return id ?? skip(`the response to another event has no ID at ${place}`)
  }

  /** Returns the ID at the place where the response to the first event has it. */
  async #idAtPlaceOf(publish: Exchange): Promise<string | undefined> {
    const { place } = await this.found()
    const isValid = (one: { place: string; id: string }) =>
      one.place === place && PATH_SEGMENT.test(one.id)
    return findEventIds(publish, this.#target.eventIdPointer).find(isValid)?.id
  }

  #read(id: string): Promise<Exchange> {
    return this.#whenReady(id, 404, (options) => this.client.status(id, options))
  }

  #repeat(id: string): Promise<Exchange> {
    return this.#whenReady(id, 409, (options) => this.replayWith(options, id))
  }

  /** Sends a request for an event, and repeats it while the response to a new event has this status. */
  async #whenReady(
    id: string,
    status: 404 | 409,
    send: (options: KeyedOptions) => Promise<Exchange>,
  ): Promise<Exchange> {
    const credentials = this.credentials()
    let exchange = await send({ credentials })
    for (const wait of id === this.#target.eventId ? [] : DELAYS_MS) {
      if (exchange.status !== status) break
      await this.#run.wait(wait)
      exchange = await send({ credentials, fresh: true })
    }
    return exchange
  }

  // A second event is harmless. A new idempotency key keeps the server from repeating an earlier response.
  #publish(body: PublishedEvent, isIdempotent: boolean): Promise<Exchange> {
    return retryLostResponse(this.#run, () => {
      const idempotencyKey = isIdempotent ? randomUUID() : undefined
      return this.client.publish(body, { credentials: this.credentials(), idempotencyKey })
    })
  }

  /** Adds members to the JSON text of the configured payload, and leaves its own unchanged. */
  #payloadWith(members: object): string {
    const payload = this.#target.eventPayload
    const own = payload.trim().slice(1, -1)
    const added = Object.entries(members).filter(
      ([name]) => !Object.hasOwn(JSON.parse(payload), name),
    )
    const separator = own.trim() === '' || added.length === 0 ? '' : ','
    return `{${own}${separator}${JSON.stringify(Object.fromEntries(added)).slice(1)}`
  }
}
