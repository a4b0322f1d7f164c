import { randomUUID } from 'node:crypto'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture, fixtureFor } from '../../../lib/conformance/fixture.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { retryLostResponse } from '../../../lib/conformance/retry-lost-responses.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { EventPublishingClient, PublishedEvent } from '../client.ts'
import type { EventPublishingTarget } from '../variables.ts'

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

export function isClientError({ status }: Exchange): boolean {
  return status >= 400 && status < 500
}

/** Returns true for the status of an unknown path or method. */
export function isNoEndpoint({ status }: Exchange): boolean {
  return status === 404 || status === 405 || status === 501
}

export interface EventService {
  run: Run
  target: EventPublishingTarget
  client: EventPublishingClient
  /** Returns the credentials, or throws `Skip` if there are none. */
  key: () => Credentials
}

export class Publishing {
  readonly #service: EventService
  /** Configured type and payload. */
  readonly event: PublishedEvent

  constructor(service: EventService) {
    this.#service = service
    this.event = { type: service.target.eventType, payload: service.target.eventPayload }
  }

  /** Response to the configured event with an `Idempotency-Key`. */
  readonly published = fixture('published event', async () => this.#send(this.event, true))

  readonly publishWithoutIdempotencyKey = fixture('event without Idempotency-Key', async () =>
    this.#send(this.event, false),
  )

  /** Response to the configured event; without an `Idempotency-Key` if the server rejects it. */
  readonly accepted = fixture('accepted event', async () => {
    const first = await this.published()
    return isSuccess(first) ? first : this.publishWithoutIdempotencyKey()
  })

  /** Publishes another event. @throws Skip if the server rejects the configured one */
  async publish(body: PublishedEvent): Promise<Exchange> {
    await this.needsPublishing()
    return this.#send(body, isSuccess(await this.published()))
  }

  /** Response to the configured event with the payload of a level. */
  readonly eventWith = fixtureFor('event with', async (level: string) => {
    const isEmpty = level === 'an empty payload'
    const payload = isEmpty ? '{}' : this.#payloadWith(everyKindOfValue)
    return this.publish({ ...this.event, payload })
  })

  /** Responses to one `Idempotency-Key`: for an event, for the same event, and for another event. */
  readonly repeated = fixture('repeated Idempotency-Key', async () => {
    await this.needsPublishing()
    const { run, client, key } = this.#service
    const payload = this.#payloadWith({ plumbline: 'another event', 'plumbline-probe': true })
    const first = await this.published()
    const options = {
      credentials: key(),
      idempotencyKey: first.request.headers?.['Idempotency-Key'],
    }
    return retryLostResponse(run, async () => {
      const again = await client.publish(this.event, options)
      const other = await client.publish({ ...this.event, payload }, options)
      return { first, again, other }
    })
  })

  /** Status of an event that was never published. */
  readonly unknownEvent = fixture('status of an unknown event', async () => {
    const { run, client, key } = this.#service
    return client.status(`plumbline-${run.settings.runId}-unknown`, { credentials: key() })
  })

  /** @throws Inconclusive if the service rejects every request with the key like this one */
  async requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await this.unknownEvent()).status !== status) return
    const problem = `every request with the key returned ${status}`
    checkSettings(['EVENT_PUBLISHING_API_KEY'], problem)
  }

  /** @throws Inconclusive if a rejected publish request proves nothing about the service */
  async requireConclusive(publish: Exchange): Promise<void> {
    await this.requireKey(publish)
    if (isNoEndpoint(publish)) {
      const problem = `the publish request returned ${publish.status}, like an unknown path`
      checkSettings(['EVENT_PUBLISHING_BASE_URL'], problem)
    }
    if (this.#service.target.eventTypeConfigured || !isClientError(publish)) return
    inconclusive(
      `the publish request returned ${publish.status}, and the document does not state the allowed ` +
        'event types: set EVENT_PUBLISHING_EVENT_TYPE (and EVENT_PUBLISHING_EVENT_PAYLOAD)',
    )
  }

  /** @throws Skip if the server rejects the configured event */
  async needsPublishing(): Promise<void> {
    const exchange = await this.accepted()
    if (isSuccess(exchange)) return
    await this.requireConclusive(exchange)
    skip(
      `needs a published event, and the publish request returned ${exchange.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

  // A second event is harmless. A new idempotency key keeps the server from repeating an earlier response.
  #send(body: PublishedEvent, isIdempotent: boolean): Promise<Exchange> {
    const { run, client, key } = this.#service
    return retryLostResponse(run, () => {
      const idempotencyKey = isIdempotent ? randomUUID() : undefined
      return client.publish(body, { credentials: key(), idempotencyKey })
    })
  }

  /** Adds members to the JSON text of the configured payload, and leaves its own unchanged. */
  #payloadWith(members: object): string {
    const payload = this.#service.target.eventPayload
    const own = payload.trim().slice(1, -1)
    const added = Object.entries(members).filter(
      ([name]) => !Object.hasOwn(JSON.parse(payload), name),
    )
    const separator = own.trim() === '' || added.length === 0 ? '' : ','
    return `{${own}${separator}${JSON.stringify(Object.fromEntries(added)).slice(1)}`
  }
}
