import type { Send } from '../../lib/probe/exchange.ts'
import type { KeyedOptions } from '../keyed.ts'

/** Variable of the base URL, and the path of the API below it. */
export const incidentStatusAddress = { variable: 'INCIDENT_STATUS_BASE_URL', path: '/v1' } as const

/** @param baseUrl without a trailing slash; may have a path */
export function createIncidentStatusClient(baseUrl: string, send: Send) {
  return {
    /** @param options `body`: JSON text; undefined for a request without a body */
    update: (incidentId: string, options: KeyedOptions & { body?: string }) =>
      send({
        endpoint: 'POST /v1/incidents/{incidentId}/updates',
        method: 'POST',
        url: new URL(`${baseUrl}/v1/incidents/${encodeURIComponent(incidentId)}/updates`),
        ...options,
        headers: {
          Accept: 'application/json',
          ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...options.headers,
        },
      }),
  }
}
