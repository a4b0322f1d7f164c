import { setTimeout as delay } from 'node:timers/promises'
import type { ProbeLimits } from '../../../lib/environment/target.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { createProbe } from '../../../lib/probe/probe.ts'
import type { Redactor } from '../../../lib/probe/redaction.ts'
import { delayBeforeRetry } from '../../../lib/probe/retry.ts'
import { excerpt, printableSentence } from '../../../lib/reports/printable.ts'

/** A rejection by the server, or a state in which provision must not act. The message is for the operator. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError'
  /** Status of the response, if there is a single one. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** An interruption by the operator; earlier changes stay. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  override readonly message = 'stopped before everything was done'
}

export interface ProvisionRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; names in it are percent-encoded. */
  path: string
  credentials: Credentials
  headers?: Record<string, string>
  json?: object
  form?: Record<string, string>
  accepted: readonly number[] | 'any'
}

const advice: Record<number, string> = {
  401: 'Check CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD. An account that uses two-factor authentication cannot be the administrator here, and the server has to allow basic authentication.',
  403: 'Is CODE_HOSTING_ADMIN_USERNAME a site administrator?',
  404: 'Is CODE_HOSTING_BASE_URL a server of the Gitea family?',
  429: 'Try again later: created resources stay, and a repeated command continues.',
}

function toError({ method, path }: ProvisionRequest, exchange: Exchange, redactor: Redactor) {
  const { status, json, text } = exchange
  const { message } = Object(json) as { message?: unknown }
  const quotedText = redactor.redact(typeof message === 'string' && message !== '' ? message : text)
  const shortText = excerpt(printableSentence(quotedText), { characters: 300, lines: 1 })
  const hint =
    status >= 500
      ? 'See the log of the server. Created resources stay: a repeated command continues, and --remove deletes them.'
      : (advice[status] ?? '')
  const quoted = quotedText === '' ? 'without a message' : `"${shortText}"`
  const sentence = `${method} ${redactor.redact(path)} returned ${status}, ${quoted}.`
  return new ProvisionError(`${sentence} ${hint}`.trimEnd(), status)
}

/** Sends requests below a base URL, one after the other, until the interruption aborts. */
export interface Requests {
  readonly redactor: Redactor
  /**
   * Repeats a request that was rejected with 429 when the server says so, as it had no effect.
   *
   * @throws ProvisionError for a status that is not accepted, Stopped, TransportError without a response
   */
  send(request: ProvisionRequest): Promise<Exchange>
  close(): Promise<void>
}

export function createRequests(
  baseUrl: string,
  limits: ProbeLimits,
  { userAgent, redactor }: { userAgent: string; redactor: Redactor },
  interruption: AbortSignal,
): Requests {
  const probe = createProbe({
    ...limits,
    concurrency: 1,
    userAgent,
    redactor,
    beforeSend() {
      if (interruption.aborted) throw new Stopped()
    },
    onExchange() {},
  })

  function sendOnce(request: ProvisionRequest): Promise<Exchange> {
    const { method, path, credentials, headers, json, form } = request
    const type = json ? 'application/json' : form && 'application/x-www-form-urlencoded'
    return probe.send({
      service: 'code-hosting',
      purpose: 'provision',
      method,
      url: new URL(`${baseUrl}${path}`),
      credentials,
      headers: { Accept: 'application/json', ...(type && { 'Content-Type': type }), ...headers },
      ...(type && { body: json ? JSON.stringify(json) : String(new URLSearchParams(form)) }),
    })
  }

  return {
    redactor,
    async send(request) {
      const { accepted, method } = request
      for (let attempt = 1; ; attempt += 1) {
        const exchange = await sendOnce(request)
        const { status, headers } = exchange
        if (accepted === 'any' || accepted.includes(status)) return exchange
        // The probe repeats a GET by itself.
        const mayRepeat = status === 429 && method !== 'GET' && attempt <= limits.retries
        const wait = mayRepeat ? delayBeforeRetry(attempt, headers.get('retry-after')) : undefined
        if (wait === undefined) throw toError(request, exchange, redactor)
        await delay(wait, undefined, { signal: interruption }).catch(() => {
          throw new Stopped()
        })
      }
    },
    close: () => probe.close(),
  }
}
