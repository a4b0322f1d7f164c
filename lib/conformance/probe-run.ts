import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from '../environment/environment.ts'
import { baseUrlIn, publicTexts, type Target } from '../environment/target.ts'
import type { Secret } from '../environment/variable.ts'
import { type Ledger, openLedger } from '../ledger/ledger.ts'
import { isBelow } from '../probe/base-url.ts'
import {
  type Exchange,
  type ProbeRequest,
  type ServiceRequest,
  TransportError,
} from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { createProbe, type Probe } from '../probe/probe.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { LeakedResource } from '../results/run-report.ts'
import { requireNeeds, wordsOf, writing } from './catalogue.ts'
import { Inconclusive, Interrupted, inconclusive } from './check-errors.ts'
import { CLEAN_UP, currentScope } from './check-scope.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import {
  channelOf,
  createRequestSignals,
  interruptionSignal,
  type RequestSignals,
} from './run-channel.ts'

/** Settings that the command passes to the worker thread. Structured-cloneable. */
export interface RunSettings {
  runId: string
  version: string
  target: Target
  secrets: Secret[]
  /** Effective configuration by variable, redacted. */
  variables?: Settings
  /** True if the target is the reference server, which is never reached through a proxy. */
  embedded: boolean
  /** Ids of the reported requirements. */
  selected: string[]
  /** Ids of the requirements whose checks run; invariants judge the exchanges of all checks. */
  checks: string[]
  documentsStatuses?: readonly string[]
  ledgerFile?: string
  /** True if each test file is a separate run with its own id. */
  perFile?: boolean
  /** True if tests report no exchanges, because no reporter redacts them again. */
  withoutExchanges?: boolean
}

/** Sorts parameters by name without normalizing them; parameters of the same name keep their order. */
function sortedQuery(query: string): string {
  const nameOf = (parameter = '') => parameter.split('=', 1)[0] ?? ''
  const parameters = query.slice(1).split('&')
  return parameters
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))))
    .join('&')
}

