import { isUtf8 } from 'node:buffer'
import PQueue from 'p-queue'
import { type Dispatcher, request as send } from 'undici'
import { connectionFor } from '../environment/connections.ts'
import type { ProbeLimits } from '../environment/probe-variables.ts'
import { getOrCreate } from '../text/group-by.ts'
import { createDeadline, delayUnlessAborted, rejectOnAbort } from './abort.ts'
import { BodyStore, createBodyReader, minLengthOf } from './bodies.ts'
import { withQueryToken } from './credentials.ts'
import { createDispatchers, type DispatcherOptions, isForwarded, isRefusal } from './dispatcher.ts'
import {
  type Exchange,
  type ExchangeRecord,
  type HeaderField,
  type ProbeRequest,
  TransportError,
} from './exchange.ts'
import { linksOf, toHeaderFields } from './header-fields.ts'
import { originOf } from './origin.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import {
  maxRetries,
  RequestedPauses,
  type RetryPolicy,
  retryAfterDelay,
  transientError,
  transientIn,
  withRetries,
} from './retry.ts'
import {
  classifyFailure,
  explainTransportFailure,
  isClosed,
  ProxyFailure,
  withoutCertificateAdvice,
} from './transport-error.ts'

interface ProbeOptions
  extends DispatcherOptions,
    RecorderOptions,
    Pick<ProbeLimits, 'requestsPerSecond' | 'retries'> {
  /** Maximum duration of all pauses that servers request; default: 30 s. */
  maxPausesMs?: number
  documentsStatuses?: readonly string[]
  /** Creates the error that `text` and `json` of an unread body throw; default: the error of the probe. */
  unreadBody?: (error: TransportError) => Error
  /** Called before a request is sent; throws if it must not be sent. */
  beforeSend?: (request: ProbeRequest) => void
  onExchange: (record: ExchangeRecord, exchange: Exchange | undefined) => void
}

/** A character that no header field can contain (RFC 9110, 5.5). */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** Throws for a field that undici rejects: its pool would never reuse the connection. */
function requireSendable(headers: readonly HeaderField[]): void {
  const field = headers.find(({ value }) => UNSENDABLE.test(value))
  if (field === undefined) return
  throw new Error(`nothing was sent: the header field ${field.name} has an invalid character`)
}

type Content = Pick<Exchange, 'text' | 'json' | 'minLength'>

export class Probe {
  readonly #options: ProbeOptions
  readonly #dispatchers: ReturnType<typeof createDispatchers>
  readonly #queue: PQueue
  readonly #turns: PQueue | undefined
  /** Requests by the name of their connection. */
  readonly #sequences = new Map<string, PQueue>()
  readonly #bodies = new BodyStore()
  readonly #readBody: ReturnType<typeof createBodyReader>
  readonly #recorder: Recorder
  readonly #pauses: RequestedPauses
  /** Services that have responded themselves. */
  readonly #responding = new Set<string>()

  constructor(options: ProbeOptions) {
    const { concurrency, requestsPerSecond: intervalCap } = options
    this.#options = options
    this.#pauses = new RequestedPauses(options.maxPausesMs)
    this.#dispatchers = createDispatchers(options)
    this.#queue = new PQueue({ concurrency })
    if (intervalCap) this.#turns = new PQueue({ interval: 1000, intervalCap, strict: true })
    this.#readBody = createBodyReader(options.maxBodyBytes, this.#bodies)
    this.#recorder = new Recorder(options)
  }

