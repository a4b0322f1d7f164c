import { type Exchange, TransportError } from './exchange.ts'

export interface RetryPolicy<T> {
  /** Returns the maximum number of retries. Called after each attempt, since it may change. */
  retries(): number
  /** Returns a transient failure; undefined for a final outcome. */
  transient(outcome: PromiseSettledResult<T>): { retryAfter: string | null } | undefined
  /** Waits, and resolves to true if the request should be retried. */
  wait(milliseconds: number): Promise<boolean>
}

const BASE_DELAY_MS = 200
const MAX_WAIT_MS = 30_000

/** Maximum duration of all pauses that servers request in a run. */
const MAX_PAUSES_MS = 30_000

/** The three date formats of RFC 9110, 5.6.7: IMF-fixdate, RFC 850 and asctime(). */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}(?:, [\d-]{2,3}[\w -]+ [\d:]{8} GMT| [A-Z][\w ]+ [\d:]{8} \d{4})$/

/** Returns a transient failure; undefined if the pause that it requests exceeds the budget of the run. */
export function transientIn({
  status,
  origin,
  headers,
  exceededPausesMs,
}: Pick<Exchange, 'status' | 'origin' | 'headers' | 'exceededPausesMs'>) {
  const isTransient = status === 500 || (origin.by === 'gateway' && origin.cause !== 'too large')
  if (!isTransient || exceededPausesMs !== undefined) return undefined
  return { retryAfter: headers.get('retry-after') }
}

export function transientError(error: unknown) {
  const kind = error instanceof TransportError ? error.kind : undefined
  return kind === 'connection' || kind === 'timeout' ? { retryAfter: null } : undefined
}

/** Returns the delay of a `Retry-After` field (RFC 9110, 10.2.3) in milliseconds. */
export function retryAfterMs(field: string | null, now: number): number | undefined {
  if (field === null) return undefined
  const text = field.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // Date.parse also accepts values such as `-5` and `1.5`, and reads asctime() as local time.
  if (!HTTP_DATE.test(text)) return undefined
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Returns the requested delay in milliseconds; undefined if there is none or it is too long. */
export function retryAfterDelay(retryAfter: string | null): number | undefined {
  const delay = retryAfterMs(retryAfter, Date.now()) ?? Number.POSITIVE_INFINITY
  return delay > MAX_WAIT_MS ? undefined : delay
}

/** Pauses that servers request, which delay all requests of a run. */
export class RequestedPauses {
  /** Maximum duration of all pauses. */
  readonly limitMs: number
  #until = 0
  #totalMs = 0

  constructor(limitMs = MAX_PAUSES_MS) {
    this.limitMs = limitMs
  }

  /** Time until the next request may be sent; 0 or less if there is no pause. */
  get remainingMs(): number {
    return this.#until - Date.now()
  }

  /** Extends the pause; the time of concurrent pauses counts once. Returns false if too little is left for it. */
  extend(milliseconds: number): boolean {
    const addedMs = Math.max(0, milliseconds - Math.max(0, this.remainingMs))
    if (this.#totalMs + addedMs > this.limitMs) return false
    this.#totalMs += addedMs
    this.#until = Math.max(this.#until, Date.now() + milliseconds)
    return true
  }
}

/** Returns the delay before the next attempt in milliseconds; undefined if the server requests a too long one. */
export function delayBeforeRetry(attempt: number, retryAfter: string | null): number | undefined {
  if (retryAfterMs(retryAfter, 0) !== undefined) return retryAfterDelay(retryAfter)
  const maxDelay = BASE_DELAY_MS * 2 ** (attempt - 1)
  return maxDelay / 2 + (Math.random() * maxDelay) / 2
}

/** Returns the number of retries, one more if the service has responded before: all attempts may fail by chance. */
export function maxRetries(retries: number, hasResponded: boolean): number {
  return retries > 0 && hasResponded ? retries + 1 : retries
}

/** Returns the outcome of the last attempt. Attempts are numbered from 1. */
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
