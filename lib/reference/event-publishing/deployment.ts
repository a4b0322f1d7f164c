import { randomBytes } from 'node:crypto'
import { EventStore, type PublishedEvent } from './store.ts'

/** One running event publishing service. */
export interface Deployment {
  readonly store: EventStore
  /** The key that its clients send. */
  readonly key: string
  /** Where it is reached: scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
}

/** A service without events, and with a key that nobody can guess. */
export function newDeployment(place: Pick<Deployment, 'baseUrl' | 'basePath'>): Deployment {
  return { ...place, store: new EventStore(), key: randomBytes(24).toString('base64url') }
}

/** Publishes an event without any check, as an operator does before a run. */
export function publishBeforehand(deployment: Deployment): PublishedEvent {
  return deployment.store.add({
    id: `event-${deployment.store.size + 1}`,
    type: 'operator.prepared',
    payload: {},
    idempotencyKey: undefined,
  })
}
