import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from '../environment/probe-variables.ts'
import type { Secret } from '../environment/variable.ts'
import { type Ledger, openLedger } from '../ledger/ledger.ts'
import { isBelow } from '../probe/base-url.ts'
import {
  type Exchange,
  type ExchangeRecord,
  type ServiceRequest,
  TransportError,
} from '../probe/exchange.ts'
import { Probe } from '../probe/probe.ts'
import { publicTexts, Redactor } from '../probe/redaction/redaction.ts'
import { toServiceName } from '../results/ids.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { LeakedResource } from '../results/run-report.ts'
import { getOrCreate } from '../text/group-by.ts'
import { requireNeeds, wordsOf, writing } from './catalogue.ts'
import { Inconclusive, Interrupted, inconclusive } from './check-errors.ts'
import { CLEAN_UP, currentScope } from './check-scope.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
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
  /** True if the target is the reference server, which is never reached through a proxy. */
  embedded: boolean
  /** Ids of the reported requirements. */
  selected: string[]
  /** Ids of the requirements whose checks run; invariants judge the exchanges of all checks. */
  checks: string[]
  documentsStatuses?: readonly string[]
  ledgerFile?: string
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

/** @throws Skip for methods other than GET in read-only mode, Inconclusive outside of the base URL */
function requireAllowed(
  { method, url }: ServiceRequest,
  service: string,
  { target }: RunSettings,
  redactor: Redactor,
): void {
  const places: [string, { baseUrl?: string }][] = Object.entries(target)
  const baseUrl = places.find(([key]) => toServiceName(key) === service)?.[1].baseUrl
  if (baseUrl !== undefined && !isBelow(url, baseUrl)) {
    const shown = redactor.redact(url.href)
    inconclusive(`${method} ${shown} is not below ${baseUrl}, and was not sent`)
  }
  if (method !== 'GET') requireNeeds({ 'write requests': writing }, ['write requests'], target)
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
  /** Sends a request; identical GET requests are sent once. @throws Skip in read-only mode, Inconclusive without a response of the service */
  send(service: string, request: ServiceRequest): Promise<Exchange>
  takeUnreported(): ExchangeRecord[]
  close(): Promise<void>
}

/** Returns the function that sends a request with the purpose of its scope; an identical GET request only once. */
function createSender(probe: Probe, signalFor: RequestSignals) {
  const responses = new Map<string, Promise<Exchange>>()
  return (
    service: string,
    { fresh, asWritten, encodesPath, ...request }: ServiceRequest,
  ): Promise<Exchange> => {
    const scope = currentScope()
    const purpose = scope?.purpose ?? 'run'
    const url = new URL(request.url)
    // The order of the parameters must not depend on the order of the checks.
    if (!asWritten) url.search = sortedQuery(url.search)
    if (encodesPath) url.pathname = withEncodedLetter(url.pathname)
    const send = () => {
      // A started scope continues before another starts: its requests depend on each other.
      const { priority = scope === undefined ? 0 : scope.requests++ } = request
      const signal = signalFor(request.method, purpose)
      const cases = new Set<string>()
      return probe.send({ ...request, url, service, purpose, cases, priority, signal })
    }
    if (request.method !== 'GET' || fresh) return send()
    const key = JSON.stringify([url.href, request.credentials, request.headers])
    return getOrCreate(responses, key, send)
  }
}

export function createRun(settings: RunSettings): Run {
  const { runId, target, embedded, secrets, documentsStatuses } = settings
  const discovered = channelOf('secret', runId)
  const redactor = new Redactor({
    names: [`plumbline-${runId}`, ...publicTexts(target, secrets)],
    secrets,
    words: wordsOf(settings.checks),
    onSecret: discovered.post,
  })
  const exchanges: Exchange[] = []
  const unreported: ExchangeRecord[] = []
  const interruption = interruptionSignal(runId)
  const isInterrupted = (purpose: string) => interruption.aborted && purpose !== CLEAN_UP
  const interrupted = (sent = false) =>
    new Interrupted({ kind: 'interrupted', by: interruption.reason }, { sent })
  const breaker = createCircuitBreaker(target.probe.timeoutMs)
  const probe = new Probe({
    ...target.probe,
    documentsStatuses,
    ...(embedded ? { proxy: undefined, headers: undefined } : {}),
    userAgent: `plumbline/${settings.version}`,
    runId,
    redactor,
    unreadBody: inconclusiveFor,
    beforeSend(request) {
      if (isInterrupted(request.purpose)) throw interrupted()
      breaker.admit(request)
    },
    onExchange(record, exchange) {
      breaker.note(record, exchange)
      unreported.push(record)
      if (exchange !== undefined) exchanges.push(exchange)
    },
  })
  const sendOnce = createSender(probe, createRequestSignals(interruption))
  return {
    settings,
    redactor,
    exchanges,
    leakedResources: [],
    closings: [],
    normalize: createNormalizer({ run: { id: runId }, target }),
    ledger: openLedger(settings.ledgerFile, runId, embedded, inconclusive),
    wait: (milliseconds) =>
      delay(milliseconds, undefined, { signal: interruption }).catch(() => {
        throw interrupted()
      }),
    async send(service, request) {
      requireAllowed(request, service, settings, redactor)
      const exchange = await sendOnce(service, request).catch((error) => {
        if (!(error instanceof TransportError)) throw error
        const { id, purpose } = error.record
        currentScope()?.exchanges.add(id)
        throw isInterrupted(purpose) ? interrupted(true) : inconclusiveFor(error)
      })
      currentScope()?.exchanges.add(exchange.id)
      requireOfService(exchange)
      return exchange
    },
    takeUnreported: () => (settings.withoutExchanges ? [] : unreported.splice(0)),
    async close() {
      discovered.close()
      await probe.close()
    },
  }
}
