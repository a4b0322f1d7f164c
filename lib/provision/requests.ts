import { setTimeout as delay } from 'node:timers/promises'
import type { Credentials } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { createProbe } from '../probe/probe.ts'
import type { Redactor } from '../probe/redaction.ts'
import { delayBeforeRetry } from '../probe/retry.ts'
import { excerpt, printableSentence } from '../reports/printable.ts'
import type { ProbeLimits } from '../target/target.ts'
import { Refusal, Stopped } from './refusal.ts'

const SERVICE = 'code-hosting'
const TOO_MANY_REQUESTS = 429
const messageLimits = { characters: 300, lines: 1 }

export interface RequestsOptions {
  /** Absolute, without a slash at the end; may have a path. */
  baseUrl: string
  limits: ProbeLimits
  userAgent: string
  redactor: Redactor
  /** Aborted when nothing more is to be sent. */
  interruption: AbortSignal
}

/** One request below the base URL. */
export interface ProvisionRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; names in it are percent-encoded. */
  path: string
  credentials: Credentials
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: object
  /** Sent as the fields of an HTML form. */
  form?: Record<string, string>
  /** Statuses that are no error. */
  accepted: readonly number[] | 'any'
}

/** Sends the requests of `plumbline provision`, one after the other. */
export interface Requests {
  readonly baseUrl: string
  readonly redactor: Redactor
  /**
   * A request that is refused with 429 was not carried out, and is sent again when the server says.
   *
   * @throws Refusal for a status that is not accepted
   * @throws Stopped when the person has stopped it
   * @throws TransportError when no response could be had
   */
  send(request: ProvisionRequest): Promise<Exchange>
  close(): Promise<void>
}

const advice: Record<number, string> = {
  401: 'Check CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD. An account that uses two-factor authentication cannot be the administrator here, and the server has to allow basic authentication.',
  403: 'Is CODE_HOSTING_ADMIN_USERNAME a site administrator?',
  404: 'Is CODE_HOSTING_BASE_URL a server of the Gitea family?',
  429: 'Try again later: what was made stays, and a repeat goes on from there.',
}

const serverErrorAdvice =
  'The log of the server tells more. What was made stays: a repeat goes on from there, --remove takes it away.'

/** What the server says, as a person may be shown it. */
export function messageOf({ json, text }: Exchange, redactor: Redactor): string {
  const { message } = (typeof json === 'object' && json !== null ? json : {}) as {
    message?: unknown
  }
  const told = typeof message === 'string' && message !== '' ? message : text
  return told === ''
    ? 'without a message'
    : `"${excerpt(printableSentence(redactor.redact(told)), messageLimits)}"`
}

function refusalOf({ method, path }: ProvisionRequest, exchange: Exchange, redactor: Redactor) {
  const { status } = exchange
  const hint = status >= 500 ? serverErrorAdvice : advice[status]
  const what = `${method} ${redactor.redact(path)} was answered with ${status}, ${messageOf(exchange, redactor)}.`
  return new Refusal(hint === undefined ? what : `${what} ${hint}`, status)
}

function bodyOf({ json, form }: ProvisionRequest) {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return undefined
  return {
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(form).toString(),
  }
}

export function createRequests(options: RequestsOptions): Requests {
  const { baseUrl, limits, redactor, interruption } = options
  const stopped = () => new Stopped('stopped before everything was done')
  const probe = createProbe({
    ...limits,
    concurrency: 1,
    userAgent: options.userAgent,
    redactor,
    admit() {
      if (interruption.aborted) throw stopped()
    },
    onExchange() {},
  })

  function sendOnce(request: ProvisionRequest): Promise<Exchange> {
    const sent = bodyOf(request)
    return probe.send({
      service: SERVICE,
      purpose: 'provision',
      method: request.method,
      url: new URL(`${baseUrl}${request.path}`),
      credentials: request.credentials,
      headers: {
        Accept: 'application/json',
        ...(sent === undefined ? {} : { 'Content-Type': sent.type }),
        ...request.headers,
      },
      ...(sent === undefined ? {} : { body: sent.body }),
    })
  }

  return {
    baseUrl,
    redactor,
    async send(request) {
      const { accepted } = request
      for (let attempt = 1; ; attempt += 1) {
        const exchange = await sendOnce(request)
        if (accepted === 'any' || accepted.includes(exchange.status)) return exchange
        // The probe repeats a GET by itself.
        const wait =
          exchange.status === TOO_MANY_REQUESTS &&
          request.method !== 'GET' &&
          attempt <= limits.retries
            ? delayBeforeRetry(attempt, exchange.headers.get('retry-after'))
            : undefined
        if (wait === undefined) throw refusalOf(request, exchange, redactor)
        try {
          await delay(wait, undefined, { signal: interruption })
        } catch {
          throw stopped()
        }
      }
    },
    close: () => probe.close(),
  }
}
