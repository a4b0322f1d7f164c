import type { RunningReference } from '../start-reference.ts'
import { type Answer, type RequestParts, ServiceClient } from '../test-client.fixture.ts'

export type Sent = Pick<RequestParts, 'headers' | 'authorization'>

/** An event that the plain service takes. */
export const plainEvent = { type: 'order.shipped', payload: { order: 17 } }

/** Speaks to the event publishing service of a reference deployment in its tests. */
export class EventClient extends ServiceClient {
  constructor(reference: RunningReference) {
    super(reference, 'event-publishing')
  }

  /** The header that every request needs. */
  get key(): Record<string, string> {
    return { 'X-Events-Key': this.variable('API_KEY') }
  }

  publish(
    body: unknown = plainEvent,
    sent: Sent = { headers: this.key },
    query = '',
  ): Promise<Answer> {
    return this.send(`/v1/events${query}`, { method: 'POST', body, ...sent })
  }

  /** Publishes with the key and these headers besides. */
  publishWith(headers: Record<string, string>, body: unknown = plainEvent): Promise<Answer> {
    return this.publish(body, { headers: { ...this.key, ...headers } })
  }

  status(eventId: string, sent: Sent = { headers: this.key }, query = ''): Promise<Answer> {
    return this.send(`/v1/events/${encodeURIComponent(eventId)}${query}`, sent)
  }

  replay(
    eventId: string,
    sent: Sent = { headers: this.key },
    query = '',
    body: unknown = this.variable('REPLAY_BODY'),
  ): Promise<Answer> {
    const path = `/v1/events/${encodeURIComponent(eventId)}/replay${query}`
    return this.send(path, { method: 'POST', body, ...sent })
  }

  /** The id of a new event, where the plain service gives it. */
  async newEventId(): Promise<string> {
    return String(Object((await this.publish()).json).id)
  }
}
