import { randomUUID } from 'node:crypto'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { createKeyedCases } from '../../../lib/conformance/keyed-cases.ts'
import { untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { headerKey } from '../../../lib/probe/credentials.ts'
import type { Exchange, ServiceRequest } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { createEventPublishingClient, EVENTS_KEY_HEADER } from '../client.ts'
import { skipUnmetNeed } from '../requirements.ts'
import { findEventIds } from './event-id.ts'
import { type EventService, isClientError, isNoEndpoint, Publishing } from './publishing.ts'

/** Delays between reads of a new event, which a server may find only after a moment. */
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

  /** ID of the event, once it can be read if possible: a 404 of a new event would look like a rejected key. */
  async existingId(): Promise<string> {
    await this.status().catch(() => undefined)
    return this.#id()
  }

  /** Status of the event. */
  readonly status = fixture('status of the event', async () => {
    // Reports a missing key before it publishes an event.
    this.#service.key()
    return this.#statusOf(await this.#id())
  })

  /** Response to a replay of the event. */
  readonly replay = fixture('replay of the event', async () =>
    untilAccepted(this.#service.run, async () =>
      this.replayWith({ credentials: this.#service.key() }),
    ),
  )

  async replayWith(options: Pick<ServiceRequest, 'credentials'>): Promise<Exchange> {
    const { client, target } = this.#service
    return client.replay(await this.existingId(), { ...options, body: target.replayBody })
  }

  /** Status of another event; its ID must be at the same place of the response. */
  readonly statusOfAnother = fixture('status of another event', async () => {
    const { eventId, eventIdPointer } = this.#service.target
    if (eventId !== undefined && eventIdPointer === undefined) {
      skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
    }
    const [{ place }, other] = await Promise.all([
      this.found(),
      this.#publishing.withFreeFormPayload(),
    ])
    if (!isSuccess(other)) skip(`publishing another event returned ${other.status}`)
    const otherId = findEventIds(other, eventIdPointer).find(
      (candidate) => candidate.place === place && PATH_SEGMENT.test(candidate.id),
    )
    if (otherId === undefined) skip(`the response to another event has no ID at ${place}`)
    return this.#statusOf(otherId.id)
  })

  /** Status of the event after an accepted replay. */
  readonly statusAfterReplay = fixture('status after a replay', async () => {
    const replayed = await this.replay()
    if (!isSuccess(replayed)) skip(`the replay returned ${replayed.status}`)
    return this.#statusOf(await this.#id(), true)
  })

  /** @throws Inconclusive if neither a status request nor a replay finds the event ID */
  async requireConclusiveStatus(exchange: Exchange): Promise<void> {
    if (!isClientError(exchange)) return
    const outcomes = await allOrWorst([this.status(), this.replay()])
    if (!outcomes.every(isClientError)) return
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
    inconclusive(
      `the replay returned ${replay.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  async #id(): Promise<string> {
    return this.#service.target.eventId ?? (await this.found()).id
  }

  /** Reads the status of a new event, and retries while the server does not find it. */
  async #statusOf(id: string, fresh = false): Promise<Exchange> {
    const { run, target, client, key } = this.#service
    const credentials = key()
    let exchange = await client.status(id, { credentials, fresh })
    for (const wait of id === target.eventId ? [] : DELAYS_MS) {
      if (exchange.status !== 404) break
      await run.wait(wait)
      exchange = await client.status(id, { credentials, fresh: true })
    }
    return exchange
  }
}

export function createEventPublishingContext(run: Run = currentRun()) {
  const target = serviceIn(run.settings.target, 'eventPublishing')
  const client = createEventPublishingClient(target.baseUrl, (request) =>
    run.send('event-publishing', request),
  )
  const apiKey = () => target.apiKey ?? skipUnmetNeed('event publishing key')
  const place = (key: string) => headerKey(EVENTS_KEY_HEADER, key)
  const key = () => place(apiKey())
  const service = { run, target, client, key }
  const publishing = new Publishing(service)
  const events = new Events(service, publishing)
  /** Used by the request with a wrong key, and then with the right one: a rejected request is no event. */
  const rejectedIdempotencyKey = randomUUID()
  const keyed = createKeyedCases<'publish' | 'status' | 'replay'>(run, {
    variable: 'EVENT_PUBLISHING_API_KEY',
    key: apiKey,
    place,
    otherFields: ['X-Api-Key', 'Api-Key'],
    // Rare levels are sent to one endpoint.
    only: {
      repeated: ['publish'],
      'the key after a scheme': ['status'],
      'the key with the scheme token': ['publish'],
      'the key with the scheme ApiKey': ['replay'],
      'the key in the body': ['publish'],
    },
    endpoints: {
      publish: {
        control: publishing.accepted,
        async beforeSecond(exchange) {
          const rejected = await exchange('publish', 'a wrong key')
          if (isSuccess(rejected)) skip('the server accepts a wrong key')
        },
        unlimited: () => publishing.publish(publishing.event),
        async send(options, { kind, key, before }) {
          const isRejected = kind === 'right' || key === 'a wrong key'
          const own = isRejected ? rejectedIdempotencyKey : randomUUID()
          const first = before === 'repeated' ? await publishing.accepted() : undefined
          const idempotencyKey =
            first === undefined ? own : first.request.headers?.['Idempotency-Key']
          return client.publish(publishing.event, { ...options, idempotencyKey })
        },
      },
      status: {
        control: events.status,
        // Then the event is not the latest.
        beforeSecond: () => publishing.withFreeFormPayload().catch(() => undefined),
        further: {
          'The status of another event': events.statusOfAnother,
          'The status after a replay': events.statusAfterReplay,
        },
        send: async (options) => client.status(await events.existingId(), options),
      },
      replay: { control: events.replay, send: (options) => events.replayWith(options) },
    },
  })
  return { ...service, publishing, events, keyed }
}
