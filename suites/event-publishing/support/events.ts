import { randomUUID } from 'node:crypto'
import { keyedRequests, keyInQuery } from '../../../lib/conformance/api-key.ts'
import { checkSettings, inconclusive, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../../lib/conformance/each.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { basic, bearer, type Credentials, headerKey } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import {
  createEventPublishingClient,
  EVENTS_KEY_HEADER,
  type EventPublishingClient,
} from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'
import type { EventPublishingTarget } from '../variables.ts'
import { type FoundEventId, findEventIds } from './event-id.ts'
import { createPublishing, isClientError, isNoEndpoint, type Publishing } from './publishing.ts'

/** Delays between reads of a new event, which a server may find only after a moment. */
const DELAYS_MS = [100, 300, 900]

/** Excludes dot segments, which URLs resolve, and unpaired surrogates, which have no bytes. */
const PATH_SEGMENT = /^(?!\.{1,2}$)\P{Cs}+$/u

export interface Events {
  /** ID of the published event, and its place in the response. */
  found(): Promise<FoundEventId>
  /** ID of the event, once it can be read if possible: a 404 of a new event would look like a rejected key. */
  existingId(): Promise<string>
  /** Status of the event. */
  status(): Promise<Exchange>
  /** Response to a replay of the event. */
  replay(): Promise<Exchange>
  replayWith(credentials: Credentials): Promise<Exchange>
  /** Status of another event; its ID must be at the same place of the response. */
  statusOfAnother(): Promise<Exchange>
  /** Status of the event after an accepted replay. */
  statusAfterReplay(): Promise<Exchange>
  /** @throws Inconclusive if neither a status request nor a replay finds the event ID */
  requireConclusiveStatus(exchange: Exchange): Promise<void>
  /** @throws Inconclusive if a rejected replay proves nothing about the service */
  requireConclusiveReplay(replay: Exchange): Promise<void>
}

function createEvents(
  run: Run,
  target: EventPublishingTarget,
  client: EventPublishingClient,
  key: () => Credentials,
  { needsPublishing, accepted, withFreeFormPayload, requireKey }: Publishing,
): Events {
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

  const status = fixture('status of the event', async () => {
    // Reports a missing key before it publishes an event.
    key()
    return statusOf(await eventId())
  })

  async function existingId(): Promise<string> {
    await status().catch(() => undefined)
    return eventId()
  }

  const replayWith = async (credentials: Credentials) =>
    client.replay(await existingId(), { credentials, body: target.replayBody })

  const replay = fixture('replay of the event', async () =>
    untilAccepted(run, async () => replayWith(key())),
  )

  async function requireConclusiveStatus(exchange: Exchange): Promise<void> {
    if (!isClientError(exchange)) return
    const outcomes = await allOrWorst([status(), replay()])
    if (!outcomes.every(isClientError)) return
    if (target.eventId !== undefined) {
      const problem = 'neither a status request nor a replay finds the event'
      checkSettings(['EVENT_PUBLISHING_EVENT_ID'], problem)
    }
    inconclusive(
      `neither a status request nor a replay finds the event ID at ${(await found()).place} of the ` +
        'publish response: set EVENT_PUBLISHING_EVENT_ID_POINTER or EVENT_PUBLISHING_EVENT_ID',
    )
  }

  async function requireConclusiveReplay(rejected: Exchange): Promise<void> {
    await requireKey(rejected)
    await requireConclusiveStatus(rejected)
    if (target.replayBody !== undefined || !isClientError(rejected)) return
    // If the event can be read, the body is not the reason.
    if (isNoEndpoint(rejected) && isSuccess(await status())) return
    inconclusive(
      `the replay returned ${rejected.status}, and the document does not state the body of a replay: ` +
        'set EVENT_PUBLISHING_REPLAY_BODY',
    )
  }

  const statusOfAnother = fixture('status of another event', async () => {
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
  })

  const statusAfterReplay = fixture('status after a replay', async () => {
    const replayed = await replay()
    if (!isSuccess(replayed)) skip(`the replay returned ${replayed.status}`)
    return statusOf(await eventId(), true)
  })

  return {
    found,
    existingId,
    status,
    replay,
    replayWith,
    statusOfAnother,
    statusAfterReplay,
    requireConclusiveStatus,
    requireConclusiveReplay,
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
  const publishing = createPublishing(run, target, client, key)
  const events = createEvents(run, target, client, key, publishing)
  const keyedRequest = keyedRequests(run, {
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

  const keyed = {
    publish: keyedRequest('publish', publishing.accepted, (credentials) =>
      client.publish(publishing.event, { credentials, idempotencyKey: randomUUID() }),
    ),
    status: keyedRequest('status', events.status, async (credentials) =>
      client.status(await events.existingId(), { credentials }),
    ),
    replay: keyedRequest('replay', events.replay, events.replayWith),
  }
  return { target, client, key, publishing, events, keyed }
}
