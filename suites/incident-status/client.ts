import type { Credentials } from '../../lib/probe/credentials.ts'
import type { Send } from '../../lib/probe/exchange.ts'

/**
 * The documented endpoint of the incident status service.
 *
 * @param baseUrl without a trailing slash; may have a path
 */
export function createIncidentStatusClient(baseUrl: string, send: Send) {
  return {
    /** @param options `body`: JSON text, where the request has a body */
    update: (
      incidentId: string,
      { credentials, body }: { credentials: Credentials; body?: string },
    ) =>
      send({
        endpoint: 'POST /v1/incidents/{incidentId}/updates',
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
