/** Sends the requests of deviations again, to find intermittent deviations. */
import type { Exchange } from '../probe/exchange.ts'
import { Inconclusive } from './check-errors.ts'
import {
  type FailedExpectation,
  failuresIn,
  isFailedExpectation,
  requestKey,
} from './deviations.ts'
import type { Run } from './probe-run.ts'

/** Maximum number of deviations of a check whose requests are sent again. */
const MAX_CONFIRMED = 5

/** Returns true if an equal request shows whether the deviation is there again. */
function isRepeatable({ exchange, deviates }: FailedExpectation): boolean {
  if (exchange === undefined || deviates === undefined) return false
  const { request, status } = exchange
  // A wrong password may lock an account. On its own connection, a request depends on the requests before it.
  return request.method === 'GET' && status !== 401 && request.connection === undefined
}

/** Returns the response to an equal request on a new connection; undefined if none is comparable. */
async function repeat({ request }: Exchange, run: Run): Promise<Exchange | undefined> {
  const { service, url, headers, credentials, body, endpoint } = request
  const connection = `confirmation ${run.exchanges.length}`
  const sent = { method: 'GET', url, headers, credentials, body, endpoint, connection }
  try {
    const again = await run.send(service, { ...sent, fresh: true, asWritten: true })
    for (const id of request.cases ?? []) again.request.cases?.add(id)
    // The token may be deleted meanwhile.
    return again.status === 401 ? undefined : again
  } catch (error) {
    if (error instanceof Inconclusive) return undefined
    throw error
  }
}

/** Returns an exchange of the run that has an equal request, and conforms. */
function findConforming({ exchange, deviates }: FailedExpectation, run: Run): Exchange | undefined {
  if (exchange === undefined || deviates === undefined) return undefined
  const key = requestKey(exchange)
  return run.exchanges.find(
    (other) =>
      other.id !== exchange.id &&
      other.status === 200 &&
      requestKey(other) === key &&
      !deviates(other),
  )
}

/** Adds to each failed expectation how often its request deviates again. */
export async function confirmDeviations(error: unknown, run: Run): Promise<void> {
  const { confirmations = 0 } = run.settings
  const failures = failuresIn(error).filter(isFailedExpectation).filter(isRepeatable)
  const confirmed = failures.slice(0, MAX_CONFIRMED).map(async (failure) => {
    const responses: Exchange[] = []
    for (let sent = 0; sent < confirmations; sent += 1) {
      const again = await repeat(failure.exchange as Exchange, run)
      if (again === undefined) break
      responses.push(again)
    }
    const right = responses.filter((again) => failure.deviates?.(again) === false)
    const first = right[0] ?? findConforming(failure, run)
    if (responses.length > 0) {
      // The first request counts too.
      const requests = responses.length + 1
      failure.repeated = { requests, deviating: requests - right.length }
    }
    if (first !== undefined) failure.conformedIn = first.id
  })
  await Promise.all(confirmed)
}
