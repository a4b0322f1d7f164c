import { type Exchange, TransportError } from '../probe/exchange.ts'
import { maxRetries, transientError, transientIn, withRetries } from '../probe/retry.ts'
import { Inconclusive, inconclusiveResponse } from './check-errors.ts'

export interface RetrySettings {
  settings: { target: { probe: { retries: number } } }
  wait(milliseconds: number): Promise<void>
}

/** Returns the failure of a lost response to a request other than GET; undefined for other errors. */
function lostResponseIn(error: unknown) {
  if (!(error instanceof Inconclusive)) return undefined
  const { exchange, cause } = error
  const { record } = exchange ?? (cause instanceof TransportError ? cause : {})
  if (record === undefined || record.request.method === 'GET') return undefined
  return exchange ? transientIn(exchange) : transientError(cause)
}

/** Retries a request other than GET while its response is lost. It may have been carried out, so each attempt must be harmless. */
export async function retryLostResponse<T>(
  { settings, wait }: RetrySettings,
  /** Gets the number of the attempt, from 1. */
  make: (attempt: number) => Promise<T>,
): Promise<T> {
  return withRetries(
    {
      // The service has responded before.
      retries: () => maxRetries(settings.target.probe.retries, true),
      transient: (outcome) =>
        outcome.status === 'rejected' ? lostResponseIn(outcome.reason) : undefined,
      wait: (milliseconds) => wait(milliseconds).then(() => true),
    },
    make,
  )
}

/** Retries an identical request. A rejected retry is inconclusive: the first attempt may have succeeded. */
export async function untilAccepted(retry: RetrySettings, send: () => Promise<Exchange>) {
  return retryLostResponse(retry, async (attempt) => {
    const exchange = await send()
    const { status } = exchange
    if (attempt === 1 || (status >= 200 && status < 300)) return exchange
    const text = 'the first response was lost, and its request may be why the retry was rejected'
    return inconclusiveResponse(text, exchange)
  })
}
