import { setTimeout as delay } from 'node:timers/promises'
import type { ProbeLimits } from '../environment/target.ts'
import type { Credentials } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { createProbe } from '../probe/probe.ts'
import type { Redactor } from '../probe/redaction.ts'
import { delayBeforeRetry } from '../probe/retry.ts'
import { excerpt, printableSentence } from '../reports/printable.ts'

/** The server did not do what it was asked for. The message is all that a person needs. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Of the response; absent where several things are wrong, or no single response tells it. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** The person stopped it; what was done until then stays. */
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
  429: 'Try again later: what was made stays, and a repeat goes on from there.',
}

function refusalOf({ method, path }: ProvisionRequest, exchange: Exchange, redactor: Redactor) {
  const { status, json, text } = exchange
  const { message } = Object(json) as { message?: unknown }
  const words = redactor.redact(typeof message === 'string' && message !== '' ? message : text)
  const shown = excerpt(printableSentence(words), { characters: 300, lines: 1 })
  const hint =
    status >= 500
      ? 'The log of the server tells more. What was made stays: a repeat goes on from there, --remove takes it away.'
      : (advice[status] ?? '')
  const told = words === '' ? 'without a message' : `"${shown}"`
  const sentence = `${method} ${redactor.redact(path)} was answered with ${status}, ${told}.`
  return new Refusal(`${sentence} ${hint}`.trimEnd(), status)
}

export type Requests = ReturnType<typeof createRequests>

/** Sends requests below a base URL, one after the other, until the interruption aborts. */
export function createRequests(
  baseUrl: string,
  limits: ProbeLimits,
  { userAgent, redactor }: { userAgent: string; redactor: Redactor },
  interruption: AbortSignal,
) {
  const probe = createProbe({
    ...limits,
    concurrency: 1,
    userAgent,
    redactor,
    admit() {
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
    /**
     * A request that is refused with 429 was not carried out, and is sent again when the server says.
     *
     * @throws Refusal for a status that is not accepted, Stopped, TransportError without a response
     */
    async send(request: ProvisionRequest): Promise<Exchange> {
      const { accepted, method } = request
      for (let attempt = 1; ; attempt += 1) {
        const exchange = await sendOnce(request)
        const { status, headers } = exchange
        if (accepted === 'any' || accepted.includes(status)) return exchange
        // The probe repeats a GET by itself.
        const mayRepeat = status === 429 && method !== 'GET' && attempt <= limits.retries
        const wait = mayRepeat ? delayBeforeRetry(attempt, headers.get('retry-after')) : undefined
        if (wait === undefined) throw refusalOf(request, exchange, redactor)
        await delay(wait, undefined, { signal: interruption }).catch(() => {
          throw new Stopped()
        })
      }
    },
    close: () => probe.close(),
  }
}
