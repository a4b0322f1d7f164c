import { randomBytes } from 'node:crypto'

/** An entry of the timeline of an incident. */
export interface IncidentUpdate {
  readonly status: string
  readonly message: string
}

/** One running incident status service. */
export interface Deployment {
  /** The timeline of each incident, by the id of the incident. */
  readonly timelines: ReadonlyMap<string, IncidentUpdate[]>
  /** The key that its clients send. */
  readonly key: string
  /** Where it is reached: scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
}

/** The incident that is kept for tests. */
export const testIncidentId = 'INC-2031'

/** A service with one incident, and with a key that nobody can guess. */
export function newDeployment(place: Pick<Deployment, 'baseUrl'>): Deployment {
  return {
    ...place,
    timelines: new Map([[testIncidentId, []]]),
    key: randomBytes(24).toString('base64url'),
  }
}
