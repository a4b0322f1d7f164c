export type Origin =
  | { by: 'service' }
  | {
      by: 'gateway'
      /** `later`: retry later. `unavailable`: the gateway did not reach the service. */
      cause: 'later' | 'too large' | 'unavailable'
      /** True if the service may have sent it as a rejection, since its document states no statuses. */
      mayBeRejection: boolean
    }
  /** Invalid status code (RFC 9110, 15), which clients may treat as 5xx. */
  | { by: 'invalid'; cause: 'status' }

// 408: idle connection (RFC 9110, 15.5.9). 425: TLS (RFC 8470). 520 to 530: content network. 413: Plumbline's
// requests are never too large for a service.
const gatewayStatuses = new Map<number, 'later' | 'too large' | 'unavailable'>([
  ...[408, 425, 429].map((status) => [status, 'later'] as const),
  [413, 'too large'],
  ...[502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530].map(
    (status) => [status, 'unavailable'] as const,
  ),
])

/** @param documentsStatuses true if the document of the service states the status of each rejection */
export function originOf(status: number, documentsStatuses: boolean): Origin {
  if (status < 100 || status > 599) return { by: 'invalid', cause: 'status' }
  const cause = gatewayStatuses.get(status)
  if (cause === undefined) return { by: 'service' }
  return { by: 'gateway', cause, mayBeRejection: cause === 'unavailable' && !documentsStatuses }
}

/** Returns true if the service may have sent the response, also as a rejection with an undocumented status. */
export function mayBeOfService(origin: Origin): boolean {
  return origin.by === 'service' || (origin.by === 'gateway' && origin.mayBeRejection)
}