  /** Sends a request. Retries a GET after a transient failure, and follows no redirect. @throws TransportError */
  send(request: ProbeRequest): Promise<Exchange> {
    const { method, service, signal, connection } = request
    const { retries } = this.#options
    const policy: RetryPolicy<Exchange> = {
      retries: () => (method === 'GET' ? maxRetries(retries, this.#responding.has(service)) : 0),
      transient: (outcome) =>
        outcome.status === 'fulfilled'
          ? transientIn(outcome.value)
          : transientError(outcome.reason),
      wait: (milliseconds) => delayUnlessAborted(milliseconds, signal),
    }
    const work = () =>
      withRetries(policy, (attempt) => {
        // Retries precede first attempts.
        const priority = (request.priority ?? 0) + attempt - 1
        return this.#queue.add(() => this.#sendInTurn(request, attempt), { priority })
      })
    if (connection === undefined) return work()
    // A request that waits for its connection takes no place of the concurrent ones.
    return getOrCreate(this.#sequences, connection, () => new PQueue({ concurrency: 1 })).add(work)
  }

  async close(): Promise<void> {
    this.#queue.clear()
    await this.#dispatchers.destroy()
  }

  /** Waits for the rate and a requested delay, then sends. Within the queue, it delays all requests. */
  async #sendInTurn(request: ProbeRequest, attempt: number): Promise<Exchange> {
    const { signal } = request
    for (;;) {
      await this.#turns?.add(() => {}, { signal }).catch(() => {})
      const pauseMs = this.#pauses.remainingMs
      if (pauseMs <= 0 || signal?.aborted) break
      await delayUnlessAborted(pauseMs, signal)
    }
    this.#options.beforeSend?.(request)
    return this.#attempt(request, attempt)
  }

  /** Makes one attempt. The record is redacted before it is published. */
  async #attempt(request: ProbeRequest, attempt: number): Promise<Exchange> {
    const { timeoutMs, onExchange, connectTo } = this.#options
    const record = this.#recorder.begin(request, withQueryToken(request).href, attempt)
    if (connectTo && connectionFor(connectTo, request.url)) record.request.connectTo = connectTo
    const started = performance.now()
    const deadline = createDeadline(timeoutMs, request.signal)
    let exchange: Exchange
    try {
      exchange = await this.#exchange(request, record, started, deadline.signal)
    } catch (error) {
      const reason = request.signal?.aborted
        ? 'aborted before a response arrived'
        : explainTransportFailure(error, timeoutMs) + this.#adviceFor(request, error)
      this.#recorder.fail(record, started, reason)
      onExchange(record, undefined)
      throw new TransportError(record.error ?? reason, record, classifyFailure(error))
    } finally {
      deadline.end()
    }
    if (exchange.origin.by === 'service') this.#responding.add(request.service)
    // A requested delay applies to all requests, even without a retry.
    const pauseMs = retryAfterDelay(transientIn(exchange)?.retryAfter ?? null) ?? 0
    if (!this.#pauses.extend(pauseMs)) exchange.exceededPausesMs = this.#pauses.limitMs
    // Else all waiting requests are sent right after the pause, exceed the limit, and use up their retries.
    if (pauseMs > 0) this.#queue.concurrency = Math.max(1, this.#queue.concurrency >> 1)
    onExchange(record, exchange)
    return exchange
  }

  #adviceFor({ url, service }: ProbeRequest, error: unknown): string {
    const isFirst = !this.#responding.has(service)
    const mayNeedCertificate = url.protocol === 'https:' && !this.#options.tls?.cert && isFirst
    return mayNeedCertificate && isClosed(error) ? withoutCertificateAdvice : ''
  }

  async #exchange(
    request: ProbeRequest,
    record: ExchangeRecord,
    started: number,
    signal: AbortSignal,
  ) {
    const { redactor, documentsStatuses = [] } = this.#options
    requireSendable(record.request.headers)
    const response = send(record.request.url, {
      dispatcher: this.#dispatchers.for(request.url, request.connection),
      method: record.request.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(record.request.headers.map((h) => [h.name, h.value])),
      body: record.request.body,
      responseHeaders: 'raw',
      signal,
    })
    // undici ignores the signal until it has a connection.
    const { statusCode: status, headers: raw, body } = await rejectOnAbort(response, signal)
    const fields = toHeaderFields(raw as unknown as string[])
    const headers = new Headers(fields.map(({ name, value }) => [name, value]))
    if (isForwarded(request.url, this.#options.proxy) && isRefusal(status, headers)) {
      body.on('error', () => {}).destroy()
      throw new ProxyFailure(new Error(`Proxy response (${status})`))
    }
    const chunks: Buffer[] = []
    const reading = this.#readBody(status, body, headers.get('content-encoding'), signal, chunks)
    // A truncated body may contain a secret that is not known yet.
    const isPage = status === 200 && request.secretsIn === undefined
    const { bytes, text, parts } = await this.#readContent(reading, chunks, record, isPage)
    const secrets = request.secretsIn?.(parts.json, text) ?? []
    this.#recorder.respond(record, started, { status, fields, bytes, text, secrets })
    // Its getters stay getters.
    return Object.assign(parts, {
      id: record.id,
      request,
      status,
      origin: originOf(status, documentsStatuses.includes(request.service)),
      headers,
      links: linksOf(headers.get('link')),
      isUtf8: isUtf8(bytes),
      redact: (part: string) => redactor.redact(part),
      record,
    })
  }

  /** Returns the content of a response; for a list that is too large, its prefix in `chunks`. */
  async #readContent(
    reading: Promise<Buffer>,
    chunks: readonly Buffer[],
    record: ExchangeRecord,
    isPage: boolean,
  ) {
    const { redactor, timeoutMs, unreadBody } = this.#options
    let bytes: Buffer | undefined
    try {
      bytes = await reading
      const parts: Content = this.#bodies.keep(bytes)
      return { bytes, text: parts.text, parts }
    } catch (error) {
      const prefix = bytes ?? Buffer.concat(chunks)
      const text = isPage && classifyFailure(error) === 'unreadable' ? prefix.toString('utf8') : ''
      const minLength = minLengthOf(text)
      if (minLength === 0) throw error
      const reason = redactor.redact(explainTransportFailure(error, timeoutMs))
      const throwFailure = (): never => {
        const failure = new TransportError(reason, record, classifyFailure(error))
        throw unreadBody?.(failure) ?? failure
      }
      const parts: Content = {
        minLength,
        get text() {
          return throwFailure()
        },
        get json() {
          return throwFailure()
        },
      }
      return { bytes: prefix, text, parts }
    }
  }
}