/** Percent-encodes the first letter after the version in a path. */
const withEncodedLetter = (path: string) =>
  path.replace(/(?<=\/v\d+\/)[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

function inconclusiveFor(error: TransportError): Inconclusive {
  const { kind, detail, record } = error
  const reasonKind = kind === 'unreadable' ? kind : 'transport'
  return new Inconclusive({ kind: reasonKind, exchange: record.id, detail }, { cause: error })
}

/** @throws Inconclusive for a response that the service did not send */
function requireOfService(exchange: Exchange): void {
  const { id, status, origin } = exchange
  if (origin.by === 'service') return
  const kind = origin.by === 'gateway' ? 'gateway' : 'invalid status'
  throw new Inconclusive({ kind, exchange: id, status }, { exchange })
}

export interface Run {
  readonly settings: RunSettings
  readonly redactor: Redactor
  /** Removes values that differ between runs from a text. */
  readonly normalize: (text: string) => string
  readonly ledger: Ledger
  readonly leakedResources: LeakedResource[]
  /** Cleanup after all checks, such as the deletion of created resources. */
  readonly closings: (() => Promise<void>)[]
  /** All exchanges with a response, including retried ones. */
  readonly exchanges: readonly Exchange[]
  wait(milliseconds: number): Promise<void>
  /**
   * Sends a request; identical GET requests are sent once. @throws Skip for methods other than GET in
   * read-only mode, and Inconclusive without a response of the service or outside of its base URL
   */
  send(service: string, request: ServiceRequest): Promise<Exchange>
  takeUnreported(): ExchangeRecord[]
  close(): Promise<void>
}

class ProbeRun implements Run {
  readonly settings: RunSettings
  readonly redactor: Redactor
  readonly normalize: Run['normalize']
  readonly ledger: Ledger
  readonly leakedResources: LeakedResource[] = []
  readonly closings: Run['closings'] = []
  readonly exchanges: Exchange[] = []
  readonly #unreported: ExchangeRecord[] = []
  readonly #interruption: AbortSignal
  readonly #signalFor: RequestSignals
  readonly #breaker: CircuitBreaker
  readonly #probe: Probe
  readonly #closeSecrets: () => void
  /** Responses of identical GET requests. */
  readonly #cachedResponses = new Map<string, Promise<Exchange>>()

  constructor(settings: RunSettings, beforeSend: (request: ProbeRequest) => void) {
    const { runId, target, embedded, secrets } = settings
    const discovered = channelOf('secret', runId)
    this.settings = settings
    this.redactor = new Redactor({
      names: [`plumbline-${runId}`, ...publicTexts(target, secrets)],
      secrets,
      words: wordsOf(settings.checks),
      onSecret: discovered.post,
    })
    this.normalize = createNormalizer({ run: { id: runId }, target })
    this.ledger = openLedger(settings.ledgerFile, runId, embedded, inconclusive)
    this.#closeSecrets = discovered.close
    this.#interruption = interruptionSignal(runId)
    this.#signalFor = createRequestSignals(this.#interruption)
    this.#breaker = new CircuitBreaker(target.probe.timeoutMs)
    this.#probe = createProbe({
      ...target.probe,
      hasResponded: (service) => this.#breaker.hasResponded(service),
      documentsStatuses: settings.documentsStatuses,
      ...(embedded ? { proxy: undefined, headers: undefined } : {}),
      userAgent: `plumbline/${settings.version}`,
      runId,
      redactor: this.redactor,
      unreadBody: inconclusiveFor,
      beforeSend: (request) => {
        if (this.#isInterrupted(request.purpose)) throw this.#interrupted()
        this.#breaker.admit(request)
        beforeSend(request)
      },
      onExchange: (record, exchange) => {
        this.#breaker.note(record, exchange?.origin, exchange?.exceededPausesMs)
        this.#unreported.push(record)
        if (exchange !== undefined) this.exchanges.push(exchange)
      },
    })
  }

  readonly wait = (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal: this.#interruption }).catch(() => {
      throw this.#interrupted()
    })

  async send(service: string, request: ServiceRequest): Promise<Exchange> {
    const { target } = this.settings
    const baseUrl = baseUrlIn(target, service)
    if (baseUrl !== undefined && !isBelow(request.url, baseUrl)) {
      const url = this.redactor.redact(request.url.href)
      inconclusive(`${request.method} ${url} is not below ${baseUrl}, and was not sent`)
    }
    if (request.method !== 'GET') {
      requireNeeds({ 'write requests': writing }, ['write requests'], target)
    }
    const exchange = await this.#sendOnce(service, request).catch((error) => {
      if (!(error instanceof TransportError)) throw error
      const { id, purpose } = error.record
      currentScope()?.exchanges.add(id)
      throw this.#isInterrupted(purpose) ? this.#interrupted(true) : inconclusiveFor(error)
    })
    currentScope()?.exchanges.add(exchange.id)
    requireOfService(exchange)
    return exchange
  }

  readonly takeUnreported = (): ExchangeRecord[] =>
    this.settings.withoutExchanges ? [] : this.#unreported.splice(0)

  async close(): Promise<void> {
    this.#closeSecrets()
    await this.#probe.close()
  }

  /** Sends a request with the purpose of its scope; an identical GET request only once. */
  #sendOnce(
    service: string,
    { fresh, asWritten, encodesPath, ...request }: ServiceRequest,
  ): Promise<Exchange> {
    const scope = currentScope()
    const purpose = scope?.purpose ?? 'run'
    const url = new URL(request.url)
    // The order of the parameters must not depend on the order of the checks.
    if (!asWritten) url.search = sortedQuery(url.search)
    if (encodesPath) url.pathname = withEncodedLetter(url.pathname)
    const send = () => {
      // A started scope continues before another starts: its requests depend on each other.
      const { priority = scope === undefined ? 0 : scope.requests++ } = request
      const signal = this.#signalFor(request.method, purpose)
      const cases = new Set<string>()
      return this.#probe.send({ ...request, url, service, purpose, cases, priority, signal })
    }
    if (request.method !== 'GET' || fresh) return send()
    const key = JSON.stringify([url.href, request.credentials, request.headers])
    const cached = this.#cachedResponses.get(key) ?? send()
    this.#cachedResponses.set(key, cached)
    return cached
  }

  #isInterrupted(purpose: string): boolean {
    return this.#interruption.aborted && purpose !== CLEAN_UP
  }

  #interrupted(sent = false): Interrupted {
    return new Interrupted({ kind: 'interrupted', by: this.#interruption.reason }, { sent })
  }
}

/** @param beforeSend called before each attempt, which it prevents if it throws */
export const createRun = (
  settings: RunSettings,
  beforeSend: (request: ProbeRequest) => void = () => {},
): Run => new ProbeRun(settings, beforeSend)
