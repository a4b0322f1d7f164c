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
export class EventStore {
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
