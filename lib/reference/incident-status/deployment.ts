import { randomBytes } from 'node:crypto'
import type { KeyedContext } from '../keyed-service.ts'
import type { Environment, Place } from '../service.ts'

/** An entry of the timeline of an incident. */
export interface IncidentUpdate {
  readonly status: string
  readonly message: string
}

/** One running incident status service. */
export interface Deployment extends Place {
  /** The timeline of each incident, by the id of the incident. */
  readonly timelines: ReadonlyMap<string, IncidentUpdate[]>
  /** The key that its clients send. */
  readonly key: string
}

export type RequestContext = KeyedContext<'add-update', Deployment>

/** The incident that is kept for tests. */
const testIncidentId = 'INC-2031'

/** A service with one incident, and with a key that nobody can guess. */
export function newDeployment(place: Place): Deployment {
  return {
    ...place,
    timelines: new Map([[testIncidentId, []]]),
    key: randomBytes(24).toString('base64url'),
  }
}

export function environmentOf(deployment: Deployment): Environment {
  const update = { status: 'monitoring', message: 'Added by a conformance run' }
  return {
    INCIDENT_STATUS_BASE_URL: deployment.baseUrl,
    INCIDENT_STATUS_API_KEY: deployment.key,
    INCIDENT_STATUS_INCIDENT_ID: testIncidentId,
    INCIDENT_STATUS_UPDATE_BODY: JSON.stringify(update),
  }
}
