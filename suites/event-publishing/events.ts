/** Publishes, reads and replays events, and finds out which rejections show something about the service. */
import { randomUUID } from 'node:crypto'
import { skipFor } from '../../lib/conformance/catalogue.ts'
import { checkSettings, inconclusive, skip } from '../../lib/conformance/check-errors.ts'
import { fixture, fixtureFor } from '../../lib/conformance/check-scope.ts'
import { allOrWorst } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import { retryLostResponse, untilAccepted } from '../../lib/conformance/retry-lost-responses.ts'
import { headerKey } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { clientOf, type KeyedCase, type KeyedOptions, KeyedRequests } from '../keyed.ts'
import { serviceIn } from '../service.ts'
import { findEventIds } from './event-id.ts'
import {
  DEFAULT_TYPE,
  type EventPublishingTarget,
  eventPublishingVariables,
  needs,
  otherKeyFields,
} from './variables.ts'

/** Delays between requests for a new event, which a server may find or replay only after a moment. */
const DELAYS_MS = [100, 300, 900]

/** Statuses of an event that the server does not find, or does not replay, yet. */
const NOT_YET = { status: 404, replay: 409 } as const

type EventEndpoint = keyof typeof NOT_YET

const idSettings = 'set EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID'

/** Excludes dot segments, which URLs resolve, and unpaired surrogates, which have no bytes. */
const isPathSegment = ({ id }: { id: string }) => /^(?!\.{1,2}$)\P{Cs}+$/u.test(id)

/** Every kind of JSON value, nested, and names of members of the event itself. */
const everyKindOfValue = {
  type: 'not the type of the event',
  payload: { type: null },
  text: 'Grüße, 世界 🚀 "quoted" \\ and a line\nbreak',
  numbers: [0, -1, 2.5, 1e21, 9007199254740991],
  mixed: [1, 'two', null, true, {}, []],
  empty: { list: [], object: {} },
  'a.dotted.name': { $set: { $id: 1 } },
  'a key with spaces, ключ': [[{ deep: [{ deeper: null }] }]],
}

/** Another event than the configured one. */
type Item = KeyedCase['item']

const isClientError = ({ status }: Exchange) => status >= 400 && status < 500
const isNoEndpoint = ({ status }: Exchange) => [404, 405, 501].includes(status)

/** Adds members to the JSON text of a payload, and leaves its own unchanged. */
function withMembers(payload: string, members: object): string {
  const own = payload.trim().slice(1, -1)
  const parsed: object = JSON.parse(payload)
  const added = Object.entries(members).filter(([name]) => !Object.hasOwn(parsed, name))
  const separator = own.trim() === '' || added.length === 0 ? '' : ','
  return `{${own}${separator}${JSON.stringify(Object.fromEntries(added)).slice(1)}`
}

export class Events {
  readonly #run: Run
  readonly #target: EventPublishingTarget
  readonly #client: ReturnType<typeof clientOf>
  readonly credentials

  /** @param key throws Skip if no key is configured */
  constructor(run: Run, target: EventPublishingTarget, key: () => string) {
    this.#run = run
    this.#target = target
    this.#client = clientOf(target.baseUrl, (request) => run.send('event-publishing', request))
    this.credentials = () => headerKey('X-Events-Key', key())
  }

  /** Sends the configured event, or another one. A parsed payload would have other numbers. */
  send(options: KeyedOptions, idempotencyKey?: string, item?: Item) {
    const { eventType = DEFAULT_TYPE, eventPayload: own } = this.#target
    const freeForm = item === 'free-form' ? withMembers(own, everyKindOfValue) : own
    const payload = item === 'empty' ? '{}' : freeForm
    const type = JSON.stringify(item === 'undotted type' ? 'Not A Dotted Form' : eventType)
    const body = `{"type":${type}${item === 'no payload' ? '' : `,"payload":${payload}`}}`
    const headers = {
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...options.headers,
    }
    return this.#client('publish', { ...options, headers, body })
  }

  /** Reads the status of an event, or replays it. */
  sendFor(endpoint: EventEndpoint, id: string, options: KeyedOptions): Promise<Exchange> {
    const body = endpoint === 'replay' ? this.#target.replayBody : undefined
    return this.#client(endpoint, { ...options, body }, id)
  }

  /** Response to the configured event. */
  readonly published = fixtureFor('event', async (key: 'with key' | 'without key') =>
    this.#publish(key === 'with key'),
  )

  /** Response to the configured event; without an `Idempotency-Key` if the server rejects it. */
  readonly accepted = fixture('accepted event', async () => {
    const first = await this.published('with key')
    return isSuccess(first) ? first : this.published('without key')
  })

