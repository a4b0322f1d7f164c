import { randomBytes } from 'node:crypto'
import type { EndpointContext, Refusal } from '../endpoints.ts'
import { type ResponseParts, responseParts } from '../http.ts'
import { type KeyedDeployment, keyedRules } from '../keyed-service.ts'
import { type Environment, type Place, type RulesOf, tablesOf } from '../service.ts'

/** An entry of the timeline of an incident. */
export interface IncidentUpdate {
  readonly status: string
  readonly message: string
}

/** One running incident status service. */
export interface Deployment extends KeyedDeployment {
  /** The timeline of each incident, by the id of the incident. */
  readonly timelines: ReadonlyMap<string, IncidentUpdate[]>
}

export type RequestContext = EndpointContext<'add-update', Deployment>

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

const bearerRules = keyedRules(({ place }) => place === 'bearer', 'a bearer key is required')

/**
 * Every rule of the document, and a choice wherever it leaves one, as a function that stands alone:
 * none calls another, so that one can be replaced and nothing else changes.
 */
export const documentedRules = {
  ...bearerRules,
  errorParts: (refusal: Refusal): ResponseParts => {
    const parts = bearerRules.errorParts(refusal)
    if (refusal.status === 401) {
      parts.headers.set('WWW-Authenticate', 'Bearer realm="incident status"')
    }
    return parts
  },

  // Endpoints. The one response has no content; the content of the request is left open.
  /** The timeline to which updates of that incident are added; `undefined` when there is none. */
  timelineOf: (incidentId: string, { deployment }: RequestContext) =>
    deployment.timelines.get(incidentId),
  missingIncident: (): Refusal => ({ status: 404, message: 'there is no such incident' }),
  /** The update that the content of the request stands for; `undefined` when it is not one. */
  updateIn: ({
    status,
    message,
  }: Readonly<Record<string, unknown>>): IncidentUpdate | undefined => {
    const texts = typeof status === 'string' && typeof message === 'string'
    return texts ? { status, message } : undefined
  },
  /** Why an update is refused although everything is right; `undefined` when it is not. */
  updateRefused: (_update: IncidentUpdate): Refusal | undefined => undefined,
  /** The answer to an update that was added. */
  updatedParts: (_update: IncidentUpdate) => responseParts(204),
}

export type Rules = RulesOf<typeof documentedRules, RequestContext>

export const { altered, refused, within, faultsOf, variantsOf } = tablesOf<
  Rules,
  RequestContext,
  Deployment
>('incident-status')
