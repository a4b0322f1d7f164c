const BASE_DELAY_MS = 200
const LONGEST_WAIT_MS = 30_000

const passingStatuses = new Set([429, 500, 502, 503, 504])
const gatewayStatuses = new Set([429, 502, 503, 504])

/** Whether a GET answered with this status is worth repeating. */
export function isPassingStatus(status: number): boolean {
  return passingStatuses.has(status)
}

/** Statuses that a gateway in front of the service may send in its place. */
export function isGatewayStatus(status: number): boolean {
  return gatewayStatuses.has(status)
}

/**
 * Milliseconds that a `Retry-After` field asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3);
 * `undefined` when it is absent or neither.
 */
export function retryAfterMs(field: string | null, now: number): number | undefined {
  if (field === null) return undefined
  if (/^\d+$/.test(field.trim())) return Number(field) * 1000
  const date = Date.parse(field)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Milliseconds to wait after failed attempt number `attempt`: what the server asks for, else a
 * doubling delay with jitter. `undefined` when the server asks for longer than is worth waiting.
 */
export function delayBeforeRetry(
  attempt: number,
  retryAfter: string | null,
  now = Date.now(),
): number | undefined {
  const asked = retryAfterMs(retryAfter, now)
  if (asked !== undefined) return asked > LONGEST_WAIT_MS ? undefined : asked
  const longest = BASE_DELAY_MS * 2 ** (attempt - 1)
  return longest / 2 + (Math.random() * longest) / 2
}