  /** Publishes a further event. @throws Skip if the server rejects the configured one */
  async publish(item?: Item): Promise<Exchange> {
    await this.needsPublishing()
    return this.#publish(isSuccess(await this.published('with key')), item)
  }

  readonly publishedAs = fixtureFor('event', (item: Item) =>
    item === undefined ? this.accepted() : this.publish(item),
  )

  /** Uses the `Idempotency-Key` of the configured event again. @param item undefined for the same event */
  async repeat(item?: Item): Promise<Exchange> {
    await this.needsPublishing()
    const { request } = await this.published('with key')
    const { 'Idempotency-Key': key } = request.headers ?? {}
    const options = { credentials: this.credentials() }
    return retryLostResponse(this.#run, () => this.send(options, key, item))
  }

  /** ID of the published event, and its place in the response. */
  readonly found = fixture('event id', async () => {
    await this.needsPublishing()
    const all = findEventIds(await this.accepted(), this.#target.eventIdPointer)
    const candidates = all.filter(isPathSegment)
    const [likeliest, ...others] = candidates
    if (likeliest === undefined) {
      const problem = 'the publish response contains no event ID that can be part of a path'
      return (all.length > 0 ? inconclusive : skip)(`${problem}: ${idSettings}`)
    }
    if (others.length === 0) return likeliest
    const statuses = await allOrWorst(candidates.map(({ id }) => this.#sendWithKey('status', id)))
    return candidates[statuses.findIndex(isSuccess)] ?? likeliest
  })

  /** Returns the status of the configured event, or of another one; `unknown` was never published. */
  readonly status = fixtureFor('status of the event', async (item: Item) => {
    // Reports a missing key before it publishes an event.
    this.credentials()
    if (item !== 'unknown') return this.#whenReady('status', await this.#id(item))
    return this.#sendWithKey('status', `plumbline-${this.#run.settings.runId}-unknown`)
  })

  /** Returns the response to a replay of that event. */
  readonly replay = fixtureFor('replay of the event', async (item: Item): Promise<Exchange> => {
    // A server may limit replays, and the first one must be accepted.
    if (item !== undefined) await this.replay(undefined).catch(() => {})
    return untilAccepted(this.#run, async () =>
      this.#whenReady('replay', await this.existingId(item)),
    )
  })

  /** ID of the event that a publish request created; default: the published event. */
  async idIn(publish: Exchange): Promise<string> {
    const { eventId, eventIdPointer } = this.#target
    const isHidden = eventId !== undefined && eventIdPointer === undefined
    const id = isHidden ? undefined : await this.#idAtPlaceOf(publish)
    return id ?? this.existingId()
  }

  /** ID of the event, once it can be read if possible: a 404 of a new event would look like a rejected key. */
  async existingId(item?: Item): Promise<string> {
    await this.status(item).catch(() => undefined)
    return this.#id(item)
  }

  /** @throws Skip if the server rejects the configured event */
  async needsPublishing(): Promise<void> {
    const publish = await this.accepted()
    if (isSuccess(publish)) return
    await this.requireConclusivePublish()
    skip(
      `needs a published event, and the publish request returned ${publish.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  /** @throws Inconclusive if a rejected publish request proves nothing about the service */
  async requireConclusivePublish(): Promise<void> {
    const publish = await this.accepted()
    await this.#requireKey(publish)
    const problem = `the publish request returned ${publish.status}`
    if (isNoEndpoint(publish))
      checkSettings(['EVENT_PUBLISHING_BASE_URL'], `${problem}, like an unknown path`)
    if (this.#target.eventType === undefined && isClientError(publish))
      inconclusive(
        `${problem}, and the document does not state the allowed event types: ` +
          'set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
      )
  }

  /** Throws Inconclusive if neither a status request nor a replay finds the event ID. */
  readonly requireConclusiveStatus = fixture('conclusive status', async () => {
    const status = await this.status(undefined)
    if (!isClientError(status) || !isClientError(await this.replay(undefined))) return
    if (await this.#succeedsWithoutIdempotencyKey('status')) return
    const problem = 'neither a status request nor a replay finds the event'
    if (this.#target.eventId !== undefined) checkSettings(['EVENT_PUBLISHING_EVENT_ID'], problem)
    const { place } = await this.found()
    inconclusive(`${problem} ID at ${place} of the publish response: ${idSettings}`)
  })

  /** Throws Inconclusive if a rejected replay proves nothing about the service. */
  readonly requireConclusiveReplay = fixture('conclusive replay', async () => {
    const replay = await this.replay(undefined)
    await this.#requireKey(replay)
    if (!isClientError(replay)) return
    await this.requireConclusiveStatus()
    if (this.#target.replayBody !== undefined) return
    // If the event can be read, the body is not the reason.
    if (isNoEndpoint(replay) && isSuccess(await this.status(undefined))) return
    if (await this.#succeedsWithoutIdempotencyKey('replay')) return
    inconclusive(
      `the replay returned ${replay.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  })

  /** @throws Inconclusive if the service rejects every request with the key like this one */
  async #requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await this.status('unknown')).status !== status) return
    checkSettings(['EVENT_PUBLISHING_API_KEY'], `every request with the key returned ${status}`)
  }

  /** Returns true if a request for an event that was published without an `Idempotency-Key` succeeds. */
  async #succeedsWithoutIdempotencyKey(endpoint: EventEndpoint): Promise<boolean> {
    if (this.#target.eventId !== undefined) return false
    const publish = await this.published('without key')
    const id = isSuccess(publish) ? await this.#idAtPlaceOf(publish) : undefined
    return id !== undefined && isSuccess(await this.#whenReady(endpoint, id))
  }

  /** Returns the ID of an event; the ID of another event must be at the same place of the response. */
  async #id(item: Item): Promise<string> {
    const { eventId, eventIdPointer } = this.#target
    if (item === undefined) return eventId ?? (await this.found()).id
    if (eventId !== undefined && eventIdPointer === undefined)
      skip('EVENT_PUBLISHING_EVENT_ID is set, and EVENT_PUBLISHING_EVENT_ID_POINTER is not')
    const other = await this.publishedAs(item)
    if (!isSuccess(other)) skip(`publishing another event returned ${other.status}`)
    const id = await this.#idAtPlaceOf(other)
    return id ?? skip('the response to another event has no ID at the place of the first')
  }

  /** Returns the ID at the place where the response to the first event has it. */
  async #idAtPlaceOf(publish: Exchange): Promise<string | undefined> {
    const { place } = await this.found()
    const ids = findEventIds(publish, this.#target.eventIdPointer).filter(isPathSegment)
    return ids.find((one) => one.place === place)?.id
  }

  async #sendWithKey(endpoint: EventEndpoint, id: string, fresh = false): Promise<Exchange> {
    return this.sendFor(endpoint, id, { credentials: this.credentials(), fresh })
  }

  /** Sends a request for an event, and repeats it while a new event is not ready. */
  async #whenReady(endpoint: EventEndpoint, id: string): Promise<Exchange> {
    let exchange = await this.#sendWithKey(endpoint, id)
    for (const wait of id === this.#target.eventId ? [] : DELAYS_MS) {
      if (exchange.status !== NOT_YET[endpoint]) break
      await this.#run.wait(wait)
      exchange = await this.#sendWithKey(endpoint, id, true)
    }
    return exchange
  }

  // A second event is harmless. A new idempotency key keeps the server from repeating an earlier response.
  #publish(isIdempotent: boolean, item?: Item): Promise<Exchange> {
    return retryLostResponse(this.#run, async () => {
      const credentials = this.credentials()
      return this.send({ credentials }, isIdempotent ? randomUUID() : undefined, item)
    })
  }
}

