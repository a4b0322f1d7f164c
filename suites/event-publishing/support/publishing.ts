import { randomUUID } from 'node:crypto'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { retryLostResponse } from '../../../lib/conformance/retry-lost-responses.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { EventPublishingClient, PublishedEvent } from '../client.ts'
import type { EventPublishingTarget } from '../variables.ts'

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

export function isClientError({ status }: Exchange): boolean {
  return status >= 400 && status < 500
}

/** Returns true for the status of an unknown path or method. */
export function isNoEndpoint({ status }: Exchange): boolean {
  return status === 404 || status === 405 || status === 501
}

export interface Publishing {
  /** Configured type and payload. */
  readonly event: PublishedEvent
  /** Adds a member to the configured payload. */
  payloadWith(value: unknown): string
  /** Response to the configured event with an `Idempotency-Key`. */
  published(): Promise<Exchange>
  /** Response to the configured event; without an `Idempotency-Key` if the server rejects it. */
  accepted(): Promise<Exchange>
  publishWithoutIdempotencyKey(): Promise<Exchange>
  /** Publishes another event than the configured one. */
  publish(body: PublishedEvent): Promise<Exchange>
  /** Response to the configured event with every kind of JSON value in its payload. */
  withFreeFormPayload(): Promise<Exchange>
  /** Response to the configured event with the payload `{}`. */
  withEmptyPayload(): Promise<Exchange>
  /** Responses to one `Idempotency-Key`: for an event, for the same event, and for another event. */
  repeated(): Promise<Record<'first' | 'again' | 'other', Exchange>>
  /** Status of an event that was never published. */
  unknownEvent(): Promise<Exchange>
  /** @throws Inconclusive if the service rejects every request with the key like this one */
  requireKey(exchange: Exchange): Promise<void>
  /** @throws Inconclusive if a rejected publish request proves nothing about the service */
  requireConclusive(publish: Exchange): Promise<void>
  /** @throws Skip if the server rejects the configured event */
  needsPublishing(): Promise<void>
}

/** @param key returns the credentials, or throws `Skip` if there are none */
export function createPublishing(
  run: Run,
  target: EventPublishingTarget,
  client: EventPublishingClient,
  key: () => Credentials,
): Publishing {
  const event = { type: target.eventType, payload: target.eventPayload }
  const payloadWith = (value: unknown) => withMember(target.eventPayload, value)

  const unknownEvent = fixture('status of an unknown event', async () =>
    client.status(`plumbline-${run.settings.runId}-unknown`, { credentials: key() }),
  )

  // A second event is harmless. A new idempotency key keeps the server from repeating an earlier response.
  const send = (body: PublishedEvent, idempotent: boolean) =>
    retryLostResponse(run, () => {
      const idempotencyKey = idempotent ? randomUUID() : undefined
      return client.publish(body, { credentials: key(), idempotencyKey })
    })

  const published = fixture('published event', async () => send(event, true))

  const publishWithoutIdempotencyKey = fixture('event without Idempotency-Key', async () =>
    send(event, false),
  )

  const accepted = fixture('accepted event', async () => {
    const first = await published()
    return isSuccess(first) ? first : publishWithoutIdempotencyKey()
  })

  async function requireKey({ status }: Exchange): Promise<void> {
    if (status !== 401 && status !== 403) return
    if ((await unknownEvent()).status !== status) return
    const problem = `every request with the key returned ${status}`
    checkSettings(['EVENT_PUBLISHING_API_KEY'], problem)
  }

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

  async function needsPublishing(): Promise<void> {
    const exchange = await accepted()
    if (isSuccess(exchange)) return
    await requireConclusive(exchange)
    skip(
      `needs a published event, and the publish request returned ${exchange.status}; ` +
        'see event-publishing/publish/accepted',
    )
  }

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

  const repeated = fixture('repeated Idempotency-Key', async () => {
    await needsPublishing()
    const payload = payloadWith('another event')
    return retryLostResponse(run, async () => {
      const options = { credentials: key(), idempotencyKey: randomUUID() }
      const first = await client.publish(event, options)
      const again = await client.publish(event, options)
      const other = await client.publish({ ...event, payload }, options)
      return { first, again, other }
    })
  })

  return {
    event,
    payloadWith,
    published,
    accepted,
    publishWithoutIdempotencyKey,
    publish,
    withFreeFormPayload,
    withEmptyPayload,
    repeated,
    unknownEvent,
    requireKey,
    requireConclusive,
    needsPublishing,
  }
}
