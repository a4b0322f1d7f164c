import type { ProbeRequest } from './exchange.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { Redactor } from './redaction.ts'

/** Of a body in the record of an exchange, in UTF-16 code units. */
export const MAX_KEPT_BODY_CHARS = 64_000
/** Of all bodies of a run; behind that less of each is kept. */
const MOST_KEPT_TEXT = 4_000_000
const KEPT_BEGINNING = 4000

export interface RecorderOptions {
  userAgent: string
  redactor: Redactor
  /** `headers` keeps no body of a request or response; by default they are kept. */
  evidence?: 'full' | 'headers'
}

/** Content of a response, as it came. */
interface Received {
  status: number
  fields: readonly (readonly [name: string, value: string])[]
  bytes: Buffer
  text: string
  /** Secrets that the response shows. */
  secrets: readonly { name: string; value: string }[]
}

/** Makes the records of exchanges. Nothing is in a record that was not redacted here. */
export class Recorder {
  readonly #options: RecorderOptions
  #sent = 0
  #keptText = 0

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Returns the record of an attempt, with its request as it is sent. */
  begin(request: ProbeRequest, url: string, attempt: number): ExchangeRecord {
    const { service, purpose, endpoint, credentials, body = null } = request
    const headers: Record<string, string> = {
      'User-Agent': this.#options.userAgent,
      ...request.headers,
    }
    if (credentials?.kind === 'authorization') headers.Authorization = credentials.value
    if (credentials?.kind === 'header') headers[credentials.name] = credentials.value
    const user = credentials?.kind === 'authorization' ? credentials.user : undefined
    this.#sent += 1
    return {
      id: `e${this.#sent}`,
      service,
      purpose,
      ...(endpoint !== undefined && { endpoint }),
      startedAt: new Date().toISOString(),
      durationMs: 0,
      attempt,
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

  /** Ends a record with a response. */
  respond(record: ExchangeRecord, started: number, received: Received): void {
    const { redactor } = this.#options
    const { status, fields, bytes, text, secrets } = received
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

  /** Ends a record without a response. */
  fail(record: ExchangeRecord, started: number, reason: string): void {
    this.#end(record, started)
    record.error = this.#options.redactor.redact(reason)
  }

  #end(record: ExchangeRecord, started: number): void {
    // To the microsecond: more digits tell nothing, and look like others.
    record.durationMs = Math.round((performance.now() - started) * 1000) / 1000
    const { evidence, redactor } = this.#options
    const body = evidence === 'headers' ? null : record.request.body
    // A `$` of the server must not read like a placeholder, nor like a variable of a shell.
    const url = record.request.url.replaceAll('$', '%24')
    record.request = redactor.redactRequest({ ...record.request, url, body })
  }

  #keptBody(text: string): { body: string | null; bodyKept?: number } {
    const { evidence, redactor } = this.#options
    if (text === '' || evidence === 'headers') return { body: null }
    const longest = this.#keptText < MOST_KEPT_TEXT ? MAX_KEPT_BODY_CHARS : KEPT_BEGINNING
    const body = redactor.redactBeginning(text, longest)
    this.#keptText += body.length
    if (text.length <= longest) return { body }
    // A copy: the beginning of a text would keep all of it in memory.
    return { body: structuredClone(body), bodyKept: Buffer.byteLength(text.slice(0, longest)) }
  }
}
