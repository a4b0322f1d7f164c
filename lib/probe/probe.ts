import { isUtf8 } from 'node:buffer'
import { setTimeout as delay } from 'node:timers/promises'
import PQueue from 'p-queue'
import { type Dispatcher, request as send } from 'undici'
import { createBodyReader, inTime } from './body-reader.ts'
import { createDispatchers, type DispatcherOptions } from './dispatcher.ts'
import { type Exchange, type ProbeRequest, TransportError, withParts } from './exchange.ts'
import type { ExchangeRecord, HeaderField } from './exchange-record.ts'
import { withoutUserInformation } from './header-fields.ts'
import { KeptBodies, leastElements } from './kept-bodies.ts'
import type { Redactor } from './redaction.ts'
import {
  furtherAttempts,
  isTransientStatus,
  pauseAskedFor,
  type RetryPolicy,
  withRetries,
} from './retry.ts'
import { explainTransportFailure, kindOfFailure } from './transport-failure.ts'

/** Of a body in the record of an exchange, in UTF-16 code units; nobody reads as much. */
export const LONGEST_KEPT_BODY = 64_000
/** Of all bodies of a run; behind that less of each is kept. */
const MOST_KEPT_TEXT = 4_000_000
const KEPT_BEGINNING = 4000

export interface ProbeOptions extends Omit<DispatcherOptions, 'connections'> {
  /** Requests under way at any moment, over the whole run. */
  concurrency: number
  /** Further attempts at a GET whose failure may be transient. */
  retries: number
  /** Whether the service has ever given an answer of its own: then one more is worth while. */
  hasAnswered?: (service: string) => boolean
  userAgent: string
  redactor: Redactor
  /** `headers` keeps no body of a request or response; by default they are kept. */
  evidence?: 'full' | 'headers'
  /** Creates the error that `text` and `json` of an unread body throw; by default it is that of the probe. */
  unreadBody?: (error: TransportError) => Error
  /** Asked when it is a request's turn; throws when it is not to be sent any more. */
  admit?: (request: ProbeRequest) => void
  /** Told of every exchange when it ends, each attempt included. */
  onExchange: (record: ExchangeRecord, exchange: Exchange | undefined) => void
}

/** A character that no header field carries (RFC 9110, 5.5). */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** Throws for a field that undici refuses: its pool would never use that connection again. */
function requireSendable(headers: readonly HeaderField[]): void {
  const field = headers.find(({ value }) => UNSENDABLE.test(value))
  if (field === undefined) return
  throw new Error(`nothing was sent: the header field ${field.name} cannot carry its value`)
}

function requestUrl({ url, credentials }: ProbeRequest): URL {
  if (credentials?.kind !== 'query') return url
  const withToken = new URL(url)
  for (const parameter of credentials.parameters) {
    withToken.searchParams.set(parameter, credentials.token)
  }
  return withToken
}

/** Aborts when the time of a request is over or it is given up. A timer of its own would outlive it. */
function deadlineOf(timeoutMs: number, givenUp: AbortSignal | undefined) {
  const controller = new AbortController()
  const giveUp = () => controller.abort(givenUp?.reason)
  const timeOut = () => controller.abort(new DOMException('Time is over', 'TimeoutError'))
  const timer = setTimeout(timeOut, timeoutMs).unref()
  givenUp?.addEventListener('abort', giveUp)
  if (givenUp?.aborted) giveUp()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      givenUp?.removeEventListener('abort', giveUp)
    },
  }
}

type Content = Pick<Exchange, 'text' | 'json' | 'leastElements'>

const unreadList = (least: number, refuse: () => never): Content => ({
  leastElements: least,
  get text() {
    return refuse()
  },
  get json() {
    return refuse()
  },
})

const unlessAborted = (milliseconds: number, signal?: AbortSignal) =>
  delay(milliseconds, undefined, { signal }).catch(() => {})

function transientIn({ status, headers }: Exchange): { retryAfter: string | null } | undefined {
  return isTransientStatus(status) ? { retryAfter: headers.get('retry-after') } : undefined
}

