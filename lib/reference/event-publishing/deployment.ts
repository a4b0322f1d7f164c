import { randomBytes } from 'node:crypto'
import type { KeyedContext } from '../keyed-service.ts'
import type { Environment, Place } from '../service.ts'

/** An event that was published. */
export interface PublishedEvent {
  readonly id: string
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  /** The `Idempotency-Key` that it was published with. */
  readonly idempotencyKey: string | undefined
  /** How often it was delivered: once when it was published, and once for each replay. */
  attempts: number
}

/** Every event that the service has accepted. */
class EventStore {
  readonly #events = new Map<string, PublishedEvent>()
  readonly #eventsByIdempotencyKey = new Map<string, PublishedEvent>()

  /** How many there are. */
  get size(): number {
    return this.#events.size
  }

  add(event: Omit<PublishedEvent, 'attempts'>): PublishedEvent {
    const added = { ...event, attempts: 1 }
    this.#events.set(added.id, added)
    if (added.idempotencyKey !== undefined) {
      this.#eventsByIdempotencyKey.set(added.idempotencyKey, added)
    }
    return added
  }

  event(id: string): PublishedEvent | undefined {
    return this.#events.get(id)
  }

  eventPublishedWith(idempotencyKey: string): PublishedEvent | undefined {
    return this.#eventsByIdempotencyKey.get(idempotencyKey)
  }
}

/** One running event publishing service. */
export interface Deployment extends Place {
  readonly store: EventStore
  /** The key that its clients send. */
  readonly key: string
}

export type Endpoint = 'publish' | 'replay' | 'status'

export type RequestContext = KeyedContext<Endpoint, Deployment>

/** A service without events, and with a key that nobody can guess. */
export function newDeployment(place: Place): Deployment {
  return { ...place, store: new EventStore(), key: randomBytes(24).toString('base64url') }
}

/** Type and replay body are configured although any would do: only then does a refusal count. */
export function environmentOf(deployment: Deployment): Environment {
  return {
    EVENT_PUBLISHING_BASE_URL: deployment.baseUrl,
    EVENT_PUBLISHING_API_KEY: deployment.key,
    EVENT_PUBLISHING_EVENT_TYPE: 'reference.probed',
    EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ origin: 'conformance run' }),
    EVENT_PUBLISHING_REPLAY_BODY: '{}',
  }
}
