const BASE_DELAY_MS = 200
const LONGEST_WAIT_MS = 30_000

/** The three forms of RFC 9110, 5.6.7: today's, that of RFC 850, and that of asctime(). */
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/**
 * What stands in the way between here and a service, or passes: 408 closes a connection that was idle
 * (RFC 9110, 15.5.9), 425 is of TLS (RFC 8470), and 520 to 530 are those of a content network.
 */
const passingStatuses = new Set([
  408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 530,
])

/** Whether a GET answered with this status is worth repeating. */
export function isPassingStatus(status: number): boolean {
  return status === 500 || passingStatuses.has(status)
}

/** Three digits that say nothing in HTTP (RFC 9110, 15): clients may take them for 5xx. */
export function isNoStatus(status: number): boolean {
  return status < 100 || status > 599
}

/** No request is too large for a service; what says so has a limit of its own, and has not read it. */
const TOO_LARGE = 413

/** Statuses that a gateway in front of the service may send in its place. */
export function isGatewayStatus(status: number): boolean {
  return passingStatuses.has(status) || status === TOO_LARGE || isNoStatus(status)
}

/**
 * Milliseconds that a `Retry-After` field asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3);
 * `undefined` when it is absent or neither.
 */
export function retryAfterMs(field: string | null, now: number): number | undefined {
  if (field === null) return undefined
  const text = field.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // Date.parse takes far more for a date, such as `-5` and `1.5`, and asctime() for local time.
  if (!HTTP_DATE.test(text)) return undefined
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Milliseconds that the server asks to wait; `undefined` when it asks for none, or for too many. */
export function pauseAskedFor(retryAfter: string | null, now = Date.now()): number | undefined {
  const asked = retryAfterMs(retryAfter, now)
  return asked === undefined || asked > LONGEST_WAIT_MS ? undefined : asked
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
