import type { Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange, Send } from '../../lib/probe/exchange.ts'

const incidentStatusEndpoints = {
  update: 'POST /v1/incidents/{incidentId}/updates',
} as const

/** The documented endpoint of the incident status service. */
export interface IncidentStatusClient {
  /** @param body JSON text; `undefined` for a request without a body */
  update(
    incidentId: string,
    options: { credentials: Credentials; body?: string },
  ): Promise<Exchange>
}

/** @param baseUrl without a trailing slash; may have a path */
export function createIncidentStatusClient(baseUrl: string, send: Send): IncidentStatusClient {
  return {
    update: (incidentId, { credentials, body }) =>
      send({
        endpoint: incidentStatusEndpoints.update,
        method: 'POST',
        url: new URL(`${baseUrl}/v1/incidents/${encodeURIComponent(incidentId)}/updates`),
        credentials,
        headers: {
          Accept: 'application/json',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        body,
      }),
  }
}
