import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'
import { baseUrlIn, publicTexts, type Target } from '../environment/target.ts'
import { isBelow } from '../probe/base-url.ts'
import {
  type Exchange,
  type ProbeRequest,
  type ServiceRequest,
  TransportError,
} from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { createProbe } from '../probe/probe.ts'
import { Redactor } from '../probe/redaction.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { LeftBehind } from '../results/result.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { openLedger } from './ledger.ts'
import { Inconclusive, Interrupted, inconclusive } from './outcome.ts'
import { requireNeeds, wordsIn, writing } from './requirement.ts'
import { channelOf, endingOf, interruptionOf } from './run-channel.ts'
import type { Sampling } from './sampling.ts'
import { CLEAN_UP, currentScope } from './scope.ts'

/** What the command hands to the worker that judges. Structured-cloneable. */
export interface RunSettings {
  runId: string
  version: string
  target: Target
  secrets: { name: string; value: string }[]
  /** The target is the embedded deployment, which no proxy must see. */
  embedded: boolean
  /** Ids of the requirements that are reported. */
  selected: string[]
  /** Ids of the requirements whose checks run: an invariant is about the exchanges of all. */
  checks: string[]
  /** Absent: the default one. */
  sampling?: Sampling
  documentsStatuses?: readonly string[]
  /** File to which what is created is written before it is made; absent: nothing is noted. */
  ledgerFile?: string
  /** Each test file is a run of its own, with an id of its own. */
  perFile?: boolean
  /** Tests report no exchanges, because no reporter redacts them once more. */
  withoutExchanges?: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    run: RunSettings
  }
}

/** Sorts parameters by name, each as it is written; those of one name keep their order. */
function sortedQuery(query: string): string {
  const nameOf = (parameter = '') => parameter.split('=', 1)[0] ?? ''
  const parameters = query.slice(1).split('&')
  return parameters
    .sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : Number(nameOf(one) > nameOf(other))))
    .join('&')
}

/** Returns what ends a check that got no response, or none that can be read. */
function inconclusiveFor(error: TransportError): Inconclusive {
  const { kind, detail, record } = error
  const what = kind === 'unreadable' ? kind : 'transport'
  return new Inconclusive({ kind: what, exchange: record.id, detail }, { cause: error })
}

/** One run of the suites, for those who judge. */
export interface Run {
  readonly settings: RunSettings
  readonly redactor: Redactor
  /** Takes out of a text what differs from run to run. */
  readonly normalize: ReturnType<typeof createNormalizer>
  /** What was created, written down before it is made. */
  readonly ledger: ReturnType<typeof openLedger>
  readonly leftBehind: LeftBehind[]
  /** What is to be done when everything has been judged, such as taking away what was made. */
  readonly closings: (() => Promise<void>)[]
  /** Every exchange that brought a response, retried ones included. */
  readonly exchanges: readonly Exchange[]
  /** @throws Interrupted when the run is to come to its end */
  wait(milliseconds: number): Promise<void>
  /**
   * A GET that was sent before is not sent again. @throws Skip for anything but a GET in read-only
   * mode, and Inconclusive when no response could be had, or only one of a gateway, and for what is not
   * below the base URL of the service
   */
  send(service: string, request: ServiceRequest): Promise<Exchange>
  /** The exchanges that no test has reported yet. */
  takeUnreported(): ExchangeRecord[]
  close(): Promise<void>
}

