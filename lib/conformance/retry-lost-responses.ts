import { type Exchange, TransportError } from '../probe/exchange.ts'
import { furtherAttempts, type RetryPolicy, transientIn, withRetries } from '../probe/retry.ts'
import { Inconclusive, inconclusiveResponse } from './check-errors.ts'

export interface RetrySettings {
  settings: { target: { probe: { retries: number } } }
  wait(milliseconds: number): Promise<void>
}

/** The method of a request whose answer was lost or came from a gateway, and what it asks for. */
function lostAnswer(error: unknown): { method: string; retryAfter: string | null } | undefined {
  if (!(error instanceof Inconclusive)) return undefined
  const { exchange, cause } = error
  if (exchange !== undefined) {
    const transient = transientIn(exchange)
    return transient && { method: exchange.request.method, ...transient }
  }
  if (!(cause instanceof TransportError) || !cause.isTransient) return undefined
  return { method: cause.record.request.method, retryAfter: null }
}

/** Whether what was sent may have been done although nobody said so. */
export const isResponseLost = (error: unknown) => lostAnswer(error) !== undefined

/**
 * Makes a request that is no GET until it is answered. What was asked for may have been done although
 * the answer is lost: a further attempt, numbered from 1, must do no harm and tell the same, such as to
 * ask for a token of another name.
 */
export async function retryLostResponse<T>(
  { settings, wait }: RetrySettings,
  make: (attempt: number) => Promise<T>,
): Promise<T> {
  const policy: RetryPolicy<T> = {
    // Such a request is made of services that have answered before.
    retries: () => furtherAttempts(settings.target.probe.retries, true),
    transient(outcome) {
      const lost = outcome.status === 'rejected' ? lostAnswer(outcome.reason) : undefined
      return lost?.method === 'GET' ? undefined : lost
    },
    wait: (milliseconds) => wait(milliseconds).then(() => true),
  }
  return withRetries(policy, make)
}

/** For a request that cannot ask otherwise the second time: refused then, it is inconclusive. */
export async function untilAccepted(
  retry: RetrySettings,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  return retryLostResponse(retry, async (attempt) => {
    const exchange = await send()
    const { status } = exchange
    if (attempt === 1 || (status >= 200 && status < 300)) return exchange
    const text = 'the first answer was lost, and its request may be why the next one is a refusal'
    return inconclusiveResponse(text, exchange)
  })
}
