import { setTimeout as delay } from 'node:timers/promises'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { delayBeforeRetry, isPassingStatus } from '../probe/retry.ts'
import { Inconclusive, inconclusive } from './outcome.ts'

/** What is needed to try again, as a run has it. */
export interface Patience {
  settings: { target: { probe: { retries: number } } }
  wait(milliseconds: number): Promise<void>
}

/** The method of a request whose answer was lost or came from a gateway, and what it asks for. */
function lostAnswer(error: unknown): { method: string; retryAfter: string | null } | undefined {
  if (!(error instanceof Inconclusive)) return undefined
  const { exchange, cause } = error
  if (exchange !== undefined && isPassingStatus(exchange.status)) {
    return { method: exchange.request.method, retryAfter: exchange.headers.get('retry-after') }
  }
  if (!(cause instanceof TransportError) || !cause.passing) return undefined
  return { method: cause.record.request.method, retryAfter: null }
}

/** Whether what was sent may have been done although nobody said so. */
export function isAnswerLost(error: unknown): boolean {
  return lostAnswer(error) !== undefined
}

/** One more than a GET has at once, since a GET that failed in all of them gets others later. */
function mostAttempts(retries: number): number {
  return retries === 0 ? 1 : retries + 2
}

/**
 * Makes a request that is no GET until it is answered; a GET is repeated by the probe and the run. What
 * was asked for may have been done although the answer is lost: an attempt has to ask in such a way
 * that a second time does no harm and tells the same, such as for a token of another name.
 *
 * @param make is handed the number of the attempt, from 1
 * @throws what the last attempt threw
 */
export async function untilAnswered<T>(
  { settings, wait }: Patience,
  make: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make(attempt)
    } catch (error) {
      const lost = lostAnswer(error)
      if (lost === undefined || lost.method === 'GET') throw error
      if (attempt >= mostAttempts(settings.target.probe.retries)) throw error
      const pause = delayBeforeRetry(attempt, lost.retryAfter)
      if (pause === undefined) throw error
      await wait(pause)
    }
  }
}

/**
 * The same for a request that cannot ask otherwise the second time. Where it is refused then, that may
 * be because the first time did what it asked for.
 *
 * @throws Inconclusive in that case too
 */
export async function untilAccepted(
  patience: Patience,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  let attempts = 0
  const exchange = await untilAnswered(patience, (attempt) => {
    attempts = attempt
    return send()
  })
  const { status, record } = exchange
  if (attempts > 1 && (status < 200 || status >= 300)) {
    const { method, url } = record.request
    inconclusive(
      `the first answer to ${method} ${url} was lost, and the next one has status ${status}, ` +
        'which may be because the first request was carried out',
    )
  }
  return exchange
}

/** The patience of a run for what has to be done even after it was interrupted. */
export function unhurried({ settings }: Pick<Patience, 'settings'>): Patience {
  return { settings, wait: (milliseconds) => delay(milliseconds) }
}
