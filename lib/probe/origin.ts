/** Source of a response, as far as the response shows it. */
export type Origin =
  | { by: 'service' }
  | {
      by: 'gateway'
      /** `later`: it asks for another attempt. `unavailable`: it did not reach the service. */
      why: 'later' | 'too large' | 'unavailable'
      /** True if the document of the service states no statuses: the service may reject requests so. */
      mayBeRejection: boolean
    }
  /** Three digits that have no meaning in HTTP (RFC 9110, 15): clients may take them for 5xx. */
  | { by: 'invalid'; why: 'status' }

// 408 closes an idle connection (RFC 9110, 15.5.9), 425 is of TLS (RFC 8470), 520 to 530 are those of a
// content network. 413: no request of Plumbline is too large for a service.
const gatewayStatuses = new Map<number, 'later' | 'too large' | 'unavailable'>([
  ...[408, 425, 429].map((status) => [status, 'later'] as const),
  [413, 'too large'],
  ...[502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530].map(
    (status) => [status, 'unavailable'] as const,
  ),
])

/** @param documentsStatuses the document of the service states the status of each rejection */
export function originOf(status: number, documentsStatuses: boolean): Origin {
  if (status < 100 || status > 599) return { by: 'invalid', why: 'status' }
  const why = gatewayStatuses.get(status)
  if (why === undefined) return { by: 'service' }
  return { by: 'gateway', why, mayBeRejection: why === 'unavailable' && !documentsStatuses }
}

/** Returns true if the service may have sent the response, be it as a rejection without a stated status. */
export function mayBeOfService(origin: Origin): boolean {
  return origin.by === 'service' || (origin.by === 'gateway' && origin.mayBeRejection)
}
