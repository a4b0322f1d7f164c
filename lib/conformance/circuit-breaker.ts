import type { ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { mayBeOfService, type Origin } from '../probe/origin.ts'
import type { Reason } from '../results/reason.ts'
import { Interrupted } from './check-errors.ts'
import { CLEAN_UP } from './evidence-scope.ts'

/** Requests that fail or succeed together: those of a service, or those of one of its paths. */
interface CircuitKind {
  keyOf(service: string, method: string, url: URL): string
  /** Returns whether an attempt failed; undefined if it shows neither. An origin is of a response. */
  hasFailed(record: ExchangeRecord, origin: Origin | undefined): boolean | undefined
  /** The circuit opens after as many failures in a row that took as long together. */
  mostFailures: number
  shortestMs: number
  /** Requests that take something away and are sent all the same. */
  mostCleaning: number
  /** Why nothing else is sent. */
  reasonOf(failures: number, lastedMs: number, record: ExchangeRecord): Reason
}

const serviceIsDown: CircuitKind = {
  keyOf: (service) => service,
  hasFailed: (_, origin) => origin === undefined || !mayBeOfService(origin),
  // An unstable network does not fail as often in a row, and a server that restarts is back sooner.
  mostFailures: 16,
  shortestMs: 2000,
  mostCleaning: 8,
  reasonOf: (failures, lastedMs, { id }) => {
    return { kind: 'stopped', failures, exchange: id, lastedMs }
  },
}

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

interface Circuit {
  failures: number
  since: number
  /** Failures to take something away since the circuit is open. */
  cleaning: number
  /** Why it is open; undefined while it is closed. */
  reason?: Reason
}

/** Stops requests to what has failed too often in a row. */
export class CircuitBreaker {
  readonly #kinds: readonly CircuitKind[]
  readonly #now: () => number
  readonly #circuits = new Map<string, Circuit>()
  readonly #answering = new Set<string>()

  constructor(timeoutMs: number, now: () => number = () => performance.now()) {
    this.#kinds = [serviceIsDown, pathIsMute(timeoutMs)]
    this.#now = now
  }

  /** Called with every attempt when it ends. @param origin undefined without a response */
  note(record: ExchangeRecord, origin: Origin | undefined): void {
    const { service, purpose, request } = record
    if (origin?.by === 'service') this.#answering.add(service)
    for (const kind of this.#kinds) {
      const key = kind.keyOf(service, request.method, new URL(request.url))
      const hasFailed = kind.hasFailed(record, origin)
      if (hasFailed === false) this.#circuits.delete(key)
      if (!hasFailed) continue
      const now = this.#now()
      const circuit = this.#circuits.get(key) ?? { failures: 0, since: now, cleaning: 0 }
      this.#circuits.set(key, circuit)
      circuit.failures += 1
      const lastedMs = now - circuit.since
      if (circuit.reason !== undefined) {
        if (purpose === CLEAN_UP) circuit.cleaning += 1
      } else if (circuit.failures >= kind.mostFailures && lastedMs >= kind.shortestMs) {
        circuit.reason = kind.reasonOf(circuit.failures, lastedMs, record)
      }
    }
  }

  /** Called before each attempt. @throws Interrupted if the circuit is open */
  admit({ service, method, url, purpose }: ProbeRequest): void {
    for (const kind of this.#kinds) {
      const circuit = this.#circuits.get(kind.keyOf(service, method, url))
      if (circuit?.reason === undefined) continue
      if (purpose === CLEAN_UP && circuit.cleaning < kind.mostCleaning) continue
      throw new Interrupted(circuit.reason)
    }
  }

  /** Returns true if a response of the service itself has come. */
  hasAnswered(service: string): boolean {
    return this.#answering.has(service)
  }
}
