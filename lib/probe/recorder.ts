import { createHash } from 'node:crypto'
import { headerPlaceholder } from '../environment/extra-headers.ts'
import type { ProbeLimits } from '../environment/probe-variables.ts'
import type { Secret } from '../environment/variable.ts'
import type { ExchangeRecord, HeaderField, Placeholder, ProbeRequest } from './exchange.ts'
import type { Redactor } from './redaction/redaction.ts'

/** Maximum length of a recorded body, in UTF-16 code units. */
export const MAX_KEPT_BODY_CHARS = 64_000
/** Length of all recorded bodies after which only a prefix of each is kept. */
const MAX_TOTAL_BODY_CHARS = 4_000_000
const KEPT_PREFIX_CHARS = 4000

type Sent = 'userAgentPrefix' | 'trace' | 'headers' | 'evidence'

export interface RecorderOptions extends Partial<Pick<ProbeLimits, Sent>> {
  userAgent: string
  /** With it, `User-Agent` and `traceparent` name the run and the exchange. */
  runId?: string
  redactor: Redactor
}

interface Received {
  status: number
  fields: readonly HeaderField[]
  bytes: Buffer
  text: string
  secrets: readonly Secret[]
}

/** Returns the body with the members that carry credentials, first: of equal names, the last member wins. */
function bodyOf({ body, credentials }: ProbeRequest): string | null {
  if (credentials?.kind !== 'body') return body ?? null
  const { members, value } = credentials
  const [, rest] = /^\s*\{(.*)$/s.exec(body ?? '{}') ?? []
  if (rest === undefined) return body ?? null
  const added = members.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')
  return `{${added}${/^\s*\}/.test(rest) ? '' : ','}${rest}`
}

/**
 * Returns the trace id of an exchange and the value of `traceparent` (W3C Trace Context), version 00, with the flag
 * `sampled`. The ids are the first digits of the SHA-256 of `RUN/EXCHANGE`, so that readers can compute them.
 */
export function traceOf(runId: string, exchangeId: string) {
  const digits = createHash('sha256').update(`${runId}/${exchangeId}`).digest('hex')
  const traceId = digits.slice(0, 32)
  return { traceId, traceparent: `00-${traceId}-${digits.slice(32, 48)}-01` }
}

export class Recorder {
  readonly #options: RecorderOptions
  #sent = 0
  #keptChars = 0

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Returns the record of an attempt with its unredacted request. */
  begin(request: ProbeRequest, url: string, attempt: number): ExchangeRecord {
    const { service, purpose, endpoint, credentials } = request
    this.#sent += 1
    const id = `e${this.#sent}`
    const { userAgent, userAgentPrefix, runId, trace } = this.#options
    const agent = userAgentPrefix === undefined ? userAgent : `${userAgentPrefix} ${userAgent}`
    const traced = trace && runId !== undefined ? traceOf(runId, id) : undefined
    const headers: Record<string, string> = {
      'User-Agent': runId === undefined ? agent : `${agent} (${runId}; ${id})`,
      ...(traced && { traceparent: traced.traceparent }),
      ...this.#options.headers,
      ...request.headers,
    }
    if (credentials?.kind === 'authorization') headers.Authorization = credentials.value
    if (credentials?.kind === 'header') {
      for (const name of credentials.names) headers[name] = credentials.value
    }
    const body = bodyOf(request)
    if (body !== null && request.body === undefined) headers['Content-Type'] = 'application/json'
    const user = credentials?.kind === 'authorization' ? credentials.user : undefined
    return {
      id,
      service,
      purpose,
      ...(endpoint !== undefined && { endpoint }),
      startedAt: new Date().toISOString(),
      durationMs: 0,
      attempt,
      ...(traced && { traceId: traced.traceId }),
      request: {
        method: request.method,
        url,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        ...(user !== undefined && { user }),
        body,
        ...(body !== null && { bodyBytes: Buffer.byteLength(body) }),
      },
      response: null,
      error: null,
    }
  }

  respond(
    record: ExchangeRecord,
    started: number,
    { status, fields, bytes, text, secrets }: Received,
  ): void {
    const { redactor } = this.#options
    for (const { name, value } of secrets) redactor.add(name, value)
    if (secrets.length > 0) record.secrets = [...new Set(secrets.map(({ name }) => name))]
    this.#end(record, started)
    record.response = {
      status,
      headers: redactor.redactFields(fields),
      bodyBytes: bytes.length,
      ...this.#keptBody(text),
    }
  }

  fail(record: ExchangeRecord, started: number, reason: string): void {
    this.#end(record, started)
    record.error = this.#options.redactor.redact(reason)
  }

  #end(record: ExchangeRecord, started: number): void {
    // Rounds to microseconds.
    record.durationMs = Math.round((performance.now() - started) * 1000) / 1000
    const { evidence, redactor } = this.#options
    const body = evidence === 'headers' ? null : record.request.body
    // A `$` of the server must not look like a placeholder or shell variable.
    const url = record.request.url.replaceAll('$', '%24')
    record.request = redactor.redactRequest({ ...this.#withoutValues(record.request), url, body })
  }

  /** Hides the values of the further header fields, which may be too short to be found. */
  #withoutValues(request: ExchangeRecord['request']): ExchangeRecord['request'] {
    const { headers: further } = this.#options
    if (further === undefined) return request
    const placeholders: Placeholder[] = []
    const headers = request.headers.map(({ name, value }, index) => {
      if (!Object.hasOwn(further, name)) return { name, value }
      const placeholder = headerPlaceholder(name)
      placeholders.push({ in: index, at: 0, name: placeholder })
      return { name, value: `$${placeholder}` }
    })
    return { ...request, headers, placeholders }
  }

  #keptBody(text: string): { body: string | null; bodyKept?: number } {
    const { evidence, redactor } = this.#options
    if (text === '' || evidence === 'headers') return { body: null }
    const maxChars =
      this.#keptChars < MAX_TOTAL_BODY_CHARS ? MAX_KEPT_BODY_CHARS : KEPT_PREFIX_CHARS
    const body = redactor.redactPrefix(text, maxChars)
    this.#keptChars += body.length
    if (text.length <= maxChars) return { body }
    // Copied: a slice would keep the whole text in memory.
    return { body: structuredClone(body), bodyKept: Buffer.byteLength(text.slice(0, maxChars)) }
  }
}