/** @param mayBeSent is asked before each attempt; throws when it is not to be made */
export function createRun(
  settings: RunSettings,
  mayBeSent: (request: ProbeRequest) => void = () => {},
): Run {
  const { probe: limits } = settings.target
  const secrets = channelOf('secret', settings.runId)
  const redactor = new Redactor({ onSecret: secrets.tell, words: wordsIn(settings.checks) })
  const texts = publicTexts(settings.target, settings.secrets)
  redactor.addNames([`plumbline-${settings.runId}`, ...texts])
  for (const { name, value } of settings.secrets) redactor.add(name, value)

  const interruption = interruptionOf(settings.runId)
  const ending = endingOf(interruption)
  const breaker = new CircuitBreaker(limits.timeoutMs)
  const interrupted = (sent = false) =>
    new Interrupted({ kind: 'interrupted', by: interruption.reason }, { sent })
  /** @throws Inconclusive for what is not to be sent any more */
  function admit(request: ProbeRequest): void {
    if (interruption.aborted && request.purpose !== CLEAN_UP) {
      throw interrupted()
    }
    breaker.admit(request)
    mayBeSent(request)
  }

  const exchanges: Exchange[] = []
  const unreported: ExchangeRecord[] = []
  const probe = createProbe({
    ...limits,
    hasAnswered: (service) => breaker.hasAnswered(service),
    documentsStatuses: settings.documentsStatuses,
    ...(settings.embedded ? { proxy: undefined } : {}),
    userAgent: `plumbline/${settings.version}`,
    redactor,
    unreadBody: inconclusiveFor,
    admit,
    onExchange(record, exchange) {
      breaker.note(record, exchange?.origin)
      unreported.push(record)
      if (exchange !== undefined) exchanges.push(exchange)
    },
  })

  const sentBefore = new Map<string, Promise<Exchange>>()

  function sendOnce(
    service: string,
    { fresh, asWritten, ...request }: ServiceRequest,
  ): Promise<Exchange> {
    const scope = currentScope()
    const purpose = scope?.purpose ?? 'run'
    const url = new URL(request.url)
    // Which of two orders is sent would depend on which check comes first.
    if (!asWritten) url.search = sortedQuery(url.search)
    const send = () => {
      // A scope that has begun goes on before another begins: its requests need each other.
      const { priority = scope === undefined ? 0 : scope.requests++ } = request
      const signal = ending.signalFor(request.method, purpose)
      return probe.send({ ...request, url, service, purpose, priority, signal })
    }
    if (request.method !== 'GET' || fresh) return send()
    const key = JSON.stringify([url.href, request.credentials, request.headers])
    const known = sentBefore.get(key) ?? send()
    sentBefore.set(key, known)
    return known
  }

  return {
    settings,
    redactor,
    normalize: createNormalizer({ run: { id: settings.runId }, target: settings.target }),
    ledger: openLedger(settings.ledgerFile, settings.runId, settings.embedded),
    leftBehind: [],
    closings: [],
    exchanges,

    wait: (milliseconds) =>
      delay(milliseconds, undefined, { signal: interruption }).catch(() => {
        throw interrupted()
      }),

    async send(service, request) {
      const baseUrl = baseUrlIn(settings.target, service)
      if (baseUrl !== undefined && !isBelow(request.url, baseUrl)) {
        const url = redactor.redact(request.url.href)
        inconclusive(`${request.method} ${url} is not below ${baseUrl}, and was not sent`)
      }
      if (request.method !== 'GET') requireNeeds({ writing }, ['writing'], settings.target)
      const exchange = await sendOnce(service, request).catch((error) => {
        if (!(error instanceof TransportError)) throw error
        currentScope()?.exchanges.add(error.record.id)
        if (interruption.aborted && error.record.purpose !== CLEAN_UP) {
          throw interrupted(true)
        }
        throw inconclusiveFor(error)
      })
      currentScope()?.exchanges.add(exchange.id)
      const { id, status, origin } = exchange
      if (origin.by === 'service') return exchange
      const kind = origin.by === 'gateway' ? 'gateway' : 'invalid status'
      throw new Inconclusive({ kind, exchange: id, status }, { exchange })
    },

    takeUnreported: () => (settings.withoutExchanges ? [] : unreported.splice(0)),

    async close() {
      secrets.close()
      await probe.close()
    },
  }
}

/** The same under another name, for what is created and for the ledger. */
function renamed({ runId: given, ledgerFile, ...settings }: RunSettings): RunSettings {
  const runId = given.replace(/.{6}$/, randomBytes(3).toString('hex'))
  return { ...settings, runId, ledgerFile: ledgerFile?.replace(given, runId) }
}

let current: { given: string; run: Run } | undefined

/** The run that this thread judges for; another one may follow. */
export function currentRun(): Run {
  const given = inject('run')
  if (current?.given !== given.runId) {
    current = { given: given.runId, run: createRun(given.perFile ? renamed(given) : given) }
  }
  return current.run
}
