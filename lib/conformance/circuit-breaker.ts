import type { ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { mayBeOfService, type Origin } from '../probe/origin.ts'
import { retryAfterMs } from '../probe/retry.ts'
import type { Reason } from '../results/reason.ts'
import { Interrupted } from './check-errors.ts'
import { CLEAN_UP } from './check-scope.ts'

/** Rules for a group of requests that fail together: to a service, or to a path. */
interface CircuitKind {
  keyOf(service: string, method: string, url: URL): string
  /** Returns undefined if the attempt does not count. @param origin undefined without a response */
  hasFailed(record: ExchangeRecord, origin: Origin | undefined): boolean | undefined
  /** Consecutive failures, and their minimum total duration, that open the circuit. */
  failureThreshold: number
  minDurationMs: number
  /** Failed cleanup requests after which an open circuit stops cleanup too. */
  maxCleanupFailures: number
  reasonOf(failures: number, lastedMs: number, record: ExchangeRecord): Reason
}

const isRetryAfter = ({ name, value }: HeaderField) =>
  name.toLowerCase() === 'retry-after' && retryAfterMs(value, 0) !== undefined

const unavailableService: CircuitKind = {
  keyOf: (service) => service,
  // A service that says when to retry is unavailable, also with status 500.
  hasFailed: ({ response }, origin) =>
    origin === undefined ||
    !mayBeOfService(origin) ||
    (response?.status === 500 && response.headers.some(isRetryAfter)),
  // An unstable network has fewer consecutive failures, and a restarting server returns sooner.
  failureThreshold: 16,
  minDurationMs: 2000,
  maxCleanupFailures: 8,
  reasonOf: (failures, lastedMs, { id }) => {
    return { kind: 'stopped', failures, exchange: id, lastedMs }
  },
}

/** Paths without responses, so that a run does not wait for each request. */
const unresponsivePath = (timeoutMs: number): CircuitKind => ({
  keyOf: (service, method, url) => `${service} ${method} ${url.pathname}`,
  hasFailed({ request, response, durationMs }) {
    // With https, half of the timeout is for the connection.
    const maxMs = request.url.startsWith('https:') ? timeoutMs / 2 : timeoutMs
    // A fast failure does not slow down the run.
    return response === null && (durationMs >= 0.9 * maxMs || undefined)
  },
  failureThreshold: 4,
  minDurationMs: 0,
  maxCleanupFailures: Number.POSITIVE_INFINITY,
  reasonOf: (failures, _, { id, request }) => {
    const path = `${request.method} ${new URL(request.url).pathname}`
    return { kind: 'stopped', failures, exchange: id, path }
  },
})

interface Circuit {
  failures: number
  since: number
  cleanupFailures: number
  reason?: Reason
}

/** Returns functions that stop requests to services and paths after too many consecutive failures. */
export function createCircuitBreaker(timeoutMs: number, now = () => performance.now()) {
  const kinds = [unavailableService, unresponsivePath(timeoutMs)]
  const circuits = new Map<string, Circuit>()
  const respondingServices = new Set<string>()
  return {
    /**
     * Records a finished attempt.
     *
     * @param origin undefined without a response
     * @param pausesMs limit of all pauses, if it requests a pause beyond it, which opens the circuit of the service
     */
    note(record: ExchangeRecord, origin: Origin | undefined, pausesMs?: number): void {
      const { id: exchange, service, purpose, request } = record
      if (origin?.by === 'service') respondingServices.add(service)
      for (const kind of kinds) {
        const key = kind.keyOf(service, request.method, new URL(request.url))
        const isRefused = pausesMs !== undefined && kind === unavailableService
        const hasFailed = isRefused || kind.hasFailed(record, origin)
        if (hasFailed === false) circuits.delete(key)
        if (!hasFailed) continue
        const circuit = circuits.get(key) ?? { failures: 0, since: now(), cleanupFailures: 0 }
        circuits.set(key, circuit)
        circuit.failures += 1
        const { failures } = circuit
        const lastedMs = now() - circuit.since
        if (circuit.reason !== undefined) {
          if (purpose === CLEAN_UP) circuit.cleanupFailures += 1
        } else if (isRefused) {
          circuit.reason = { kind: 'stopped', failures, exchange, pausesMs }
        } else if (failures >= kind.failureThreshold && lastedMs >= kind.minDurationMs) {
          circuit.reason = kind.reasonOf(failures, lastedMs, record)
        }
      }
    },

    /** @throws Interrupted if the circuit of the request is open */
    admit({ service, method, url, purpose }: ProbeRequest): void {
      for (const kind of kinds) {
        const circuit = circuits.get(kind.keyOf(service, method, url))
        if (circuit?.reason === undefined) continue
        if (purpose === CLEAN_UP && circuit.cleanupFailures < kind.maxCleanupFailures) continue
        throw new Interrupted(circuit.reason)
      }
    },

    hasResponded: (service: string): boolean => respondingServices.has(service),
  }
}