export function createProbe(options: ProbeOptions) {
  const { concurrency, timeoutMs, maxBodyBytes, userAgent, redactor, onExchange } = options
  const keepsBodies = options.evidence !== 'headers'
  const dispatchers = createDispatchers({ ...options, connections: concurrency })
  const queue = new PQueue({ concurrency })
  const bodies = new KeptBodies()
  const readBody = createBodyReader(maxBodyBytes, bodies)
  let keptText = 0
  let sent = 0
  let pausedUntil = 0

  function recordOf(request: ProbeRequest, attempt: number): ExchangeRecord {
    const { service, purpose, endpoint, credentials, body = null } = request
    const headers: Record<string, string> = { 'User-Agent': userAgent, ...request.headers }
    if (credentials?.kind === 'authorization') headers.Authorization = credentials.value
    const user = credentials?.kind === 'authorization' ? credentials.user : undefined
    if (credentials?.kind === 'header') headers[credentials.name] = credentials.value
    return {
      id: `e${++sent}`,
      service,
      purpose,
      ...(endpoint !== undefined && { endpoint }),
      startedAt: new Date().toISOString(),
      durationMs: 0,
      attempt,
      request: {
        method: request.method,
        url: requestUrl(request).href,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        body,
        ...(body !== null && { bodyBytes: Buffer.byteLength(body) }),
        ...(user !== undefined && { user }),
      },
      response: null,
      error: null,
    }
  }

  function keptBody(text: string): { body: string | null; bodyKept?: number } {
    if (text === '' || !keepsBodies) return { body: null }
    const longest = keptText < MOST_KEPT_TEXT ? LONGEST_KEPT_BODY : KEPT_BEGINNING
    const body = redactor.redactBeginning(text, longest)
    keptText += body.length
    if (text.length <= longest) return { body }
    // A copy: the beginning of a text would keep all of it in memory.
    return { body: structuredClone(body), bodyKept: Buffer.byteLength(text.slice(0, longest)) }
  }

  function failureOf(record: ExchangeRecord, reason: string, error: unknown): TransportError {
    return new TransportError(reason, record, kindOfFailure(error))
  }

  /**
   * Returns the content of a response. Of a list that is too large to be read, it is the beginning.
   *
   * @param chunks of the body, as far as it has been read
   * @throws what keeps the body from being read
   */
  async function contentOf(
    reading: Promise<Buffer>,
    chunks: readonly Buffer[],
    record: ExchangeRecord,
    isPage: boolean,
  ) {
    let bytes: Buffer | undefined
    try {
      bytes = await reading
      const parts: Content = bodies.keep(bytes)
      return { bytes, text: parts.text, parts }
    } catch (error) {
      const beginning = bytes ?? Buffer.concat(chunks)
      const text = isPage && kindOfFailure(error) === 'unreadable' ? beginning.toString('utf8') : ''
      const least = leastElements(text)
      if (least === 0) throw error
      const reason = redactor.redact(explainTransportFailure(error, timeoutMs))
      const refuse = (): never => {
        const failure = failureOf(record, reason, error)
        throw options.unreadBody?.(failure) ?? failure
      }
      return { bytes: beginning, text, parts: unreadList(least, refuse) }
    }
  }

  /** One attempt. The record is redacted before anybody else sees it. */
  async function attemptOnce(request: ProbeRequest, attempt: number): Promise<Exchange> {
    const record = recordOf(request, attempt)
    const started = performance.now()
    const finish = () => {
      // To the microsecond: more digits tell nothing, and look like others.
      record.durationMs = Math.round((performance.now() - started) * 1000) / 1000
      const { url, body } = record.request
      record.request = redactor.redactRequest({
        ...record.request,
        // A `$` of the server must not begin what reads like a placeholder.
        url: url.replaceAll('$', '%24'),
        body: keepsBodies ? body : null,
      })
    }
    const deadline = deadlineOf(timeoutMs, request.signal)
    const { signal } = deadline
    let exchange: Exchange
    try {
      requireSendable(record.request.headers)
      const response = send(record.request.url, {
        dispatcher: dispatchers[request.url.protocol === 'https:' ? 'https:' : 'http:'],
        method: record.request.method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(record.request.headers.map((h) => [h.name, h.value])),
        body: record.request.body,
        responseHeaders: 'raw',
        signal,
      })
      // undici heeds the signal only once there is a connection.
      const { statusCode, headers, body } = await inTime(response, signal)
      // The fields in the order and case in which they came, which undici gives as one flat list.
      const flat = headers as unknown as string[]
      const received: [string, string][] = []
      while (flat.length > 0) {
        const [name, value] = flat.splice(0, 2) as [string, string]
        const isRedirect = name.toLowerCase() === 'location'
        received.push([name, isRedirect ? withoutUserInformation(value) : value])
      }
      const fields = new Headers(received)
      const coding = fields.get('content-encoding')
      const chunks: Buffer[] = []
      const reading = readBody(statusCode, body, coding, signal, chunks)
      // What tells a secret is shown only when that is known.
      const isPage = statusCode === 200 && request.secretsIn === undefined
      const { bytes, text, parts } = await contentOf(reading, chunks, record, isPage)
      const told = request.secretsIn?.(parts.json, text) ?? []
      for (const { name, value } of told) redactor.add(name, value)
      if (told.length > 0) record.secrets = [...new Set(told.map(({ name }) => name))]
      finish()
      record.response = {
        status: statusCode,
        headers: redactor.redactFields(received),
        bodyBytes: bytes.length,
        ...keptBody(text),
      }
      exchange = withParts(parts, {
        id: record.id,
        request,
        status: statusCode,
        headers: fields,
        isUtf8: isUtf8(bytes),
        redact: (part: string) => redactor.redact(part),
        record,
      })
    } catch (error) {
      finish()
      record.error = request.signal?.aborted
        ? 'given up before there was a response'
        : redactor.redact(explainTransportFailure(error, timeoutMs))
      onExchange(record, undefined)
      throw failureOf(record, record.error, error)
    } finally {
      deadline.end()
    }
    onExchange(record, exchange)
    return exchange
  }

  /** When it is its turn, since those that wait for theirs are to be held back too. */
  async function sendInTurn(request: ProbeRequest, attempt: number): Promise<Exchange> {
    const { signal } = request
    while (pausedUntil > Date.now() && !signal?.aborted) {
      await unlessAborted(pausedUntil - Date.now(), signal)
    }
    options.admit?.(request)
    const exchange = await attemptOnce(request, attempt)
    // What the server asks of one request holds for all of them, be it repeated or not.
    const asked = transientIn(exchange)?.retryAfter ?? null
    pausedUntil = Math.max(pausedUntil, Date.now() + (pauseAskedFor(asked) ?? 0))
    return exchange
  }

  return {
    /** Repeats a GET that failed in passing. Follows no redirect. @throws TransportError */
    send(request: ProbeRequest): Promise<Exchange> {
      const policy: RetryPolicy<Exchange> = {
        retries() {
          if (request.method !== 'GET') return 0
          return furtherAttempts(options.retries, options.hasAnswered?.(request.service) ?? false)
        },
        transient(outcome) {
          if (outcome.status === 'fulfilled') return transientIn(outcome.value)
          const { reason } = outcome
          const mayPass = reason instanceof TransportError && reason.isTransient
          return mayPass ? { retryAfter: null } : undefined
        },
        async wait(milliseconds) {
          await unlessAborted(milliseconds, request.signal)
          return !request.signal?.aborted
        },
      }
      return withRetries(policy, (attempt) => {
        // A repeated request has waited long enough.
        const priority = (request.priority ?? 0) + attempt - 1
        return queue.add(() => sendInTurn(request, attempt), { priority })
      })
    },

    async close(): Promise<void> {
      queue.clear()
      await Promise.all(Object.values(dispatchers).map((dispatcher) => dispatcher.destroy()))
    },
  }
}

export type Probe = ReturnType<typeof createProbe>