export interface Context {
  target: EventPublishingTarget
  events: Events
  sender: KeyedRequests
}

export function createContext(run: Run): Context {
  const target = serviceIn(run.settings.target, 'eventPublishing')
  const apiKey = () => target.apiKey ?? skipFor(needs, 'event publishing key')
  const events = new Events(run, target, apiKey)
  /** Longer than a UUID. Sent with a wrong key, then with the right one (a rejected request creates no event), then with others. */
  const idempotencyKeyOfSequence = `plumbline-${randomUUID()}`
  /** Returns the ID of the event of a case, or of the event that was published before it on its connection. */
  const idFor = async ({ after }: KeyedCase): Promise<string> =>
    after?.endpoint === 'publish' ? events.idIn(await sender.send(after)) : events.existingId()
  const sender: KeyedRequests = new KeyedRequests({
    run,
    variable: eventPublishingVariables.table.apiKey.name,
    place: ['X-Events-Key', ''],
    otherFields: otherKeyFields,
    getKey: apiKey,
    endpoints: {
      publish: {
        right: events.publishedAs,
        send: (options) => {
          const idempotencyKey = options.connection ? idempotencyKeyOfSequence : randomUUID()
          return events.send(options, idempotencyKey)
        },
        unlimited: () => events.publish(),
      },
      status: {
        right: events.status,
        send: async (options, one) => events.sendFor('status', await idFor(one), options),
        // Then the event is not the latest, and was replayed.
        beforeSecond: () =>
          Promise.allSettled([events.publishedAs('free-form'), events.replay(undefined)]),
      },
      replay: {
        right: events.replay,
        send: async (options, one) => events.sendFor('replay', await idFor(one), options),
      },
    },
  })
  return { target, events, sender }
}
