import type { Exchange } from './exchange.ts'

/** How a request is repeated whose failure may be transient. */
export interface RetryPolicy<T> {
  /** Further attempts, at most; asked after each, since it may change meanwhile. */
  retries(): number
  /** What the server says of when to come back; `undefined` for an outcome that stays as it is. */
  transient(outcome: PromiseSettledResult<T>): { retryAfter: string | null } | undefined
  /** Waits, and tells whether another attempt is to be made. */
  wait(milliseconds: number): Promise<boolean>
}

const BASE_DELAY_MS = 200
const LONGEST_WAIT_MS = 30_000

/** The three forms of RFC 9110, 5.6.7: today's, that of RFC 850, and that of asctime(). */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}(?:, [\d-]{2,3}[\w -]+ [\d:]{8} GMT| [A-Z][\w ]+ [\d:]{8} \d{4})$/

/** Returns the `Retry-After` field of a response that is worth another attempt; undefined for others. */
export function transientIn({
  status,
  origin,
  headers,
}: Pick<Exchange, 'status' | 'origin' | 'headers'>): { retryAfter: string | null } | undefined {
  const isTransient = status === 500 || (origin.by === 'gateway' && origin.why !== 'too large')
  return isTransient ? { retryAfter: headers.get('retry-after') } : undefined
}

/** Milliseconds that a `Retry-After` field asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3). */
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
export function pauseAskedFor(retryAfter: string | null): number | undefined {
  const asked = retryAfterMs(retryAfter, Date.now()) ?? Number.POSITIVE_INFINITY
  return asked > LONGEST_WAIT_MS ? undefined : asked
}

/** Milliseconds until the next attempt; `undefined` when the server asks for longer than is worth it. */
export function delayBeforeRetry(attempt: number, retryAfter: string | null): number | undefined {
  if (retryAfterMs(retryAfter, 0) !== undefined) return pauseAskedFor(retryAfter)
  const longest = BASE_DELAY_MS * 2 ** (attempt - 1)
  return longest / 2 + (Math.random() * longest) / 2
}

/** One more for a service that is known to answer: on a bad network all attempts may fail by chance. */
export function furtherAttempts(retries: number, hasAnswered: boolean): number {
  return retries > 0 && hasAnswered ? retries + 1 : retries
}

/** What the last attempt comes to. An attempt is called with its number, from 1. */
export async function withRetries<T>(
  { retries, transient, wait }: RetryPolicy<T>,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    const [outcome] = await Promise.allSettled([attempt(number)])
    const failure = number <= retries() ? transient(outcome) : undefined
    const pause = failure && delayBeforeRetry(number, failure.retryAfter)
    if (pause !== undefined && (await wait(pause))) continue
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
}
