import type { Exchange, ExchangeRecord, ProbeRequest } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { retryAfterMs } from '../probe/retry.ts'
import type { ReasonOf } from '../results/reason.ts'
import { getOrCreate } from '../text/group-by.ts'
import { Interrupted } from './check-errors.ts'
import { CLEAN_UP } from './check-scope.ts'

/** Consecutive failures, and their minimum total duration, after which a service counts as stopped. */
const MAX_SERVICE_FAILURES = 16
// An unstable network has fewer consecutive failures, and a restarting server returns sooner.
const MIN_OUTAGE_MS = 2000
/** Failed cleanup requests after which a stopped service gets no cleanup either. */
const MAX_CLEANUP_FAILURES = 8
/** Consecutive timeouts after which a path is not requested, so that a run does not wait for each. */
const MAX_PATH_FAILURES = 4

/** Consecutive failures of a service or a path. */
interface Circuit {
  failures: number
  /** End of the first one, and its duration. */
  since: number
  firstMs: number
  cleanupFailures: number
  /** Set if no more requests are sent. */
  reason?: ReasonOf<'stopped'>
}

const pathOf = (method: string, url: URL) => `${method} ${url.pathname}`

type ResponseParts = Pick<Exchange, 'status' | 'headers' | 'origin' | 'exceededPausesMs'>

/** Returns true for a response that is not of the service, or with status 500 and a time when to retry. */
const isUnavailable = ({ status, headers, origin }: ResponseParts) =>
  !mayBeOfService(origin) ||
  (status === 500 && retryAfterMs(headers.get('retry-after'), 0) !== undefined)

/** Returns functions that stop requests to services and paths after too many consecutive failures. */
export function createCircuitBreaker(timeoutMs: number, now = () => performance.now()) {
  const circuits = new Map<string, Circuit>()

  /** Counts a failure. @param stopWith returns parts of the reason if no more requests are to be sent */
  function countFailure(
    key: string,
    { id, purpose, durationMs }: ExchangeRecord,
    stopWith: (circuit: Circuit) => Partial<ReasonOf<'stopped'>> | undefined,
  ): void {
    const create = (): Circuit => {
      return { failures: 0, since: now(), firstMs: durationMs, cleanupFailures: 0 }
    }
    const circuit = getOrCreate(circuits, key, create)
    circuit.failures += 1
    if (circuit.reason !== undefined && purpose === CLEAN_UP) circuit.cleanupFailures += 1
    const { failures } = circuit
    const parts = stopWith(circuit)
    if (parts) circuit.reason ??= { kind: 'stopped', failures, exchange: id, ...parts }
  }

  function notePath(record: ExchangeRecord): void {
    const { service, request, response, durationMs } = record
    const path = pathOf(request.method, new URL(request.url))
    const key = `${service} ${path}`
    // With https, half of the timeout is for the connection. A fast failure does not slow down the run.
    const maxMs = request.url.startsWith('https:') ? timeoutMs / 2 : timeoutMs
    if (response !== null) circuits.delete(key)
    else if (durationMs >= 0.9 * maxMs)
      countFailure(key, record, ({ failures }) =>
        failures >= MAX_PATH_FAILURES ? { path } : undefined,
      )
  }

  return {
    /** Records a finished attempt. A request for a pause beyond the limit stops the requests to the service. */
    note(record: ExchangeRecord, response: ResponseParts | undefined): void {
      const pausesMs = response?.exceededPausesMs
      if (pausesMs !== undefined) countFailure(record.service, record, () => ({ pausesMs }))
      else if (response && !isUnavailable(response)) circuits.delete(record.service)
      else
        countFailure(record.service, record, ({ failures, since, firstMs }) => {
          const sinceMs = now() - since
          const hasStopped = failures >= MAX_SERVICE_FAILURES && sinceMs >= MIN_OUTAGE_MS
          return hasStopped ? { lastedMs: sinceMs + firstMs } : undefined
        })
      notePath(record)
    },

    /** @throws Interrupted if requests to the service or the path have stopped */
    admit({ service, method, url, purpose }: ProbeRequest): void {
      const own = circuits.get(service)
      const path = circuits.get(`${service} ${pathOf(method, url)}`)
      const mayCleanUp = purpose === CLEAN_UP && (own?.cleanupFailures ?? 0) < MAX_CLEANUP_FAILURES
      if (own?.reason && !mayCleanUp) throw new Interrupted(own.reason)
      if (path?.reason && purpose !== CLEAN_UP) throw new Interrupted(path.reason)
    },
  }
}
