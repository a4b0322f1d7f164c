import { randomUUID } from 'node:crypto'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import { KeyedCases, type KeyedSendOptions } from '../../../lib/conformance/keyed-cases.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { headerKey } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { createEventPublishingClient } from '../client.ts'
import { eventTable } from '../keyed-table.ts'
import { skipUnmetNeed } from '../requirements.ts'
import { findEventIds } from './event-id.ts'
import { type EventService, isClientError, isNoEndpoint, Publishing } from './publishing.ts'

/** Delays between requests for a new event, which a server may find or replay only after a moment. */
const DELAYS_MS = [100, 300, 900]

/** Excludes dot segments, which URLs resolve, and unpaired surrogates, which have no bytes. */
const PATH_SEGMENT = /^(?!\.{1,2}$)\P{Cs}+$/u

export class Events {
  readonly #service: EventService
  readonly #publishing: Publishing

  constructor(service: EventService, publishing: Publishing) {
    this.#service = service
    this.#publishing = publishing
  }

  /** ID of the published event, and its place in the response. */
  readonly found = fixture('event id', async () => {
    const { target, client, key } = this.#service
    await this.#publishing.needsPublishing()
    const all = findEventIds(await this.#publishing.accepted(), target.eventIdPointer)
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

  /** Returns the status of the event with the payload of a level; by default, of the configured one. */
  readonly status = (payload?: string) => this.#status(payload ?? 'its own', payload)
  readonly #status = fixtureFor('status of the event with', async (_, payload?: string) => {
    // Reports a missing key before it publishes an event.
    this.#service.key()
    const id = await this.#id(payload)
    return this.#whenReady(id, 404, (options) => this.#service.client.status(id, options))
  })

  /** Returns the response to a replay of that event. */
  readonly replay = (payload?: string) => this.#replay(payload ?? 'its own', payload)
  readonly #replay = fixtureFor('replay of the event with', (_, payload?: string) =>
    untilAccepted(this.#service.run, async () => {
      const id = await this.existingId(payload)
      return this.#whenReady(id, 409, (options) => this.replayWith(options, id))
    }),
  )

  replayWith(options: KeyedSendOptions, id: string): Promise<Exchange> {
    const { client, target } = this.#service
    return client.replay(id, { ...options, body: target.replayBody })
  }

  /** ID of the event that a publish request created; default: the published event. */
  async idIn(publish: Exchange): Promise<string> {
    const { eventId, eventIdPointer } = this.#service.target
    if (eventId !== undefined && eventIdPointer === undefined) return this.existingId()
    return (await this.#idAtPlaceOf(publish)) ?? this.existingId()
  }

  /** ID of the event, once it can be read if possible: a 404 of a new event would look like a rejected key. */
  async existingId(payload?: string): Promise<string> {
    await this.status(payload).catch(() => undefined)
    return this.#id(payload)
  }

  /** @throws Inconclusive if neither a status request nor a replay finds the event ID */
  async requireConclusiveStatus(exchange: Exchange): Promise<void> {
    if (!isClientError(exchange)) return
    const outcomes = await allOrWorst([this.status(), this.replay()])
    if (!outcomes.every(isClientError)) return
    const { client } = this.#service
    const read = (id: string) => this.#whenReady(id, 404, (options) => client.status(id, options))
    if (await this.#succeedsWithoutIdempotencyKey(read)) return
    if (this.#service.target.eventId !== undefined) {
      const problem = 'neither a status request nor a replay finds the event'
      checkSettings(['EVENT_PUBLISHING_EVENT_ID'], problem)
    }
    inconclusive(
      `neither a status request nor a replay finds the event ID at ${(await this.found()).place} of the ` +
        'publish response: set EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
    )
  }

  /** @throws Inconclusive if a rejected replay proves nothing about the service */
  async requireConclusiveReplay(replay: Exchange): Promise<void> {
    await this.#publishing.requireKey(replay)
    await this.requireConclusiveStatus(replay)
    if (this.#service.target.replayBody !== undefined || !isClientError(replay)) return
    // If the event can be read, the body is not the reason.
    if (isNoEndpoint(replay) && isSuccess(await this.status())) return
    const repeat = (id: string) =>
      this.#whenReady(id, 409, (options) => this.replayWith(options, id))
    if (await this.#succeedsWithoutIdempotencyKey(repeat)) return
    inconclusive(
      `the replay returned ${replay.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  /** Returns true if a request for an event that was published without an `Idempotency-Key` succeeds. */
  async #succeedsWithoutIdempotencyKey(send: (id: string) => Promise<Exchange>): Promise<boolean> {
    if (this.#service.target.eventId !== undefined) return false
    const publish = await this.#publishing.publishWithoutIdempotencyKey()
    const id = isSuccess(publish) ? await this.#idAtPlaceOf(publish) : undefined
    return id !== undefined && isSuccess(await send(id))
  }

  /** Returns the ID of an event; the ID of another event must be at the same place of the response. */
  async #id(payload?: string): Promise<string> {
    const { eventId, eventIdPointer } = this.#service.target
    if (payload === undefined) return eventId ?? (await this.found()).id
    if (eventId !== undefined && eventIdPointer === undefined) {
      skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
    }
    const other = await this.#publishing.eventWith(payload)
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
    return findEventIds(publish, this.#service.target.eventIdPointer).find(isValid)?.id
  }

  /** Sends a request for an event, and repeats it while the response to a new event has this status. */
  async #whenReady(
    id: string,
    status: 404 | 409,
    send: (options: KeyedSendOptions) => Promise<Exchange>,
  ): Promise<Exchange> {
    const { run, target, key } = this.#service
    const credentials = key()
    let exchange = await send({ credentials })
    for (const wait of id === target.eventId ? [] : DELAYS_MS) {
      if (exchange.status !== status) break
      await run.wait(wait)
      exchange = await send({ credentials, fresh: true })
    }
    return exchange
  }
}

export function createEventPublishingContext(run: Run) {
  const target = serviceIn(run.settings.target, 'eventPublishing')
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  const apiKey = () => target.apiKey ?? skipUnmetNeed('event publishing key')
  const key = () => headerKey(eventTable.place[0], apiKey())
  const service = { run, target, client, key }
  const publishing = new Publishing(service)
  const events = new Events(service, publishing)
  /** Longer than a UUID. Sent with a wrong key, then with the right one (a rejected request creates no event), then with others. */
  const idempotencyKeyOfSequence = `plumbline-${randomUUID()}`
  /** ID of the event that was published on the connection of the sequence. */
  const idOfSequence = async () => events.idIn(await keyed.exchange('publish', 'the key', true))
  const keyed: KeyedCases<keyof typeof eventTable.endpoints, keyof typeof eventTable.rules> =
    new KeyedCases(run, eventTable, apiKey, {
      publish: {
        control: (payload) => (payload ? publishing.eventWith(payload) : publishing.accepted()),
        unlimited: () => publishing.publish(publishing.event),
        send: (options) => {
          const idempotencyKey = options.connection ? idempotencyKeyOfSequence : randomUUID()
          return client.publish(publishing.event, { ...options, idempotencyKey })
        },
      },
      status: {
        control: events.status,
        // Then the event is not the latest, and was replayed.
        beforeSecond: () =>
          Promise.allSettled([publishing.eventWith('a free-form payload'), events.replay()]),
        send: async (options, { after }) =>
          client.status(await (after ? idOfSequence() : events.existingId()), options),
      },
      replay: {
        control: events.replay,
        send: async (options, { after }) =>
          events.replayWith(options, after ? await idOfSequence() : await events.existingId()),
      },
    })
  return { ...service, publishing, events, keyed }
}
