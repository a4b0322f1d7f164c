import type { ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import type { Reason } from '../results/reason.ts'
import { Interrupted } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

/** Requests that fail or succeed together: those of a service, or those of one of its paths. */
interface CircuitKind {
  keyOf(service: string, method: string, url: URL): string
  /** Whether an attempt failed; `undefined` for one that tells nothing. */
  hasFailed(record: ExchangeRecord): boolean | undefined
  /** The circuit opens after as many failures in a row that took as long together. */
  mostFailures: number
  shortestMs: number
  /** Requests that take something away and are sent all the same. */
  mostCleaning: number
  /** Why nothing else is sent. */
  reasonOf(failures: number, lastedMs: number, record: ExchangeRecord): Reason
}

/** Where the document of a service does not say which statuses refusals have, a 503 may well be one. */
const serviceIsDown = (documentsStatuses: readonly string[]): CircuitKind => ({
  keyOf: (service) => service,
  hasFailed: ({ service, response }) =>
    response === null || (documentsStatuses.includes(service) && isGatewayStatus(response.status)),
  // An unstable network does not fail as often in a row, and a server that restarts is back sooner.
  mostFailures: 16,
  shortestMs: 2000,
  mostCleaning: 8,
  reasonOf: (failures, lastedMs, { id }) => {
    return { kind: 'stopped', failures, exchange: id, lastedMs }
  },
})

/** A path that never answers, so that a run need not wait for each of its requests. */
const pathIsMute = (timeoutMs: number): CircuitKind => ({
  keyOf: (service, method, url) => `${service} ${method} ${url.pathname}`,
  hasFailed({ request, response, durationMs }) {
    // With https, half of the time is for the connection.
    const longestMs = request.url.startsWith('https:') ? timeoutMs / 2 : timeoutMs
    // What fails at once costs no time.
    return response === null && (durationMs >= 0.9 * longestMs || undefined)
  },
  mostFailures: 4,
  shortestMs: 0,
  mostCleaning: Number.POSITIVE_INFINITY,
  reasonOf: (failures, _, { id, request }) => {
    const path = `${request.method} ${new URL(request.url).pathname}`
    return { kind: 'stopped', failures, exchange: id, path }
  },
})

/** @param documentsStatuses services whose documents say which statuses refusals have */
export function createCircuitBreaker(
  timeoutMs: number,
  documentsStatuses: readonly string[],
  now: () => number = () => performance.now(),
) {
  const kinds = [serviceIsDown(documentsStatuses), pathIsMute(timeoutMs)]
  /** `cleaning`: failures to take something away since the circuit is open. */
  const circuits = new Map<
    string,
    { failures: number; since: number; cleaning: number; reason?: Reason }
  >()
  const answering = new Set<string>()

  return {
    /** Called with every attempt when it ends. */
    note(record: ExchangeRecord): void {
      const { service, purpose, request, response } = record
      if (response !== null && !isGatewayStatus(response.status)) answering.add(service)
      for (const kind of kinds) {
        const key = kind.keyOf(service, request.method, new URL(request.url))
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
          circuit.reason = kind.reasonOf(circuit.failures, lastedMs, record)
        }
      }
    },

    /** Called before each attempt. @throws Interrupted where the circuit is open */
    admit({ service, method, url, purpose }: ProbeRequest): void {
      for (const kind of kinds) {
        const circuit = circuits.get(kind.keyOf(service, method, url))
        if (circuit?.reason === undefined) continue
        if (purpose === CLEAN_UP && circuit.cleaning < kind.mostCleaning) continue
        throw new Interrupted(circuit.reason)
      }
    },

    /** Whether the service has ever given an answer of its own. */
    hasAnswered: (service: string): boolean => answering.has(service),
  }
}
