import type { ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import { Interrupted } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

/** Requests that fail or succeed together: those of a service, or those of one of its paths. */
interface Circuit {
  /** Attempts in a row that failed. */
  failures: number
  /** When the first of them ended. */
  since: number
  /** Requests that take something away and failed since the circuit is open. */
  cleaning: number
  /** Set once the circuit is open: why nothing else is sent. */
  reason?: string
}

interface CircuitKind {
  circuitOf(service: string, method: string, url: URL): string
  /** Whether an attempt failed; `undefined` for one that tells nothing. */
  hasFailed(record: ExchangeRecord): boolean | undefined
  /** The circuit opens after as many failures in a row, ... */
  mostFailures: number
  /** ... which took as long together. */
  shortestMs: number
  /** Requests that take something away and are sent all the same. */
  mostCleaning: number
  reasonOf(circuit: Circuit, lastedMs: number, record: ExchangeRecord): string
}

/**
 * A service that has stopped to answer. Where its document does not say which statuses refusals have, a
 * 503 may well be one.
 */
const serviceIsDown = (documentsStatuses: readonly string[]): CircuitKind => ({
  circuitOf: (service) => service,
  hasFailed: ({ service, response }) =>
    response === null || (documentsStatuses.includes(service) && isGatewayStatus(response.status)),
  // An unstable network does not fail as often in a row.
  mostFailures: 16,
  // A server that restarts, or a gateway that does, is back sooner.
  shortestMs: 2000,
  mostCleaning: 8,
  reasonOf: ({ failures }, lastedMs, { request, response, error }) =>
    `the service stopped answering: ${failures} attempts in a row, within ` +
    `${Math.round(lastedMs / 1000)} s, brought no answer of its own (the last of them ` +
    `${request.method} ${request.url}: ${response?.status ?? error})`,
})

/** A path that never answers, so that a run need not wait for each of its requests. */
const pathIsMute = (timeoutMs: number): CircuitKind => ({
  circuitOf: (service, method, url) => `${service} ${method} ${url.pathname}`,
  hasFailed({ response, durationMs }) {
    if (response !== null) return false
    // What fails at once costs no time.
    return durationMs < 0.9 * timeoutMs ? undefined : true
  },
  mostFailures: 4,
  shortestMs: 0,
  mostCleaning: Number.POSITIVE_INFINITY,
  reasonOf: ({ failures }, _, { request }) =>
    `${request.method} ${new URL(request.url).pathname} is not asked for any more: ${failures} ` +
    'times in a row it had no answer within the time limit (PROBE_TIMEOUT_MS)',
})

/**
 * Ends the requests to a service, or to a path of it, that would only fail as those before.
 *
 * @param timeoutMs the time limit of an attempt
 * @param documentsStatuses names of services whose documents say which statuses refusals have
 * @param now a clock, in milliseconds
 */
export function createCircuitBreaker(
  timeoutMs: number,
  documentsStatuses: readonly string[],
  now: () => number = () => performance.now(),
) {
  const kinds = [serviceIsDown(documentsStatuses), pathIsMute(timeoutMs)]
  const circuits = new Map<string, Circuit>()
  const answering = new Set<string>()

  return {
    /** Called with every attempt when it ends. */
    note(record: ExchangeRecord): void {
      const { service, purpose, request, response } = record
      if (response !== null && !isGatewayStatus(response.status)) answering.add(service)
      for (const kind of kinds) {
        const key = kind.circuitOf(service, request.method, new URL(request.url))
        const hasFailed = kind.hasFailed(record)
        if (hasFailed === false) circuits.delete(key)
        if (!hasFailed) continue
        const circuit = circuits.get(key) ?? { failures: 0, since: now(), cleaning: 0 }
        circuits.set(key, circuit)
        circuit.failures += 1
        const lastedMs = now() - circuit.since
        if (circuit.reason !== undefined) {
          if (purpose === CLEAN_UP) circuit.cleaning += 1
        } else if (circuit.failures >= kind.mostFailures && lastedMs >= kind.shortestMs) {
          circuit.reason = kind.reasonOf(circuit, lastedMs, record)
        }
      }
    },

    /**
     * Called before each attempt. A few requests that take something away are admitted in any case.
     *
     * @throws Interrupted with the reason, where the circuit is open
     */
    admit({ service, method, url, purpose }: ProbeRequest): void {
      for (const kind of kinds) {
        const circuit = circuits.get(kind.circuitOf(service, method, url))
        if (circuit?.reason === undefined) continue
        if (purpose === CLEAN_UP && circuit.cleaning < kind.mostCleaning) continue
        throw new Interrupted(circuit.reason, { ends: false })
      }
    },

    /** Whether the service has ever given an answer of its own. */
    hasAnswered: (service: string): boolean => answering.has(service),
  }
}
